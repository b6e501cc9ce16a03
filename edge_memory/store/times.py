"""When everything was dated: the newest time, and dating anew what a wrong clock dated."""

from __future__ import annotations

import json
from dataclasses import asdict

from edge_memory.clock import Shift, Stretch
from edge_memory.store import turn_index
from edge_memory.store.connection import Connection

_STRETCH = "clock"
_WHEN = {
    "conversation_log": ("created_at",),
    "records": ("created_at", "updated_at", "last_used_at", "valid_from", "valid_to", "event_time"),
    "fact_history": ("at",),
    "memory_summaries": ("created_at",),
    "memory_base": ("created_at",),
    "profiles": ("created_at",),
    "jobs": ("created_at",),
    "sensor_log": ("created_at",),
    "reminders": ("created_at", "rung_at"),
    "devices": ("paired_at",),
    "pairing": ("opened_at",),
    "revoked_devices": ("revoked_at",),
}  # of what has happened; when a reminder is due, it works out itself


def newest(connection: Connection) -> float | None:
    """Of the newest turn; None before the first."""
    found = connection.execute("SELECT created_at FROM conversation_log ORDER BY id DESC LIMIT 1").get
    return None if found is None else float(str(found))


def stretch(connection: Connection) -> Stretch | None:
    """What `keep_stretch` kept."""
    found = connection.execute("SELECT value FROM meta WHERE name = ?", (_STRETCH,)).get
    return None if found is None else Stretch(**json.loads(str(found)))


def keep_stretch(connection: Connection, now: Stretch | None) -> None:
    """See `HouseClock.start`."""
    connection.execute("DELETE FROM meta WHERE name = ?", (_STRETCH,))
    if now is not None:
        connection.execute("INSERT INTO meta (name, value) VALUES (?, ?)", (_STRETCH, json.dumps(asdict(now))))


def put_right(connection: Connection, shift: Shift) -> None:
    """Every row keeps its place; only what was dated within `shift` is dated anew."""
    window = (shift.by, shift.since, shift.until)
    guard = "SELECT sql FROM sqlite_schema WHERE name = 'fact_history_append_only'"
    append_only = str(connection.execute(guard).get)
    connection.execute("DROP TRIGGER fact_history_append_only")
    for table, columns in _WHEN.items():
        for column in columns:
            connection.execute(f"UPDATE {table} SET {column} = {column} + ?1 WHERE {column} BETWEEN ?2 AND ?3", window)
    connection.execute(append_only)
    connection.execute(
        "UPDATE meta SET value = CAST(value AS REAL) + ?1 WHERE name LIKE 'last %'"
        " AND CAST(value AS REAL) BETWEEN ?2 AND ?3",
        window,
    )
    dated = "SELECT id FROM conversation_log WHERE role = 'user' AND created_at BETWEEN ?2 + ?1 AND ?3 + ?1"
    for (identity,) in connection.execute(dated, window).fetchall():
        turn_index.index(connection, int(str(identity)))
    keep_stretch(connection, None)
