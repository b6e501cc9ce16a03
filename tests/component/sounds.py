"""Sound for tests: tones that count as speech, silence, and the files that hold them."""

from __future__ import annotations

import io
import struct

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]


def tone(seconds: float, rate: int = 16_000, loudness: float = 0.3) -> Samples:
    moments = np.arange(int(seconds * rate)) / rate
    return (loudness * np.sin(2 * np.pi * 300 * moments)).astype(np.float32)


def silence(seconds: float, rate: int = 16_000) -> Samples:
    return np.zeros(int(seconds * rate), np.float32)


def speech(seconds: float = 1.0, rate: int = 16_000) -> Samples:
    """A tone between two silences."""
    return np.concatenate([silence(0.4, rate), tone(seconds, rate), silence(0.4, rate)])


def pcm16(samples: Samples) -> bytes:
    return (samples * 32_767).astype("<i2").tobytes()


def wav(samples: Samples, rate: int = 16_000, bits: int = 16, channels: int = 1, claimed: int | None = None) -> bytes:
    """A WAV file; `claimed` is the length of data that its header tells, right or wrong."""
    several = np.repeat(samples[:, None], channels, axis=1).reshape(-1).astype(np.float64)
    if bits == 8:
        data = ((several + 1) * 127.5).astype(np.uint8).tobytes()
    elif bits == 24:
        whole = (several * (2**23 - 1)).astype("<i4")
        data = whole.view(np.uint8).reshape(-1, 4)[:, :3].tobytes()
    else:
        data = (several * (2 ** (bits - 1) - 1)).astype(f"<i{bits // 8}").tobytes()
    length = len(data) if claimed is None else claimed
    frame = channels * bits // 8
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", (36 + length) & 0xFFFFFFFF, b"WAVE", b"fmt ", 16, 1, channels,
                       rate, rate * frame, frame, bits, b"data", length)  # fmt: skip
    return head + data


def packed(samples: Samples, container: str, codec: str, rate: int = 48_000) -> bytes:
    """Any container of FFmpeg's."""
    import av

    written = io.BytesIO()
    with av.open(written, "w", format=container) as file:
        stream = file.add_stream(codec, rate=rate, layout="mono")
        assert isinstance(stream, av.AudioStream)
        frame = av.AudioFrame.from_ndarray(
            (samples * 32_767).astype(np.int16).reshape(1, -1), format="s16", layout="mono"
        )
        frame.sample_rate = rate
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            file.mux(packet)
    return written.getvalue()
