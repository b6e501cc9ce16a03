"""What the device's microphone sends: decoded as it arrives, cut into what each listening hears."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import Protocol

from firmware_bridge.errors import BadAudio

_log = logging.getLogger(__name__)
_PRE_ROLL_FRAMES = 5  # kept from before a listening began: its `start` may come after the first syllable
_PRE_ROLL_SECONDS = 0.6  # what came earlier belongs to something else
_MOST_FRAMES_A_SECOND = 200  # of 60 ms; a network that stood still brings some seconds at once
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
        self.was_heard = False  # some of it

    async def pieces(self) -> AsyncIterator[bytes]:
        while True:
            while self._waiting:
                self.was_heard = True
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
        self._before: deque[tuple[float, bytes]] = deque(maxlen=_PRE_ROLL_FRAMES)
        self._utterance: Utterance | None = None
        self._damaged = 0
        self._second_began = 0.0
        self._frames = 0  # in this second

    def add(self, packet: bytes) -> None:
        """A packet that cannot be decoded is a hole, no reason to end the talk; so is what comes far too fast."""
        now = time.monotonic()
        if now - self._second_began >= 1:
            self._second_began, self._frames = now, 0
        self._frames += 1
        if self._frames > _MOST_FRAMES_A_SECOND:
            return
        try:
            pcm = self._decoder.decode(packet)
        except BadAudio as error:
            self._damaged += 1
            _log.log(logging.INFO if self._damaged == 1 else logging.DEBUG, "%s", error.message)
            return
        self._before.append((now, pcm))
        if self._utterance is not None:
            self._utterance.add(pcm)

    def listen(self, *, going_on: bool = False) -> Utterance:
        """A new utterance. One that goes on begins with what the last one left unheard, else with the pre-roll."""
        if going_on and self._utterance is not None:
            begun_with = self._utterance.unheard()
        else:
            since = time.monotonic() - _PRE_ROLL_SECONDS
            begun_with = [pcm for at, pcm in self._before if at > since]
        self._before.clear()
        self._utterance = Utterance(begun_with)
        return self._utterance

    def rest(self) -> None:
        """Nobody listens any more."""
        self._utterance = None

    def forget(self) -> None:
        """What came up to now was the wake word."""
        self._before.clear()
