"""What the companion tells devices on its own account, and who listens for it on which transport."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from firmware_bridge.contracts import Notice, PlayAudio, ReminderDue

_MOST_WAITING = 256


class Listener:
    """One transport's ear for one device. What waits is bounded: the oldest sound is dropped first, then the oldest."""

    def __init__(self, device_id: str) -> None:
        self.device_id = device_id
        self._waiting: deque[Notice] = deque()
        self._arrived = asyncio.Event()

    async def next(self) -> Notice:
        """The oldest notice, waiting for one. Safe to cancel: a notice that was not returned stays."""
        while not self._waiting:
            self._arrived.clear()
            await self._arrived.wait()
        return self._waiting.popleft()

    @property
    def waiting(self) -> int:
        """Notices that `next` would give at once."""
        return len(self._waiting)

    def rest(self) -> list[Notice]:
        """What nobody took any more."""
        return list(self._waiting)

    def _put(self, notice: Notice) -> None:
        if len(self._waiting) >= _MOST_WAITING:
            sound = next((index for index, old in enumerate(self._waiting) if isinstance(old, PlayAudio)), 0)
            del self._waiting[sound]
        self._waiting.append(notice)
        self._arrived.set()


class NoticeBoard:
    """Notices by device. What nobody listens for is gone: whoever must reach a device keeps its notice and retries."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._returned: dict[int, ReminderDue] = {}

    def post(self, notice: Notice, device_id: str | None = None) -> int:
        """To one device, or to all. Returns how many listeners took it; 0 means that it reached nobody."""
        reached = [ear for ear in self._listeners if device_id in (None, ear.device_id)]
        for ear in reached:
            ear._put(notice)
        return len(reached)

    @contextmanager
    def listen(self, device_id: str) -> Iterator[Listener]:
        ear = Listener(device_id)
        self._listeners.append(ear)
        try:
            yield ear
        finally:
            self._listeners.remove(ear)
            self.give_back(ear.rest())

    def give_back(self, notices: Iterable[Notice]) -> None:
        """By a transport whose device left without them, as far as can be known: its reminders are told again."""
        self._returned |= {notice.reminder_id: notice for notice in notices if isinstance(notice, ReminderDue)}

    def returned(self) -> list[ReminderDue]:
        """The reminders that were given back since the last call."""
        returned, self._returned = self._returned, {}
        return list(returned.values())

    def heard_by(self) -> frozenset[str]:
        """The devices that listen now."""
        return frozenset(ear.device_id for ear in self._listeners)
