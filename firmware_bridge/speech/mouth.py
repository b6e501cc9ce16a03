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

_PAUSE_SECONDS, _BREATH_SECONDS = 0.12, 0.03  # after a mark, and between two words of one sentence
_MOST_READY = 4  # clauses whose sound is kept


class Mouth:
    """Needs the lane to be open. `rate` asks for samples a second; None takes the voice's own."""

    def __init__(self, lane: ComputeLane, synthesiser: Synthesiser, language: str = "en") -> None:
        self._lane = lane
        self._synthesiser = synthesiser
        self._language = language
        self._ready: dict[tuple[str, int | None], Sound] = {}  # what was prepared

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

    async def prepare(self, beginning: str, rate: int | None = None) -> bool:
        """Makes the sound of the first clause of what may soon be spoken, in idle time; False if there is none."""
        cutter = ClauseCutter()
        clause = next(iter(cutter.feed(beginning)), "") or cutter.rest()
        words = spoken(clause, self._language)
        if words:
            await self._lane.run(Priority.PREFILL, lambda: self._keep(words, rate))
        return bool(words)

    def _keep(self, words: str, rate: int | None) -> None:
        self._ready[words, rate] = self._make(words, rate)
        while len(self._ready) > _MOST_READY:
            del self._ready[next(iter(self._ready))]

    async def _say(self, clause: str, rate: int | None) -> Sound | None:
        words = spoken(clause, self._language)
        if not words:
            return None
        sound = self._ready.pop((words, rate), None)
        if sound is None:
            sound = await self._lane.run(Priority.SPEECH, lambda: self._made(words, rate))
        return replace(sound, text=clause)

    def _made(self, words: str, rate: int | None) -> Sound:
        return self._ready.pop((words, rate), None) or self._make(words, rate)

    def _make(self, words: str, rate: int | None) -> Sound:
        goes_on = words[-1].isalnum()  # with a comma it does not sound as if that was all
        samples = self._synthesiser.synthesise(f"{words}," if goes_on else words)
        seconds = _BREATH_SECONDS if goes_on else _PAUSE_SECONDS
        pause: Samples = np.zeros(int(seconds * self.rate), np.float32)
        return as_sound(np.concatenate([samples, pause]), self.rate, rate)
