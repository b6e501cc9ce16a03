"""How loud a device speaks, by voice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from edge_memory.memory import Memory
from edge_memory.records import Message, UserTurn
from firmware_bridge.turn.commands import Spoken
from firmware_bridge.turn.tongue import tongue_of


class Loudness(Protocol):
    """The volumes of devices, in percent."""

    def volume(self, device_id: str) -> int: ...

    def set_volume(self, device_id: str, percent: int) -> bool:
        """Whether the device heard of it."""


class VolumeCommand:
    def __init__(self, loudness: Loudness) -> None:
        self._loudness = loudness

    async def __call__(self, memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
        tongue, device = tongue_of(memory.language), turn.device_id
        percent = tongue.wanted_percent(turn.text, 0 if device is None else self._loudness.volume(device))
        if percent is None:
            return None
        if device is None:
            return Spoken(tongue.phrases.no_volume_here)
        if not self._loudness.set_volume(device, percent):
            return Spoken(tongue.phrases.cannot_change_volume)
        return Spoken(tongue.phrases.volume.format(percent=percent) if percent else tongue.phrases.quiet)
