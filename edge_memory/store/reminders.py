"""Rows of reminders: alarms in local time, timers in seconds of a boot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from edge_memory.store.connection import Connection

_COLUMNS = "id, user_id, device_id, turn_id, kind, text, local_time, boot_id, boot_due, wall_due, state, rung_at"


class ReminderKind(StrEnum):
    ALARM = "alarm"
    TIMER = "timer"


@dataclass(frozen=True, slots=True)
class NewReminder:
    """An alarm has `local_time`, ISO 8601 without zone; a timer the boot it was set in and when it is due there.

    `wall_due` is the Unix time at which it is due as far as is known when it is set.
    """

    user_id: str
    device_id: str | None
    turn_id: str | None
    kind: ReminderKind
    text: str
    local_time: str | None
    boot_id: str | None
    boot_due: float | None
    wall_due: float


@dataclass(frozen=True, slots=True)
class StoredReminder(NewReminder):
    id: int
    state: str  # "waiting", "rung", "cancelled"
    rung_at: float | None


def add(connection: Connection, new: NewReminder, now: float) -> StoredReminder:
    """The one that is there already, if its turn was heard before."""
    connection.execute(
        "INSERT INTO reminders (user_id, device_id, turn_id, kind, text, local_time, boot_id, boot_due, wall_due,"
        " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (turn_id) DO NOTHING",
        (
            new.user_id,
            new.device_id,
            new.turn_id,
            new.kind.value,
            new.text,
            new.local_time,
            new.boot_id,
            new.boot_due,
            new.wall_due,
            now,
        ),
    )
    which, value = ("turn_id", new.turn_id) if new.turn_id is not None else ("id", connection.last_insert_rowid())
    row = connection.execute(f"SELECT {_COLUMNS} FROM reminders WHERE {which} = ?", (value,)).fetchone()
    assert row is not None, "it was stored, or there already"
    return _stored(row)


def waiting(connection: Connection, user_id: str | None = None) -> list[StoredReminder]:
    """In the order in which they were set; None means everybody's."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM reminders WHERE state = 'waiting' AND (?1 IS NULL OR user_id = ?1) ORDER BY id",
        (user_id,),
    )
    return [_stored(row) for row in rows]


def newest(connection: Connection, user_id: str | None, limit: int) -> list[StoredReminder]:
    """Also those that rang or were cancelled, newest first; None means everybody's."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM reminders WHERE ?1 IS NULL OR user_id = ?1 ORDER BY id DESC LIMIT ?2",
        (user_id, limit),
    )
    return [_stored(row) for row in rows]


def cancel(connection: Connection, ids: Sequence[int]) -> int:
    """Returns how many of these were waiting."""
    cancelled = 0
    for identity in ids:
        connection.execute("UPDATE reminders SET state = 'cancelled' WHERE id = ? AND state = 'waiting'", (identity,))
        cancelled += connection.changes()
    return cancelled


def mark_rung(connection: Connection, reminder_id: int, now: float) -> None:
    connection.execute(
        "UPDATE reminders SET state = 'rung', rung_at = ? WHERE id = ? AND state = 'waiting'", (now, reminder_id)
    )


def mark_waiting(connection: Connection, reminder_id: int) -> None:
    """Turns `mark_rung` back."""
    connection.execute(
        "UPDATE reminders SET state = 'waiting', rung_at = NULL WHERE id = ? AND state = 'rung'", (reminder_id,)
    )


def erase_told(connection: Connection, user_id: str, turn_ids: set[str], change: Callable[[str], str]) -> None:
    """Takes out those that were set in one of these turns, or whose words `change` would change."""
    rows = connection.execute("SELECT id, turn_id, text FROM reminders WHERE user_id = ?", (user_id,)).fetchall()
    for identity, turn_id, text in rows:
        if turn_id in turn_ids or change(str(text)) != text:
            connection.execute("DELETE FROM reminders WHERE id = ?", (identity,))


def _stored(row: tuple[Any, ...]) -> StoredReminder:
    identity, user_id, device_id, turn_id, kind, text, local_time, boot_id, boot_due, wall_due, state, rung_at = row
    asked = (user_id, device_id, turn_id, ReminderKind(kind), text, local_time, boot_id, boot_due, wall_due)
    return StoredReminder(*asked, id=identity, state=state, rung_at=rung_at)
