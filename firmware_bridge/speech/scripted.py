"""Speech without weights, for tests and soak runs: a tone is what was said, and every text becomes a tone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.contracts import ModelState
from firmware_bridge.lane import ComputeLane
from firmware_bridge.speech.ears import Ears
from firmware_bridge.speech.mouth import Mouth
from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.samples import HEARING_RATE, Samples, loudness

_FRAME = 512
_AUDIBLE_DB = -40.0
_SECONDS_A_WORD = 0.3


class ScriptedTranscriber:
    """Hears what `script` makes of the samples and hints; `calls` keeps the hints of each call."""

    def __init__(self, script: Callable[[Samples, Sequence[str]], Transcript], longest_seconds: float = 14.5) -> None:
        self._script = script
        self._longest_seconds = longest_seconds
        self.calls: list[tuple[str, ...]] = []

    @property
    def longest_seconds(self) -> float:
        return self._longest_seconds

    def transcribe(self, samples: Samples, hints: Sequence[str]) -> Generator[None, None, Transcript]:
        self.calls.append(tuple(hints))
        yield
        return self._script(samples, hints)


class LoudnessDetector:
    """Whatever is loud is speech."""

    @property
    def frame_samples(self) -> int:
        return _FRAME

    def begin(self) -> LoudnessDetector:
        return self

    def likelihoods(self, frames: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.array([float(loudness(frame) > _AUDIBLE_DB) for frame in frames], np.float32)


class ToneSynthesiser:
    """A tone as long as the words would take; `texts` keeps what it was given, `asked` is set by the first."""

    def __init__(self, rate: int = HEARING_RATE) -> None:
        self._rate = rate
        self.texts: list[str] = []
        self.asked = threading.Event()

    @property
    def rate(self) -> int:
        return self._rate

    def synthesise(self, text: str, *, soon: bool = False) -> Iterator[Samples]:
        """A piece for each word with `soon`, else one."""
        self.texts.append(text)
        self.asked.set()
        moments = np.arange(int(len(text.split()) * _SECONDS_A_WORD * self._rate)) / self._rate
        sound = (0.3 * np.sin(2 * np.pi * 220 * moments)).astype(np.float32)
        yield from np.array_split(sound, len(text.split()) or 1) if soon else [sound]


class ScriptedEngines:
    """Ears that hear by script, and a mouth of tones."""

    def __init__(self, lane: ComputeLane, transcriber: ScriptedTranscriber, synthesiser: ToneSynthesiser) -> None:
        self._ears = Ears(lane, transcriber, LoudnessDetector())
        self._mouth = Mouth(lane, synthesiser)

    @property
    def enabled(self) -> bool:
        return True

    def shown(self) -> list[ModelState]:
        return [ModelState(role, "scripted", "ready") for role in ("hearing", "listening", "speaking")]

    async def ears(self) -> Ears:
        return self._ears

    async def mouth(self) -> Mouth:
        return self._mouth
