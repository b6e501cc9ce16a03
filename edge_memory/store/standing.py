"""What may come to mind without being asked for: what always holds, and what is used most."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from edge_memory.records import Kind, Layer, Record
from edge_memory.store import records
from edge_memory.store.connection import Connection
from edge_memory.store.summaries import base_memory
from edge_memory.store.visible import CONDITION, Visible

_MOST_HARD = 200
_MOST_USED = 32
_ID, _KIND, _LAYER, _SCOPE, _REINFORCEMENT, _CREATED, _LAST_USED = (
    records.NAMES.index(name)
    for name in ("id", "kind", "layer", "scope", "reinforcement", "created_at", "last_used_at")
)


@dataclass(frozen=True, slots=True)
class Used:
    """A record of which mostly no more is wanted than how much it is on the mind."""

    row: Sequence[Any]

    @property
    def id(self) -> int:
        return int(self.row[_ID])

    @property
    def kind(self) -> Kind:
        return Kind(self.row[_KIND])

    @property
    def layer(self) -> Layer:
        return Layer(self.row[_LAYER])

    @property
    def scope(self) -> str:
        return str(self.row[_SCOPE])

    @property
    def reinforcement(self) -> int:
        return int(self.row[_REINFORCEMENT])

    @property
    def touched_at(self) -> float:
        """When it was made or last used."""
        return max(float(self.row[_CREATED]), float(self.row[_LAST_USED] or 0.0))

    def record(self) -> Record:
        return records.from_row(self.row)


@dataclass(frozen=True, slots=True)
class Standing:
    """`hard` are the records of high and critical priority, newest first; `used` are in the order of their uses; `base`
    is the base memory document.
    """

    hard: tuple[Record, ...] = ()
    used: tuple[Used, ...] = ()
    base: str = ""


def standing(connection: Connection, visible: Visible) -> Standing:
    """A bounded number of each, however much is remembered: both have an index of their own."""
    return Standing(
        tuple(
            map(
                records.from_row,
                _select(connection, visible, "priority IN ('critical', 'high')", "id DESC", _MOST_HARD),
            )
        ),
        tuple(map(Used, _select(connection, visible, "reinforcement > 0", "reinforcement DESC, id DESC", _MOST_USED))),
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


def _select(connection: Connection, visible: Visible, which: str, order: str, limit: int) -> Iterator[Sequence[Any]]:
    return connection.execute(
        f"SELECT {records.COLUMNS} FROM records"
        f" WHERE status = 'active' AND {which} AND {CONDITION} ORDER BY {order} LIMIT :limit",
        visible.parameters() | {"limit": limit},
    )
