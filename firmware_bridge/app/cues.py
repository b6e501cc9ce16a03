"""The short sound that says that a reply is coming, where its first sound is expected late."""

from __future__ import annotations

import asyncio

from firmware_bridge.app.pace import Pace
from firmware_bridge.contracts import Sound
from firmware_bridge.errors import BridgeError
from firmware_bridge.speech import Mouth


class Cues:
    """One for each rate, made by `tasks`. `after_seconds` of expected wait one is offered; with 0 never."""

    def __init__(self, words: str, after_seconds: float, pace: Pace, tasks: asyncio.TaskGroup) -> None:
        self._words = words
        self._after_seconds = after_seconds
        self._pace = pace
        self._tasks = tasks
        self._made: dict[int, asyncio.Task[Sound | None]] = {}

    async def cue(self, rate: int) -> Sound | None:
        """The cue, if this is the time for one and it is there, or about to be."""
        if not self._is_late or rate not in self._made:
            return None
        return await asyncio.shield(self._made[rate])

    def make(self, mouth: Mouth, rate: int) -> None:
        """For the exchanges to come, once the first sound came late: this one would only wait for it."""
        if self._is_late and rate not in self._made:
            self._made[rate] = self._tasks.create_task(self._spoken(mouth, rate), name="cue")

    @property
    def _is_late(self) -> bool:
        return 0 < self._after_seconds <= self._pace.expected

    async def _spoken(self, mouth: Mouth, rate: int) -> Sound | None:
        try:
            pieces = [sound.pcm async for sound in mouth.read(self._words, rate)]
        except BridgeError:
            del self._made[rate]  # the next exchange tries again
            return None
        return Sound(b"".join(pieces), rate)
