"""What the room needs of an engine. Every method computes: call it in the compute lane."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.speech.samples import Samples


class Hindsight(Protocol):
    """A sound that was heard, and what its recogniser makes of it where it is told of names that may be said."""

    def weigh(self, texts: Sequence[str], hints: Sequence[str]) -> Sequence[float]:
        """The log probability of each text."""

    def readings(self, hints: Sequence[str]) -> Sequence[str]:
        """The likeliest texts, best first."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """What a recogniser understood. `confidence` is the mean log probability of its tokens, 0 at best; `others` are its
    next best readings, likeliest first, of an engine that has any, `behind` how much less likely each is, in nats.
    `hindsight`, of an engine that has it, is of the same sound.
    """

    text: str
    confidence: float
    others: tuple[str, ...] = ()
    behind: tuple[float, ...] = ()
    hindsight: Hindsight | None = field(default=None, compare=False)


class Transcriber(Protocol):
    @property
    def longest_seconds(self) -> float:
        """How much sound it takes at once."""

    def transcribe(self, samples: Samples, hints: Sequence[str]) -> Generator[None, None, Transcript]:
        """The words in 16 kHz samples, in steps after which it may be given up. `hints` are names that may be said; an
        engine may ignore them.
        """


class Synthesiser(Protocol):
    @property
    def rate(self) -> int:
        """Samples a second of what it makes."""

    def synthesise(self, text: str, *, soon: bool = False) -> Iterator[Samples]:
        """The sound of a text that is ready to be spoken, in pieces to be joined, each made when it is asked for. With
        `soon` the first may be short, so that it can be heard before the rest is made.
        """


class Probe(Protocol):
    """Follows one stream of sound."""

    def likelihoods(self, frames: NDArray[np.float32]) -> NDArray[np.float32]:
        """For each row, consecutive in time, how likely it is speech, 0 to 1."""


class VoiceDetector(Protocol):
    @property
    def frame_samples(self) -> int:
        """Samples of 16 kHz in one frame."""

    def begin(self) -> Probe: ...
