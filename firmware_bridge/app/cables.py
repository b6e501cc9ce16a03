"""The running companion as a device on a cable meets it: whoever holds the cable is let in, without a token."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Protocol

from edge_memory.devices import Devices
from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import Heard, TurnEvent
from firmware_bridge.errors import NoSpeech
from firmware_bridge.web.bodies import parse_readings


class Talker(Protocol):
    def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]: ...

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None: ...


class CabledCompanion:
    """Paired devices talk for their owner and in their own session; others for the owner, in one named after them."""

    def __init__(self, companion: Talker, devices: Devices) -> None:
        self._companion = companion
        self._devices = devices

    async def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]:
        async for event in self._companion.talk(await self._known(heard)):
            yield event

    def listen(self, heard: Heard, pcm: bytes, rate: int) -> AsyncIterator[TurnEvent]:
        raise NoSpeech("this companion has no ears yet", "send text")

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None:
        """Raises BadRequest."""
        await self._companion.sense(device_id, parse_readings(readings))

    async def _known(self, heard: Heard) -> Heard:
        paired = [device for device in await self._devices.all() if device.device_id == heard.device_id]
        return replace(heard, user_id=paired[0].user_id, session_id=paired[0].session_id) if paired else heard
