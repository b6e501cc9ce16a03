"""What devices on a cable meet."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import Heard, TurnEvent, VoiceEvent


class Companion(Protocol):
    """What a device needs of the running companion."""

    def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]: ...

    def listen(self, heard: Heard, pieces: AsyncIterator[bytes], rate: int) -> AsyncIterator[VoiceEvent]:
        """As `talk`, for speech as it arrives: PCM16, mono, `rate` samples a second. `heard.text` is empty."""

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None: ...

    async def is_welcome(self, device_id: str) -> bool:
        """Whether it may talk. Raises EdgeMemoryError."""

    async def key_for(self, device_id: str, *, has_key: bool) -> str | None:
        """A new token for the device, once the owner wants it paired. `has_key`: it says that it has one, which may be
        worth nothing any more.
        """
