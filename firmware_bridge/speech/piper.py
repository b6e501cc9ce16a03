"""Piper, a neural voice on ONNX Runtime. The package piper-tts is GPL-3.0-or-later: it comes only with the extra.

Its network first works out what is to be heard, frame by frame, and then makes the sound of the frames. The second half
sees only some frames to each side, so the beginning of a text can be heard before the rest of it is made.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.speech.native import open_session
from firmware_bridge.speech.parting import parted
from firmware_bridge.speech.samples import Samples

if TYPE_CHECKING:
    import onnxruntime

_AROUND = 12  # frames to each side that the sound of a frame goes by: 11 in a voice of medium quality
_FIRST_FRAMES = 26  # 0.3 s
_MARGIN = 1.5  # of the time that a piece plays, for making the next one
_NEWEST_SHARE = 0.3  # of the newest measurement in an average
_SOFT = 0.8  # of full scale; louder sound is bent, not cut


class PiperSynthesiser:
    """`path` is the .onnx file of a voice; its .onnx.json lies beside it. Its halves are kept in `cache`; without that,
    or where it has none, all of a text is made at once.
    """

    def __init__(self, path: Path, threads: int = 1, cache: Path | None = None) -> None:
        from piper import PiperVoice
        from piper.config import PiperConfig

        config = PiperConfig.from_dict(json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8")))
        self._sounding: _Sounding | None = None
        if cache is not None and (halves := parted(path, cache)):
            frames, sound = halves
            self._voice = PiperVoice(session=open_session(frames, threads), config=config)
            self._sounding = _Sounding(open_session(sound, threads), config.hop_length, self.rate)
        else:
            self._voice = PiperVoice(session=open_session(path, threads), config=config)
        self._peak = 0.0  # of what was made lately

    @property
    def rate(self) -> int:
        return int(self._voice.config.sample_rate)

    def synthesise(self, text: str, *, soon: bool = False) -> Iterator[Samples]:
        for phonemes in filter(None, self._voice.phonemize(text)):
            made = np.asarray(self._voice.phoneme_ids_to_audio(self._voice.phonemes_to_ids(phonemes)), np.float32)
            if self._sounding is None:
                yield from self._levelled([made])
            else:
                yield from self._levelled(self._sounding.pieces(made, soon=soon))
            soon = False

    def _levelled(self, pieces: Iterable[Samples]) -> Iterator[Samples]:
        """As loud as what was said lately, since nobody knows yet how loud the rest of it is."""
        loudest = gain = 0.0
        for piece in pieces:
            loudest = max(loudest, float(np.abs(piece).max(initial=0.0)))
            gain = gain or 1 / max(self._peak, loudest, 0.05)
            yield _softened(piece * np.float32(gain))
        self._peak += (loudest - self._peak) * (_NEWEST_SHARE if self._peak else 1.0)


class _Sounding:
    """The half of the network that makes sound of frames."""

    def __init__(self, session: onnxruntime.InferenceSession, frame_samples: int, rate: int) -> None:
        self._session = session
        self._joint = session.get_inputs()[0].name
        self._frame = frame_samples
        self._frame_seconds = frame_samples / rate
        self._pace = 0.0  # seconds of work for a second of sound

    def pieces(self, frames: NDArray[np.float32], *, soon: bool) -> Iterator[Samples]:
        """The sound of (values, frames), with a short piece first where the machine keeps up with its playing."""
        count = frames.shape[-1]
        begin, length = 0, self._reach(_FIRST_FRAMES) and _FIRST_FRAMES if soon else count
        while begin < count:
            length = length if length and begin + length + _AROUND < count else count - begin
            yield self._made(frames, begin, begin + length)
            begin, length = begin + length, self._reach(length)

    def _reach(self, playing: int) -> int:
        """How many frames can be made while so many play; 0 where those are too few to go on with."""
        if not self._pace:
            return 0
        reach = int(playing / (_MARGIN * self._pace)) - 2 * _AROUND
        return reach if reach >= playing else 0

    def _made(self, frames: NDArray[np.float32], begin: int, end: int) -> Samples:
        began = time.perf_counter()
        first, last = max(0, begin - _AROUND), min(frames.shape[-1], end + _AROUND)
        (sound,) = self._session.run(None, {self._joint: frames[None, :, first:last]})
        pace = (time.perf_counter() - began) / ((last - first) * self._frame_seconds)
        self._pace += (pace - self._pace) * (_NEWEST_SHARE if self._pace else 1.0)
        return np.asarray(sound.reshape(-1)[(begin - first) * self._frame : (end - first) * self._frame], np.float32)


def _softened(samples: Samples) -> Samples:
    """What is louder than `_SOFT` is brought below 1 along a curve without a corner."""
    over = np.abs(samples) > _SOFT
    if over.any():
        loud = samples[over]
        samples[over] = np.sign(loud) * (_SOFT + (1 - _SOFT) * np.tanh((np.abs(loud) - _SOFT) / (1 - _SOFT)))
    return samples
