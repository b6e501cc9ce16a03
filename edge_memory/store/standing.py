"""What may come to mind without being asked for: what always holds, and what is used most."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

from edge_memory.records import Record
from edge_memory.store.connection import Connection
from edge_memory.store.finding import in_order
from edge_memory.store.summaries import base_memory
from edge_memory.store.visible import CONDITION, Visible

_MOST_HARD = 200
_MOST_USED = 32


@dataclass(frozen=True, slots=True)
class Standing:
    """`hard` are the records of high and critical priority, newest first; `used` are in the order of their uses; `base`
    is the base memory document.
    """

    hard: tuple[Record, ...] = ()
    used: tuple[Record, ...] = ()
    base: str = ""


def standing(connection: Connection, visible: Visible) -> Standing:
    """A bounded number of each, however much is remembered: both have an index of their own."""
    return Standing(
        _select(connection, visible, "priority IN ('critical', 'high')", "id DESC", _MOST_HARD),
        _select(connection, visible, "reinforcement > 0", "reinforcement DESC, id DESC", _MOST_USED),
        base_memory(connection, visible.user_id).content,
    )


def overtaken(connection: Connection, turn_ids: Collection[str]) -> frozenset[str]:
    """Which of these turns told only what is not believed any more, or not yet."""
    rows = connection.execute(
        "SELECT source_turn_id FROM records WHERE source_turn_id IN (SELECT value FROM json_each(?))"
        " GROUP BY source_turn_id HAVING max(status = 'active') = 0",
        (json.dumps(list(turn_ids)),),
    )
    return frozenset(str(row[0]) for row in rows)


def _select(connection: Connection, visible: Visible, which: str, order: str, limit: int) -> tuple[Record, ...]:
    rows = connection.execute(
        f"SELECT id FROM records WHERE status = 'active' AND {which} AND {CONDITION} ORDER BY {order} LIMIT :limit",
        visible.parameters() | {"limit": limit},
    )
    return tuple(in_order(connection, [row[0] for row in rows]))
