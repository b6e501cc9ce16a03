"""The mouth: written text in, sound out, piece by piece."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import replace

import numpy as np

from firmware_bridge.clauses import ClauseCutter
from firmware_bridge.contracts import Sound
from firmware_bridge.lane import ComputeLane, Priority
from firmware_bridge.speech.protocols import Synthesiser
from firmware_bridge.speech.samples import Samples, as_sound
from firmware_bridge.speech.spoken import spoken

_PAUSE_SECONDS = 0.12  # between two clauses


class Mouth:
    """Needs the lane to be open. `rate` asks for samples a second; None takes the voice's own."""

    def __init__(self, lane: ComputeLane, synthesiser: Synthesiser, language: str = "en") -> None:
        self._lane = lane
        self._synthesiser = synthesiser
        self._language = language

    @property
    def rate(self) -> int:
        return self._synthesiser.rate

    async def read(self, text: str, rate: int | None = None) -> AsyncIterator[Sound]:
        """A whole text, clause by clause."""

        async def once() -> AsyncIterator[str]:
            yield text

        async for sound in self.follow(once(), rate):
            yield sound

    async def follow(self, written: AsyncIterable[str], rate: int | None = None) -> AsyncIterator[Sound]:
        """Speaks a text while it is being written: each clause as soon as it is complete."""
        cutter = ClauseCutter()
        async for text in written:
            for clause in cutter.feed(text):
                if sound := await self._say(clause, rate):
                    yield sound
        if (clause := cutter.rest()) and (sound := await self._say(clause, rate)):
            yield sound

    async def _say(self, clause: str, rate: int | None) -> Sound | None:
        words = spoken(clause, self._language)
        if not words:
            return None
        return replace(await self._lane.run(Priority.SPEECH, lambda: self._make(words, rate)), text=clause)

    def _make(self, words: str, rate: int | None) -> Sound:
        samples = self._synthesiser.synthesise(words)
        pause: Samples = np.zeros(int(_PAUSE_SECONDS * self.rate), np.float32)
        return as_sound(np.concatenate([samples, pause]), self.rate, rate)
