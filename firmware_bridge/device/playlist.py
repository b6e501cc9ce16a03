"""Sound that waits for a device, in order, and the turns whose sound it shall not hear any more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from firmware_bridge.contracts import PlayAudio

_MOST_WAITING = 64
_LOOK_SECONDS = 1.0


class Playlist:
    """A turn is under way from `begin` to `end`; a hushed one is forgotten once nothing of it can come any more."""

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[PlayAudio] = asyncio.Queue(_MOST_WAITING)
        self._under_way: set[str] = set()
        self._playing: str | None = None
        self._hushed: set[str] = set()

    @property
    def is_empty(self) -> bool:
        return self._waiting.empty()

    def begin(self, turn_id: str) -> None:
        self._under_way.add(turn_id)

    def end(self, turn_id: str) -> None:
        self._under_way.discard(turn_id)
        self._forget(turn_id)

    def hush(self, turn_id: str) -> None:
        self._drop(turn_id)
        if turn_id in self._under_way or turn_id == self._playing:
            self._hushed.add(turn_id)

    def is_hushed(self, turn_id: str | None) -> bool:
        return turn_id in self._hushed

    async def put(self, sound: PlayAudio, plays_nothing: Callable[[], bool]) -> bool:
        """Waits while the device is behind. False when it plays nothing: what waits of this turn is dropped."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._waiting.put(sound)
                    return True
            if plays_nothing():
                self._drop(sound.turn_id)
                return False

    def put_now(self, sound: PlayAudio) -> None:
        """In the place of the oldest, where there is no other."""
        if self._waiting.full():
            self._waiting.get_nowait()
        self._waiting.put_nowait(sound)

    async def next(self) -> PlayAudio:
        """What is to be played now, until `played`."""
        sound = await self._waiting.get()
        self._playing = sound.turn_id
        return sound

    def played(self) -> None:
        turn_id, self._playing = self._playing, None
        if turn_id is not None:
            self._forget(turn_id)

    def _forget(self, turn_id: str) -> None:
        if turn_id not in self._under_way and turn_id != self._playing:
            self._hushed.discard(turn_id)

    def _drop(self, turn_id: str | None) -> None:
        for sound in [self._waiting.get_nowait() for _ in range(self._waiting.qsize())]:
            if sound.turn_id != turn_id:
                self._waiting.put_nowait(sound)
