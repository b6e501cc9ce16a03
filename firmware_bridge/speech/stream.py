"""Recordings that arrive in pieces of any size."""

from __future__ import annotations

from collections.abc import AsyncIterator

import numpy as np

from firmware_bridge.contracts import AudioFormat
from firmware_bridge.errors import ADD_EXTRAS, AudioTooLong, SpeechMissing
from firmware_bridge.speech.decoding import check_shape, mixed
from firmware_bridge.speech.samples import HEARING_RATE, Samples, from_pcm16

_LARGEST_RECORDING = 16 << 20  # bytes; two minutes of stereo at 48 kHz with 24 bits fit in it


class PcmStream:
    """From little-endian 16-bit samples to 16 kHz. Raises BadAudio for a rate or channels that are not taken."""

    def __init__(self, given: AudioFormat) -> None:
        check_shape(given.rate, given.channels)
        self._channels = given.channels
        self._left = b""
        self._resampler = None
        if given.rate != HEARING_RATE:
            try:
                import soxr
            except ImportError as error:
                raise SpeechMissing("sound cannot be resampled: soxr is missing", ADD_EXTRAS) from error
            self._resampler = soxr.ResampleStream(given.rate, HEARING_RATE, 1, dtype="float32")

    def feed(self, piece: bytes) -> Samples:
        """What can be heard now; a cut sample waits for its rest."""
        data = self._left + piece
        whole = len(data) // (2 * self._channels) * (2 * self._channels)
        self._left = data[whole:]
        samples = mixed(from_pcm16(data[:whole]), self._channels)
        if self._resampler is None:
            return samples
        return np.asarray(self._resampler.resample_chunk(samples), dtype=np.float32)


async def gathered(pieces: AsyncIterator[bytes]) -> bytes:
    """All of a recording. Raises AudioTooLong for one that is larger than anybody speaks."""
    data = bytearray()
    async for piece in pieces:
        data += piece
        if len(data) > _LARGEST_RECORDING:
            raise AudioTooLong(
                f"this is more than {_LARGEST_RECORDING >> 20} MB of audio", "send one utterance at a time"
            )
    return bytes(data)
