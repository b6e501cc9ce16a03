"""What the device's microphone sends: decoded as it arrives, cut into what each listening hears."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator
from typing import Protocol

from firmware_bridge.errors import BadAudio

_log = logging.getLogger(__name__)
_PRE_ROLL_FRAMES = 5  # kept from before a listening began: its `start` may come after the first syllable
_MOST_FRAMES = 2_000  # two minutes that nobody has heard yet


class Decoder(Protocol):
    def decode(self, packet: bytes) -> bytes:
        """PCM16. Raises BadAudio."""


class Utterance:
    """One listening: pieces of PCM16 until `end`."""

    def __init__(self, begun_with: list[bytes]) -> None:
        self._waiting: deque[bytes] = deque(begun_with, _MOST_FRAMES)
        self._changed = asyncio.Event()
        self._ended = False
        self.has_sound = bool(begun_with)

    async def pieces(self) -> AsyncIterator[bytes]:
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            if self._ended:
                return
            self._changed.clear()
            await self._changed.wait()

    def add(self, pcm: bytes) -> None:
        """After `end`, and where far too much waits, it is let go."""
        if self._ended or len(self._waiting) == _MOST_FRAMES:
            return
        self.has_sound = True
        self._waiting.append(pcm)
        self._changed.set()

    def end(self) -> None:
        self._ended = True
        self._changed.set()

    def unheard(self) -> list[bytes]:
        return list(self._waiting)


class Microphone:
    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder
        self._before: deque[bytes] = deque(maxlen=_PRE_ROLL_FRAMES)
        self._utterance: Utterance | None = None
        self._damaged = 0

    def add(self, packet: bytes) -> None:
        """A packet that cannot be decoded is a hole, no reason to end the talk."""
        try:
            pcm = self._decoder.decode(packet)
        except BadAudio as error:
            self._damaged += 1
            _log.log(logging.INFO if self._damaged == 1 else logging.DEBUG, "%s", error.message)
            return
        if self._utterance is None:
            self._before.append(pcm)
        else:
            self._utterance.add(pcm)

    def listen(self, *, going_on: bool = False) -> Utterance:
        """A new utterance. One that goes on begins with what the last one left unheard, else with the pre-roll."""
        last = self._utterance
        begun_with = list(self._before) if last is None else (last.unheard() if going_on else [])
        self._before.clear()
        self._utterance = Utterance(begun_with)
        return self._utterance

    def rest(self) -> None:
        """Nobody listens any more."""
        self._utterance = None

    def forget(self) -> None:
        """What came up to now was the wake word."""
        self._before.clear()
