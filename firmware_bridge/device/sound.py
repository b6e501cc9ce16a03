"""Sound over the link, which loses frames but never asks for them again: holes are silence, credit keeps the pace."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import AsyncIterator, Callable, Iterator

from firmware_bridge.contracts import VoiceEvent as Event
from firmware_bridge.errors import BadMessage

OFFSET = struct.Struct("<I")
_LONGEST_SECONDS = 120
_PORTION = 512  # bytes of sound in a frame: 16 ms at 16 kHz, and small for a microcontroller's buffers


class SoundIn:
    """One utterance, PCM16 with `rate` samples a second, heard by the companion while it arrives.

    `listen` is given its pieces; what it tells is kept until all of the utterance is there.
    """

    def __init__(self, turn_id: str, rate: int, listen: Callable[[AsyncIterator[bytes]], AsyncIterator[Event]]) -> None:
        self.turn_id = turn_id
        self._most = _LONGEST_SECONDS * rate * 2
        self._length = 0
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._is_whole = False
        self._events = listen(self._pieces())
        self._first = asyncio.ensure_future(anext(self._events, None))
        self._first.add_done_callback(_seen)

    def add(self, payload: bytes) -> None:
        """The payload of an audio frame. What is beyond the longest utterance is dropped."""
        if len(payload) < OFFSET.size:
            return
        (begin,) = OFFSET.unpack_from(payload)
        if begin >= self._length and begin + len(payload) - OFFSET.size <= self._most:
            self._give(bytes(begin - self._length) + payload[OFFSET.size :])

    def finish(self, size: int) -> AsyncIterator[Event]:
        """What the companion tells, now that it has all; what was lost is silence. Raises BadMessage for a size that
        cannot be.
        """
        if size > self._most:
            self.break_off()
            raise BadMessage(f"an utterance of {size} bytes", f"at most {_LONGEST_SECONDS} s are taken")
        size -= size % 2
        self._give(bytes(max(0, size - self._length)))
        self._is_whole = True
        self._waiting.put_nowait(None)
        return self._told()

    def break_off(self) -> None:
        """The rest will never come: nothing was said."""
        self._waiting.put_nowait(None)

    def _give(self, pcm: bytes) -> None:
        self._length += len(pcm)
        if pcm:
            self._waiting.put_nowait(pcm)

    async def _pieces(self) -> AsyncIterator[bytes]:
        while (piece := await self._waiting.get()) is not None:
            yield piece
        if not self._is_whole:
            raise BadMessage("the utterance was broken off", "say it again")

    async def _told(self) -> AsyncIterator[Event]:
        event = await self._first
        while event is not None:
            yield event
            event = await anext(self._events, None)


class SoundOut:
    """What the device has granted, and how much of that is used. Offsets count from the beginning of the link."""

    def __init__(self) -> None:
        self.offset = 0
        self._granted = 0
        self._granted_at = time.monotonic()
        self._more = asyncio.Event()

    def grant(self, payload: bytes) -> None:
        """A credit frame: older ones that come late take nothing back."""
        if len(payload) >= OFFSET.size:
            granted = OFFSET.unpack_from(payload)[0]
            if granted > self._granted:
                self._granted, self._granted_at = granted, time.monotonic()
            self._more.set()

    def idle_for(self, now: float) -> float:
        """Seconds since the device granted more."""
        return now - self._granted_at

    async def room(self, wanted: int) -> None:
        """Returns once the device takes this many bytes more."""
        while self.offset + wanted > self._granted:
            self._more.clear()
            await self._more.wait()

    def payload(self, pcm: bytes) -> bytes:
        """The payload of the next audio frame."""
        payload = OFFSET.pack(self.offset) + pcm
        self.offset += len(pcm)
        return payload


def portions(pcm: bytes) -> Iterator[bytes]:
    for begin in range(0, len(pcm), _PORTION):
        yield pcm[begin : begin + _PORTION]


def _seen(task: asyncio.Future[Event | None]) -> None:
    """What fails before the utterance is whole is told when it is, or never."""
    if not task.cancelled():
        task.exception()
