"""What may come to mind without being asked for: what always holds, and what is used most."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from edge_memory.records import Record
from edge_memory.store import records
from edge_memory.store.connection import Connection
from edge_memory.store.proposals import is_any_unasked, is_any_waiting
from edge_memory.store.summaries import base_memory
from edge_memory.store.visible import CONDITION, Visible

_MOST_HARD = 200
_MOST_USED = 32
_USED = "id, kind, layer, scope, reinforcement, max(created_at, coalesce(last_used_at, 0.0))"


class Used(NamedTuple):
    """How much a record is on the mind. `touched_at` is when it was made or last used."""

    id: int
    kind: str
    layer: str
    scope: str
    reinforcement: int
    touched_at: float


@dataclass(frozen=True, slots=True)
class Standing:
    """`hard` are the records of high and critical priority, newest first; `mind` is what comes unasked; `base` is the
    base memory document; `waiting` says that something waits for a yes, `unasked` that nobody was asked of some of it.
    """

    hard: tuple[Record, ...] = ()
    mind: tuple[Record, ...] = ()
    base: str = ""
    waiting: bool = False
    unasked: bool = False


def standing(connection: Connection, visible: Visible, choose: Callable[[Sequence[Used]], Sequence[int]]) -> Standing:
    """A bounded number of each, however much is remembered: both have an index of their own. `choose` is given what is
    used most, in the order of its uses, and returns the ids of what is on the mind, in order.
    """
    hard = _select(connection, records.COLUMNS, visible, "priority IN ('critical', 'high')", "id DESC", _MOST_HARD)
    used = _select(connection, _USED, visible, "reinforcement > 0", "reinforcement DESC, id DESC", _MOST_USED)
    chosen = choose([Used._make(row) for row in used])
    mind = records.get_many(connection, chosen) if chosen else {}
    waiting = is_any_waiting(connection, visible.user_id, visible.session_id)
    return Standing(
        tuple(map(records.from_row, hard)),
        tuple(mind[record_id] for record_id in chosen),
        base_memory(connection, visible.user_id).content,
        waiting,
        waiting and is_any_unasked(connection, visible.user_id, visible.session_id),
    )


def overtaken(connection: Connection, turn_ids: Collection[str]) -> frozenset[str]:
    """Which of these turns told only what is not believed any more, or not yet."""
    rows = connection.execute(
        "SELECT source_turn_id FROM records WHERE source_turn_id IN (SELECT value FROM json_each(?))"
        " GROUP BY source_turn_id HAVING max(status = 'active') = 0",
        (json.dumps(list(turn_ids)),),
    )
    return frozenset(str(row[0]) for row in rows)


def _select(
    connection: Connection, columns: str, visible: Visible, which: str, order: str, limit: int
) -> Iterator[tuple[Any, ...]]:
    return connection.execute(
        f"SELECT {columns} FROM records"
        f" WHERE status = 'active' AND {which} AND {CONDITION} ORDER BY {order} LIMIT :limit",
        visible.parameters() | {"limit": limit},
    )
