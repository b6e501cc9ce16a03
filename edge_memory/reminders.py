"""Reminders and timers: kept in the file, right across restarts, jumps of the clock and changes of the time zone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from edge_memory.clock import BootTime
from edge_memory.errors import TooManyReminders
from edge_memory.store import Store, reminders
from edge_memory.store.reminders import NewReminder, ReminderKind, StoredReminder

_LATEST_SECONDS = 24 * 3_600.0  # what is later than this is not told any more: it was missed, or the clock is wrong
_MOST_WAITING = 200
_MOST_SHOWN = 1_000


@dataclass(frozen=True, slots=True)
class Wish:
    """Who wants to be told what, and the turn in which they said so."""

    user_id: str
    text: str
    device_id: str | None = None
    turn_id: str | None = None


@dataclass(frozen=True, slots=True)
class Reminder:
    """`due_at` is Unix time by today's clock and zone. `state`: waiting, missed, rung, cancelled."""

    id: int
    user_id: str
    device_id: str | None
    kind: ReminderKind
    text: str
    due_at: float
    state: str
    rung_at: float | None


class Reminders:
    def __init__(self, store: Store, clock: Callable[[], float], boot: Callable[[], BootTime]) -> None:
        self._store = store
        self._clock = clock
        self._boot = boot

    async def at(self, wish: Wish, local_time: datetime) -> Reminder:
        """An alarm at a local time, without zone: six stays six where the user goes. Raises TooManyReminders."""
        due = _unix(local_time)
        told = local_time.isoformat(timespec="seconds")
        return await self._add(wish, ReminderKind.ALARM, told, None, None, due)

    async def after(self, wish: Wish, seconds: float) -> Reminder:
        """A timer. Raises TooManyReminders."""
        boot = self._boot()
        due = self._clock() + seconds
        return await self._add(wish, ReminderKind.TIMER, None, boot.boot_id, boot.seconds + seconds, due)

    async def waiting(self, user_id: str) -> list[Reminder]:
        """Soonest first, with those that were missed."""
        found = await self._store.read(lambda connection: reminders.waiting(connection, user_id))
        return sorted(self._seen(found), key=lambda reminder: reminder.due_at)

    async def all(self, user_id: str | None = None) -> list[Reminder]:
        """Newest first, also those that rang or were cancelled; None means everybody's."""
        return self._seen(await self._store.read(lambda connection: reminders.newest(connection, user_id, _MOST_SHOWN)))

    async def due(self) -> list[Reminder]:
        """What has to be told now, soonest first."""
        now = self._clock()
        found = self._seen(await self._store.read(reminders.waiting))
        ready = [reminder for reminder in found if reminder.state == "waiting" and reminder.due_at <= now]
        return sorted(ready, key=lambda reminder: reminder.due_at)

    async def rung(self, reminder: Reminder) -> None:
        """It was told."""
        now = self._clock()
        await self._store.write(lambda connection: reminders.mark_rung(connection, reminder.id, now))

    async def not_rung(self, reminder_id: int) -> None:
        """It did not arrive after all, and is due again."""
        await self._store.write(lambda connection: reminders.mark_waiting(connection, reminder_id))

    async def cancel(self, ids: Sequence[int]) -> int:
        """Returns how many of these were waiting."""
        return await self._store.write(lambda connection: reminders.cancel(connection, ids))

    async def _add(
        self,
        wish: Wish,
        kind: ReminderKind,
        local_time: str | None,
        boot_id: str | None,
        boot_due: float | None,
        wall_due: float,
    ) -> Reminder:
        who = (wish.user_id, wish.device_id, wish.turn_id)
        new = NewReminder(*who, kind, wish.text, local_time, boot_id, boot_due, wall_due)
        if len(await self.waiting(wish.user_id)) >= _MOST_WAITING:
            raise TooManyReminders(f"{_MOST_WAITING} reminders are waiting", "cancel some: lobug reminders list")
        now = self._clock()
        return self._seen([await self._store.write(lambda connection: reminders.add(connection, new, now))])[0]

    def _seen(self, rows: Sequence[StoredReminder]) -> list[Reminder]:
        """With due times by the clock and the zone of now."""
        time.tzset()  # the zone may have been changed while we run
        now, boot = self._clock(), self._boot()
        return [_seen(row, now, boot) for row in rows]


def _seen(row: StoredReminder, now: float, boot: BootTime) -> Reminder:
    due = row.wall_due
    if row.local_time is not None:
        due = _unix(datetime.fromisoformat(row.local_time))
    elif row.boot_due is not None and row.boot_id == boot.boot_id:
        due = now + row.boot_due - boot.seconds
    missed = row.state == "waiting" and now - due > _LATEST_SECONDS
    state = "missed" if missed else row.state
    return Reminder(row.id, row.user_id, row.device_id, row.kind, row.text, due, state, row.rung_at)


def _unix(local_time: datetime) -> float:
    """By the zone of now; a local time that summer time skips is the one after the gap."""
    return local_time.replace(tzinfo=None).timestamp()
