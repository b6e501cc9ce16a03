"""The running companion as a device on a cable meets it: whoever holds the cable is let in, without a token."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from typing import Protocol

from edge_memory.devices import Devices
from edge_memory.errors import EdgeMemoryError
from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import (
    AudioFormat,
    AudioKind,
    Heard,
    Recording,
    TurnEvent,
    VoiceEvent,
)
from firmware_bridge.errors import NotPaired
from firmware_bridge.rate import READINGS_FOR_A_TURN, Rate
from firmware_bridge.web.bodies import parse_readings

_log = logging.getLogger(__name__)
_SOUND_RATE = 16_000  # samples a second; a cable at 115,200 baud is slower than sound anyway


class Conversing(Protocol):
    def converse(self, heard: Heard, recording: Recording, rate: int | None = None) -> AsyncGenerator[VoiceEvent]: ...


class Talker(Protocol):
    def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]: ...

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None: ...

    @property
    def voice(self) -> Conversing: ...


class CabledCompanion:
    """Paired devices talk for their owner and in their own session; others for the owner, in one named after them.
    Those that were revoked are refused until they are paired anew.
    """

    def __init__(self, companion: Talker, devices: Devices, turns_per_minute: int = 0) -> None:
        """`turns_per_minute` of one device; 0 for any."""
        self._companion = companion
        self._devices = devices
        self._turns, self._readings = Rate(turns_per_minute), Rate(turns_per_minute * READINGS_FOR_A_TURN)

    async def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]:
        """Raises TooOften, NotPaired, and as `Dialogue.talk`."""
        self._turns.charge(heard.session_id)
        async for event in self._companion.talk(await self._known(heard)):
            yield event

    async def listen(self, heard: Heard, pieces: AsyncIterator[bytes], rate: int) -> AsyncIterator[VoiceEvent]:
        """Its button tells where the utterance ends. Raises TooOften, NotPaired, and as `Voice.converse`."""
        self._turns.charge(heard.session_id)
        heard = await self._known(heard)
        recording = Recording(pieces, AudioFormat(AudioKind.PCM16, rate))
        async with aclosing(self._companion.voice.converse(heard, recording, _SOUND_RATE)) as events:
            async for event in events:
                yield event

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None:
        """Raises TooOften, NotPaired and BadRequest."""
        self._readings.charge(device_id)
        await self._check_welcome(device_id)
        await self._companion.sense(device_id, parse_readings(readings))

    async def is_welcome(self, device_id: str) -> bool:
        return device_id not in await self._devices.revoked()

    async def key_for(self, device_id: str, *, has_key: bool) -> str | None:
        try:
            return await self._devices.pair_by_cable(device_id, has_key=has_key)
        except EdgeMemoryError as error:
            _log.warning("device %s on a cable asks for a key: %s; %s", device_id, error.message, error.hint)
            return None

    async def _check_welcome(self, device_id: str) -> None:
        if not await self.is_welcome(device_id):
            raise NotPaired("this device was revoked", f"pair it anew with: lobug devices pair --cable {device_id}")

    async def _known(self, heard: Heard) -> Heard:
        await self._check_welcome(heard.device_id or heard.session_id)
        paired = [device for device in await self._devices.all() if device.device_id == heard.device_id]
        return replace(heard, user_id=paired[0].user_id, session_id=paired[0].session_id) if paired else heard
