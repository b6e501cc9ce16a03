"""What a ranker needs to know of many records, without reading each of them whole."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

from edge_memory.records import Layer, Status
from edge_memory.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Facets:
    """`about` holds the words of tags, scope, slot and kind."""

    id: int
    text: str
    about: str
    status: Status
    importance: float
    updated_at: float
    layer: Layer


def of(connection: Connection, record_ids: Collection[int]) -> list[Facets]:
    """Ids that do not exist are left out."""
    rows = connection.execute(
        "SELECT id, text, concat_ws(' ', tags, scope, key, kind), status, importance, updated_at, layer FROM records"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(record_ids)),),
    )
    return [
        Facets(identity, text, about, Status(status), importance, updated_at, Layer(layer))
        for identity, text, about, status, importance, updated_at, layer in rows
    ]
