"""From sound to the bytes of a file."""

from __future__ import annotations

import io
import struct

import numpy as np

from firmware_bridge.contracts import Sound
from firmware_bridge.errors import ADD_EXTRAS, SpeechMissing, UnknownAudio
from firmware_bridge.speech.breaking import as_unusable

_CODECS = {"mp3": ("mp3", "libmp3lame"), "opus": ("ogg", "libopus"), "flac": ("flac", "flac"), "aac": ("adts", "aac")}
_OPUS_RATE = 48_000  # libopus takes 8, 12, 16, 24 and 48 kHz
_HEADER = struct.Struct("<4sI4s4sIHHIIHH4sI")
FORMATS = ("wav", "pcm", *_CODECS)


def wav(sound: Sound) -> bytes:
    """A WAV file: 44 bytes of header, then the samples."""
    size, rate = len(sound.pcm), sound.rate
    header = _HEADER.pack(
        b"RIFF", 36 + size, b"WAVE", b"fmt ", 16, 1, 1, rate, rate * 2, 2, 16, b"data", size
    )  # fmt: skip
    return header + sound.pcm


def encode(sound: Sound, form: str) -> bytes:
    """The bytes of a file in one of FORMATS. Raises UnknownAudio for another one, SpeechUnusable where it breaks."""
    if form == "wav":
        return wav(sound)
    if form == "pcm":
        return sound.pcm
    if form not in _CODECS:
        raise UnknownAudio(f"speech cannot be written as {form!r}", f"known are {', '.join(FORMATS)}")
    try:
        import av
    except ImportError as error:
        raise SpeechMissing(f"{form} cannot be written: PyAV is not installed", ADD_EXTRAS) from error
    container, codec = _CODECS[form]
    written = io.BytesIO()
    with as_unusable(f"speech cannot be written as {form}"), av.open(written, "w", format=container) as file:
        stream = file.add_stream(codec, rate=_OPUS_RATE if form == "opus" else sound.rate, layout="mono")
        assert isinstance(stream, av.AudioStream)
        frame = av.AudioFrame.from_ndarray(np.frombuffer(sound.pcm, "<i2").reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate = sound.rate
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            file.mux(packet)
    return written.getvalue()
