"""Opus packets without a container, as devices send and play them, through FFmpeg's libopus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from firmware_bridge.contracts import Sound
from firmware_bridge.errors import ADD_EXTRAS, BadAudio, SpeechMissing
from firmware_bridge.speech.samples import as_sound, from_pcm16

DECODED_RATE = 48_000  # samples a second that libopus decodes to, whatever it was encoded from
_BITS_A_SECOND = 24_000
_EFFORT = "5"  # of 10; a Pi encodes a frame of 60 ms in about a millisecond


class OpusDecoder:
    """One stream of packets. Raises SpeechMissing where PyAV is not installed."""

    def __init__(self) -> None:
        self._av = _pyav()
        self._codec = self._av.CodecContext.create("libopus", "r")
        self._codec.layout = "mono"
        self._codec.sample_rate = DECODED_RATE

    def decode(self, packet: bytes) -> bytes:
        """PCM16 of one channel at DECODED_RATE. Raises BadAudio; the next packet may be right again."""
        if not packet:  # FFmpeg would take it for the end of the stream
            raise BadAudio("an empty Opus packet", "send what the encoder made")
        try:
            frames = self._codec.decode(self._av.Packet(packet))
        except self._av.FFmpegError as error:
            raise BadAudio(f"this is no Opus packet ({error})", "send Opus of one channel") from error
        return b"".join(frame.to_ndarray().astype("<i2").tobytes() for frame in frames)


class OpusEncoder:
    """Sounds of any rate and length to packets of one length. Raises SpeechMissing."""

    def __init__(self, rate: int, frame_ms: int) -> None:
        self._av = _pyav()
        self._rate = rate
        self._frame_bytes = rate * frame_ms // 1000 * 2
        self._left = b""
        self._at = 0
        self._codec = self._av.CodecContext.create("libopus", "w")
        self._codec.sample_rate, self._codec.layout, self._codec.format = rate, "mono", "s16"
        self._codec.bit_rate = _BITS_A_SECOND
        self._codec.options = {"frame_duration": str(frame_ms), "application": "voip", "compression_level": _EFFORT}
        self._codec.open()

    def encode(self, sound: Sound) -> Iterator[bytes]:
        """The packets that become whole, each computed when it is asked for; what is left waits for more."""
        if sound.rate != self._rate:
            sound = as_sound(from_pcm16(sound.pcm), sound.rate, self._rate)
        waiting = self._left + sound.pcm
        whole = len(waiting) // self._frame_bytes * self._frame_bytes
        self._left = waiting[whole:]
        for begin in range(0, whole, self._frame_bytes):
            yield from self._packets(waiting[begin : begin + self._frame_bytes])

    def rest(self) -> Iterator[bytes]:
        """What is left, filled up with silence."""
        return self.encode(Sound(bytes(-len(self._left) % self._frame_bytes), self._rate))

    def _packets(self, pcm: bytes) -> list[bytes]:
        samples = np.frombuffer(pcm, "<i2").reshape(1, -1)
        frame = self._av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
        frame.sample_rate, frame.pts = self._rate, self._at
        self._at += samples.shape[1]
        return [bytes(packet) for packet in self._codec.encode(frame)]


def _pyav() -> Any:
    try:
        import av
    except ImportError as error:
        raise SpeechMissing("Opus needs PyAV, which is not installed", ADD_EXTRAS) from error
    return av
