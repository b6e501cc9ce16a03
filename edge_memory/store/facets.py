"""What a ranker needs to know of many records, without reading each of them whole."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from edge_memory.store.connection import Connection
from edge_memory.store.visible import CONDITION, Visible


class Facets(NamedTuple):
    """`about` holds the words of tags, scope, slot and kind."""

    id: int
    text: str
    about: str
    is_active: bool
    importance: float
    updated_at: float
    is_procedure: bool


class Looked:
    """The records that one look may see. The row of each is read once, however often it is asked for."""

    def __init__(self, connection: Connection, visible: Visible) -> None:
        self._connection = connection
        self._visible = visible
        self._rows: dict[int, tuple[Any, ...] | None] = {}

    def among(self, record_ids: Sequence[int]) -> set[int]:
        """Which of these may be seen."""
        rows = self._rows
        if new := [record_id for record_id in record_ids if record_id not in rows]:
            rows |= dict.fromkeys(new)
            rows |= {row[0]: row for row in self._read(new)}
        return {record_id for record_id in record_ids if rows[record_id] is not None}

    def facets(self, record_ids: Collection[int]) -> list[Facets]:
        """Of those that may be seen, which `among` told before; in the order of their ids."""
        return [Facets._make(row) for record_id in sorted(record_ids) if (row := self._rows[record_id]) is not None]

    def _read(self, record_ids: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        # CROSS JOIN: from these ids to their rows, never through all rows of the user.
        return self._connection.execute(
            "SELECT records.id, text, concat_ws(' ', tags, scope, records.key, kind), status = 'active', importance,"
            " updated_at, layer = 'procedural' FROM json_each(:ids) AS asked"
            f" CROSS JOIN records ON records.id = asked.value WHERE {CONDITION}",
            {"ids": json.dumps(record_ids)} | self._visible.parameters(),
        )
