"""Dates of work that is done every so often. They are in the file, so that a restart does not forget them."""

from __future__ import annotations

from edge_memory.store.connection import Connection


def last_done(connection: Connection, work: str) -> float | None:
    """Unix seconds, None before the first time."""
    found = connection.execute("SELECT value FROM meta WHERE name = ?", (f"last {work}",)).fetchone()
    return None if found is None else float(found[0])


def note_done(connection: Connection, work: str, at: float) -> None:
    connection.execute(
        "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (f"last {work}", str(at)),
    )
