"""The vectors of the records that can be recalled, all of one embedder."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from edge_memory.errors import ModelUnavailable
from edge_memory.protocols import Embedder, Vectors
from edge_memory.store.connection import Connection
from edge_memory.store.visible import CONDITION, Visible

_FEW = 5
_NAME, _DIMENSION = "embedder name", "embedder dimension"


def use_embedder(connection: Connection, embedder: Embedder) -> None:
    """Prepares the file for the vectors of this embedder.

    Vectors of two embedders are never mixed: after a change all are dropped, `without_vector` lists
    every record again, and recall goes by words until they are back.
    """
    if are_of(connection, embedder):
        return
    connection.execute("DROP TABLE IF EXISTS record_vectors")
    connection.execute(
        f"CREATE VIRTUAL TABLE record_vectors USING vec0 ("
        f"record_id INTEGER PRIMARY KEY, embedding float[{int(embedder.dimension)}] distance_metric=cosine)"
    )
    connection.execute(
        "INSERT INTO meta (name, value) VALUES (?, ?), (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (_NAME, embedder.name, _DIMENSION, str(embedder.dimension)),
    )


def stored_embedder(connection: Connection) -> tuple[str, int] | None:
    """Name and dimension of the embedder that made the vectors, None before the first."""
    stored = dict(connection.execute("SELECT name, value FROM meta WHERE name IN (?, ?)", (_NAME, _DIMENSION)))
    return (stored[_NAME], int(stored[_DIMENSION])) if stored else None


def are_of(connection: Connection, embedder: Embedder | None) -> bool:
    """Whether the stored vectors are of this embedder, so that its own may be compared with and added to them."""
    return embedder is not None and stored_embedder(connection) == (embedder.name, embedder.dimension)


def put(connection: Connection, record_id: int, vector: Vectors) -> None:
    """Stores or replaces. Raises ModelUnavailable for a vector that is not of length 1."""
    if not np.isclose(np.linalg.norm(vector), 1.0, atol=1e-3):
        raise ModelUnavailable("the embedder returned a vector that is not of length 1")
    remove(connection, record_id)
    connection.execute(
        "INSERT INTO record_vectors (record_id, embedding) VALUES (?, ?)",
        (record_id, np.ascontiguousarray(vector, dtype=np.float32).tobytes()),
    )


def remove(connection: Connection, record_id: int) -> None:
    if _have_table(connection):
        connection.execute("DELETE FROM record_vectors WHERE record_id = ?", (record_id,))


def nearest(connection: Connection, query: Vectors, visible: Visible, limit: int) -> list[tuple[int, float]]:
    """Record ids with their cosine similarity, nearest first. `query` has shape (dimension,)."""
    if not _have_table(connection):
        return []
    rows = connection.execute(
        "SELECT record_id, distance FROM record_vectors WHERE embedding MATCH :query AND k = :limit"
        f" AND record_id IN (SELECT id FROM records WHERE {CONDITION}) ORDER BY distance",
        {"query": np.ascontiguousarray(query, dtype=np.float32).tobytes(), "limit": limit} | visible.parameters(),
    )
    return [(record_id, 1.0 - distance) for record_id, distance in rows]


def within(connection: Connection, query: Vectors, visible: Visible, distance: float) -> list[int]:
    """Ids of the few records nearest to a vector that are within this cosine distance."""
    return [record_id for record_id, cosine in nearest(connection, query, visible, _FEW) if 1.0 - cosine <= distance]


def without_vector(connection: Connection, limit: int) -> list[tuple[int, str]]:
    """Ids and texts of recallable records that have no vector yet, oldest first."""
    return list(
        connection.execute(
            "SELECT id, text FROM records WHERE status IN ('active', 'pending', 'archived')"
            " AND id NOT IN (SELECT record_id FROM record_vectors) ORDER BY id LIMIT ?",
            (limit,),
        )
    )


def drop_unrecallable(connection: Connection, record_ids: Sequence[int]) -> None:
    """Takes out the vectors of those of these records that may no longer be recalled."""
    rows = connection.execute(
        "SELECT id FROM records WHERE id IN (SELECT value FROM json_each(?))"
        " AND status NOT IN ('active', 'pending', 'archived')",
        (json.dumps(list(record_ids)),),
    ).fetchall()
    for (record_id,) in rows:
        assert isinstance(record_id, int)
        remove(connection, record_id)


def count(connection: Connection) -> int:
    if not _have_table(connection):
        return 0
    return int(connection.execute("SELECT count(*) FROM record_vectors").get)


def _have_table(connection: Connection) -> bool:
    """Asked in SQL: apsw's `table_exists` does not see what another connection has made since."""
    return connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'record_vectors'").fetchone() is not None
