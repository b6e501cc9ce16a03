"""One stretch of speech on its way to the device, from `tts start` to `tts stop`. Born, spoken, dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from firmware_bridge.contracts import Sound
from firmware_bridge.device.xiaozhi import messages
from firmware_bridge.device.xiaozhi.framing import pack
from firmware_bridge.device.xiaozhi.messages import FRAME_MS
from firmware_bridge.device.xiaozhi.pacing import FRAME_SECONDS, Pacer

_SETTLING_SECONDS = 0.1  # the firmware throws frames away until its state has become "speaking"
_DRAINING_SECONDS = 2 * FRAME_SECONDS


class Line(Protocol):
    """The socket. What is sent when the device has gone is lost without an error."""

    async def send_text(self, text: str) -> None: ...

    async def send_binary(self, data: bytes) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Channel:
    """A line with what every message on it needs: the talk's id, and the version of binary frames."""

    line: Line
    session_id: str
    version: int = 1

    async def send(self, text: str) -> None:
        await self.line.send_text(text)


class Encoder(Protocol):
    def encode(self, sound: Sound) -> Iterator[bytes]:
        """The Opus packets that become whole."""

    def rest(self) -> Iterator[bytes]:
        """What is left, filled up with silence."""


class Passage:
    def __init__(self, channel: Channel, encoder: Encoder) -> None:
        self._channel = channel
        self._encoder = encoder
        self._pacer = Pacer()
        self._frames = 0
        self._settled_at = 0.0
        self._is_hushed = False
        self.has_shown = False

    async def begin(self) -> None:
        await self._channel.send(messages.tts(self._channel.session_id, "start"))
        self._settled_at = _now() + _SETTLING_SECONDS

    async def show(self, text: str) -> None:
        """What the device shows while the sound that follows plays."""
        self.has_shown = True
        await self._turn()
        await self._channel.send(messages.tts(self._channel.session_id, "sentence_start", text))

    async def speak(self, sound: Sound) -> None:
        """Returns when its last frame has left, which is shortly before the device plays it."""
        if sound.text and not self._is_hushed:
            await self.show(sound.text)
        for packet in self._encoder.encode(sound):
            if self._is_hushed:
                return
            await self._send(packet)

    def hush(self) -> None:
        """No more sound leaves; what is being spoken ends."""
        self._is_hushed = True

    async def finish(self) -> None:
        """Returns when the device has played everything, and was told that this is all."""
        for packet in self._encoder.rest():
            await self._send(packet)
        queued = self._pacer.queued(_now())
        if queued:
            await asyncio.sleep(queued + _DRAINING_SECONDS)
        await self.stop()

    async def stop(self) -> None:
        """Nothing follows: the device drops what it has not played."""
        await self._channel.send(messages.tts(self._channel.session_id, "stop"))

    async def _send(self, packet: bytes) -> None:
        await self._turn()
        await self._channel.line.send_binary(pack(self._channel.version, packet, self._frames * FRAME_MS))
        self._frames += 1
        self._pacer.sent(_now())

    async def _turn(self) -> None:
        """Waits until the next frame may leave."""
        now = _now()
        wait = max(self._settled_at - now, self._pacer.wait(now))
        if wait > 0:
            await asyncio.sleep(wait)


def _now() -> float:
    """Seconds of the clock by which the event loop sleeps."""
    return asyncio.get_running_loop().time()
