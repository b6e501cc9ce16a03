"""What is worked out while a speaker pauses, in case that was all: the words, and how the reply to them begins.

It is dropped when they go on, and leaves nothing behind. What it was right about is there when the utterance ends.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from firmware_bridge.speech import Catch, Listening, Transcript

_PAUSE_SECONDS = 0.06  # after which a speaker may have ended: two frames; of 39 recordings 30 have such a pause within
_EARLY_SECONDS = 0.5  # that sound may come before its time and still count as being recorded just now
Hear = Callable[[Catch], Awaitable[Transcript]]
GoOn = Callable[[Catch, Transcript], Awaitable[bool]]
Patience = Callable[[Transcript, bool], float | None]


@dataclass(slots=True)
class _Guess:
    catch: Catch
    hearing: asyncio.Task[Transcript]
    preparing: asyncio.Task[None] | None = None
    patience: float | None = None  # seconds of silence that end it, where its words are known to ask for others


class Foresight:
    """For one recording, as it arrives. `hear` makes words of a catch, `go_on` does what else can be done with them and
    says whether they can be answered at once; it must raise nothing. `patience` tells how many seconds of silence end
    such words, which can be answered at once or not; None where that is as usual.
    """

    def __init__(self, hear: Hear, go_on: GoOn, patience: Patience, *, enabled: bool) -> None:
        self._hear = hear
        self._go_on = go_on
        self._patience = patience
        self._enabled = enabled
        self._began = time.perf_counter()
        self._guess: _Guess | None = None

    def follow(self, listening: Listening) -> None:
        """To be called after each piece: begins a guess in a pause, drops it when somebody speaks. An utterance that
        sounds whole and can be answered ends soon, one that breaks off late; who speaks on before is heard to the end.
        """
        if listening.silent_seconds < _PAUSE_SECONDS:
            self.drop()
        elif self._enabled and self._guess is None and self._is_now(listening.seconds):
            self._make(listening.caught())
        elif self._guess is not None and self._guess.patience is not None:
            listening.end_after(self._guess.patience)

    async def transcript(self, catch: Catch) -> Transcript:
        """The words of what was caught in the end."""
        if self._guess is not None and not _is_same(self._guess.catch, catch):
            self.drop()
        if self._guess is None:
            return await self._hear(catch)
        return await self._guess.hearing

    def rest(self) -> None:
        """What was to be prepared is done by others now."""
        if self._guess is not None and self._guess.preparing is not None:
            self._guess.preparing.cancel()

    def drop(self) -> None:
        self.rest()
        if self._guess is not None:
            self._guess.hearing.cancel()
            self._guess = None

    def _is_now(self, seconds: float) -> bool:
        """A finished recording comes faster than anybody speaks; the pauses in it are no ends."""
        return seconds <= time.perf_counter() - self._began + _EARLY_SECONDS

    def _make(self, catch: Catch) -> None:
        if not catch.utterance.is_speech:
            return
        hearing = asyncio.create_task(self._heard(catch), name="hearing in a pause")
        hearing.add_done_callback(_seen)
        guess = self._guess = _Guess(catch, hearing)
        guess.preparing = asyncio.create_task(self._prepare(guess), name="preparing")

    async def _heard(self, catch: Catch) -> Transcript:
        return await self._hear(catch)

    async def _prepare(self, guess: _Guess) -> None:
        await asyncio.wait([guess.hearing])
        if guess.hearing.cancelled() or guess.hearing.exception() is not None:
            return
        transcript = guess.hearing.result()
        guess.patience = self._patience(transcript, False)
        guess.patience = self._patience(transcript, await self._go_on(guess.catch, transcript))


def _is_same(guessed: Catch, caught: Catch) -> bool:
    """Whatever ended the utterance, and however much silence was kept after it."""
    return (guessed.utterance.begin, guessed.utterance.last) == (caught.utterance.begin, caught.utterance.last)


def _seen(task: asyncio.Task[Transcript]) -> None:
    """A guess that failed and that nobody asks for fails silently; the utterance is then heard anew."""
    if not task.cancelled():
        task.exception()
