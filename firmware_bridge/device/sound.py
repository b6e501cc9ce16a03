"""Sound over the link, which loses frames but never asks for them again: holes are silence, credit keeps the pace."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Iterator

from firmware_bridge.errors import BadMessage

OFFSET = struct.Struct("<I")
_LONGEST_SECONDS = 120
_PORTION = 512  # bytes of sound in a frame: 16 ms at 16 kHz, and small for a microcontroller's buffers


class SoundIn:
    """One utterance as it arrives: PCM16, `rate` samples a second."""

    def __init__(self, turn_id: str, rate: int) -> None:
        self.turn_id = turn_id
        self.rate = rate
        self._most = _LONGEST_SECONDS * rate * 2
        self._pcm = bytearray()

    def add(self, payload: bytes) -> None:
        """The payload of an audio frame. What is beyond the longest utterance is dropped."""
        if len(payload) < OFFSET.size:
            return
        (begin,) = OFFSET.unpack_from(payload)
        end = begin + len(payload) - OFFSET.size
        if end > self._most:
            return
        self._pcm.extend(bytes(max(0, end - len(self._pcm))))
        self._pcm[begin:end] = payload[OFFSET.size :]

    def finish(self, size: int) -> bytes:
        """All of it; what was lost is silence. Raises BadMessage for a size that cannot be."""
        if size > self._most:
            raise BadMessage(f"an utterance of {size} bytes", f"at most {_LONGEST_SECONDS} s are taken")
        size -= size % 2
        return bytes(self._pcm[:size].ljust(size, b"\0"))


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
