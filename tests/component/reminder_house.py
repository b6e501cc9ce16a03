"""What the tests of reminders share: a machine that can be rebooted, and one reminder."""

from __future__ import annotations

from pathlib import Path

from memory_house import Clock

from edge_memory.clock import BootTime
from edge_memory.memory import Memory
from edge_memory.reminders import Wish
from firmware_bridge.contracts import ReminderDue

CAT = Wish("owner", "feed the cat", "desk")
NOON = 1_793_448_000.0  # 2026-10-31 12:00:00 UTC
FEED = ReminderDue(3, "feed the cat", NOON)


class Boot:
    """A machine that is up; `reboot` starts it anew."""

    def __init__(self) -> None:
        self.now = BootTime("boot1", 1_000.0)

    def __call__(self) -> BootTime:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now = BootTime(self.now.boot_id, self.now.seconds + seconds)

    def reboot(self) -> None:
        self.now = BootTime("boot2", 5.0)


def remember(folder: Path, clock: Clock, boot: Boot) -> Memory:
    return Memory(folder / "memory.db", serve=True, clock=clock, boot=boot)


async def due(memory: Memory) -> list[str]:
    return [reminder.text for reminder in await memory.reminders.due()]
