"""The mouth: written text in, sound out, piece by piece."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np

from firmware_bridge.clauses import ClauseCutter
from firmware_bridge.contracts import Sound
from firmware_bridge.errors import BridgeError
from firmware_bridge.lane import ComputeLane, Priority
from firmware_bridge.speech.breaking import as_unusable
from firmware_bridge.speech.protocols import Synthesiser
from firmware_bridge.speech.samples import Samples, SoundStream
from firmware_bridge.speech.spoken import spoken

_PAUSE_SECONDS, _BREATH_SECONDS = 0.12, 0.03  # after a mark, and between two words of one sentence
_MOST_READY = 4  # clauses whose first sound is kept

T = TypeVar("T")


class Mouth:
    """Needs the lane to be open. `rate` asks for samples a second; None takes the voice's own. Raises SpeechUnusable
    when the voice breaks.
    """

    def __init__(self, lane: ComputeLane, synthesiser: Synthesiser, language: str = "en") -> None:
        self._lane = lane
        self._synthesiser = synthesiser
        self._language = language
        self._ready: dict[tuple[str, int | None], _Saying] = {}  # what was prepared

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
        """Speaks a text while it is being written: each clause as soon as it is complete, the first of them piece by
        piece. The first sound of a clause has its text.
        """
        soon = True
        async for clause in _clauses(written):
            async for sound in self._say(clause, rate, soon=soon):
                yield sound
                soon = False

    async def prepare(self, beginning: str, rate: int | None = None) -> bool:
        """Makes the first sound of what may soon be spoken, in idle time; False if there is none."""
        cutter = ClauseCutter()
        clause = next(iter(cutter.feed(beginning)), "") or cutter.rest()
        words = spoken(clause, self._language)
        if words:
            saying = self._ready.setdefault((words, rate), _Saying(self._synthesiser, words, rate, soon=True))
            while len(self._ready) > _MOST_READY:
                del self._ready[next(iter(self._ready))]
            try:
                await self._made(Priority.PREFILL, saying.begin)
            except BridgeError:
                self._ready.pop((words, rate), None)  # who speaks it tries anew
                raise
        return bool(words)

    async def _say(self, clause: str, rate: int | None, *, soon: bool) -> AsyncIterator[Sound]:
        words = spoken(clause, self._language)
        if not words:
            return
        saying = self._ready.pop((words, rate), None) or _Saying(self._synthesiser, words, rate, soon=soon)
        text = clause
        while (sound := saying.made() or await self._made(Priority.SPEECH, saying.next)) is not None:
            yield replace(sound, text=text)
            text = ""

    async def _made(self, priority: Priority, work: Callable[[], T]) -> T:
        """Raises SpeechUnusable."""
        with as_unusable("the voice broke"):
            return await self._lane.run(priority, work)


class _Saying:
    """One clause on its way to sound. `begin` and `next` compute: for the lane."""

    def __init__(self, voice: Synthesiser, words: str, rate: int | None, *, soon: bool) -> None:
        self._made: deque[Sound] = deque()
        self._pieces = self._sounds(voice, words, rate, soon=soon)
        self._has_begun = False

    def begin(self) -> None:
        """Makes the first piece, unless somebody was quicker."""
        if not self._has_begun and (sound := self.next()) is not None:
            self._made.append(sound)

    def made(self) -> Sound | None:
        """What is made already, without waiting."""
        return self._made.popleft() if self._made else None

    def next(self) -> Sound | None:
        """The next piece; None after the last."""
        self._has_begun = True
        return self.made() or next(self._pieces, None)

    @staticmethod
    def _sounds(voice: Synthesiser, words: str, rate: int | None, *, soon: bool) -> Iterator[Sound]:
        goes_on = words[-1].isalnum()  # with a comma it does not sound as if that was all
        seconds = _BREATH_SECONDS if goes_on else _PAUSE_SECONDS
        pause: Samples = np.zeros(int(seconds * voice.rate), np.float32)
        pieces = voice.synthesise(f"{words}," if goes_on else words, soon=soon)
        stream = SoundStream(voice.rate, rate or voice.rate)
        if not soon:
            yield stream.feed(np.concatenate([*pieces, pause]), last=True)
            return
        for piece in pieces:
            if (sound := stream.feed(piece)).pcm:
                yield sound
        yield stream.feed(pause, last=True)


async def _clauses(written: AsyncIterable[str]) -> AsyncIterator[str]:
    cutter = ClauseCutter()
    async for text in written:
        for clause in cutter.feed(text):
            yield clause
    if clause := cutter.rest():
        yield clause
