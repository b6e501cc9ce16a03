"""Samples: what all of speech computes with, and the changes of rate and width between it and the outside."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.contracts import Sound

Samples: TypeAlias = NDArray[np.float32]  # one channel, -1 to 1
HEARING_RATE = 16_000  # samples a second that recognisers and the voice-activity detector take
_FULL_SCALE = 32_768.0
_SILENCE_DB = -100.0


def resampled(samples: Samples, rate: int, wanted: int) -> Samples:
    """The same sound at another rate, band-limited (soxr, high quality)."""
    if rate == wanted or not len(samples):
        return samples
    import soxr

    return np.asarray(soxr.resample(samples, rate, wanted, quality="HQ"), dtype=np.float32)


def from_pcm16(pcm: bytes) -> Samples:
    """Little-endian 16-bit samples; an odd last byte is dropped."""
    return np.frombuffer(pcm[: len(pcm) & ~1], dtype="<i2").astype(np.float32) / np.float32(_FULL_SCALE)


def to_pcm16(samples: Samples) -> bytes:
    scaled = np.clip(np.nan_to_num(samples) * _FULL_SCALE, -_FULL_SCALE, _FULL_SCALE - 1)
    return bytes(scaled.round().astype("<i2").tobytes())


def as_sound(samples: Samples, rate: int, wanted: int | None = None) -> Sound:
    """Samples as they leave the room, at `wanted` samples a second."""
    return Sound(to_pcm16(resampled(samples, rate, wanted or rate)), wanted or rate)


class SoundStream:
    """As `as_sound`, of samples that come piece by piece, without a seam between the pieces."""

    def __init__(self, rate: int, wanted: int) -> None:
        self._wanted = wanted
        self._resampler = None
        if rate != wanted:
            import soxr

            self._resampler = soxr.ResampleStream(rate, wanted, 1, dtype="float32", quality="HQ")

    def feed(self, samples: Samples, *, last: bool = False) -> Sound:
        """What can be heard now, possibly nothing; after the `last` piece nothing is left."""
        if self._resampler is not None:
            samples = np.asarray(self._resampler.resample_chunk(samples, last=last), dtype=np.float32)
        return Sound(to_pcm16(samples), self._wanted)


def loudness(samples: Samples) -> float:
    """Root mean square in dB relative to full scale; -100 for digital silence."""
    if not len(samples):
        return _SILENCE_DB
    mean_square = float(np.mean(np.square(samples, dtype=np.float64)))
    return max(_SILENCE_DB, 10 * np.log10(mean_square)) if mean_square > 0 else _SILENCE_DB
