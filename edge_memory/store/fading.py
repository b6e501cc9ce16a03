"""What consolidation looks for: repeats, records that fade, records that keep coming back."""

from __future__ import annotations

from dataclasses import dataclass

from edge_memory.store.connection import Connection

_SPARED = "confidence >= 0.9 OR priority IN ('critical', 'high') OR layer = 'working'"
_TOUCHED = "max(created_at, coalesce(last_used_at, 0))"


@dataclass(frozen=True, slots=True)
class Fading:
    """An active record that nothing protects, with what tells how strong it still is."""

    record_id: int
    key: str | None
    touched_at: float
    reinforcement: int


def repeats(connection: Connection) -> list[tuple[int, tuple[int, ...]]]:
    """The oldest of each group of active records that say exactly the same in one place, with the others."""
    rows = connection.execute(
        "SELECT group_concat(id) FROM (SELECT * FROM records WHERE status = 'active'"
        " AND layer IN ('profile', 'semantic') ORDER BY id)"
        " GROUP BY user_id, session_id, scope, layer, lower(text) HAVING count(*) > 1"
    )
    groups = [sorted(map(int, str(row[0]).split(","))) for row in rows]
    return [(group[0], tuple(group[1:])) for group in sorted(groups)]


def unprotected(connection: Connection, touched_before: float) -> list[Fading]:
    """Active records that are neither confirmed nor important, last used or made before a time; the oldest first."""
    rows = connection.execute(
        f"SELECT id, key, {_TOUCHED}, reinforcement FROM records WHERE status = 'active' AND NOT ({_SPARED})"
        f" AND {_TOUCHED} < ? ORDER BY {_TOUCHED}, id",
        (touched_before,),
    )
    return [Fading(*row) for row in rows]


def recurring(connection: Connection, reinforcement: int, less_sure_than: float) -> list[int]:
    """Active records that came back this often and are less sure than they might be."""
    rows = connection.execute(
        "SELECT id FROM records WHERE status = 'active' AND reinforcement >= ? AND confidence < ? ORDER BY id",
        (reinforcement, less_sure_than),
    )
    return [row[0] for row in rows]


def count_active(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM records WHERE status = 'active'").get)
