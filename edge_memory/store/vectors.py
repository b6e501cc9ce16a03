"""The vectors of the records and turns that can be recalled, all of one embedder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum

import numpy as np

from edge_memory.errors import ModelUnavailable
from edge_memory.protocols import Embedder, Vectors
from edge_memory.store.connection import Connection
from edge_memory.store.visible import CONDITION, Visible

_NAME, _DIMENSION = "embedder name", "embedder dimension"
_CHUNK_ROWS = 64  # vectors in one blob; to write one, SQLite walks along the blob's pages
EVERYTHING = 0  # the id under which `changes` says that all vectors of a source are gone


class Source(StrEnum):
    """What a vector is of; its id is that of the record, or of the turn's row in the log."""

    RECORD = "record"
    TURN = "turn"

    @property
    def table(self) -> str:
        return f"{self.value}_vectors"

    @property
    def key(self) -> str:
        return f"{self.value}_id"


def use_embedder(connection: Connection, embedder: Embedder) -> None:
    """Prepares the file for the vectors of this embedder.

    Vectors of two embedders are never mixed: after a change all are dropped, everything is without a
    vector again, and recall goes by words until they are back.
    """
    fits = are_of(connection, embedder)
    for source in Source:
        if fits and _have_table(connection, source):
            continue
        connection.execute(f"DROP TABLE IF EXISTS {source.table}")
        connection.execute(
            f"CREATE VIRTUAL TABLE {source.table} USING vec0 ("
            f"{source.key} INTEGER PRIMARY KEY, embedding float[{int(embedder.dimension)}] distance_metric=cosine,"
            f" chunk_size={_CHUNK_ROWS})"
        )
        connection.execute("DELETE FROM vector_changes WHERE source = ?", (source.value,))
        _note_change(connection, source, EVERYTHING)
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


def put(connection: Connection, source_id: int, vector: Vectors, source: Source = Source.RECORD) -> None:
    """Stores or replaces. Raises ModelUnavailable for a vector that is not of length 1."""
    if not np.isclose(np.linalg.norm(vector), 1.0, atol=1e-3):
        raise ModelUnavailable("the embedder returned a vector that is not of length 1")
    if _holds(connection, source, source_id):
        connection.execute(f"DELETE FROM {source.table} WHERE {source.key} = ?", (source_id,))
    connection.execute(
        f"INSERT INTO {source.table} ({source.key}, embedding) VALUES (?, ?)",
        (source_id, np.ascontiguousarray(vector, dtype=np.float32).tobytes()),
    )
    _note_change(connection, source, source_id)


def remove(connection: Connection, source_id: int, source: Source = Source.RECORD) -> None:
    if _have_table(connection, source) and _holds(connection, source, source_id):
        connection.execute(f"DELETE FROM {source.table} WHERE {source.key} = ?", (source_id,))
        _note_change(connection, source, source_id)


def get(connection: Connection, source_id: int, source: Source) -> bytes | None:
    """The vector's float32 bytes."""
    if not _have_table(connection, source):
        return None
    query = f"SELECT embedding FROM {source.table} WHERE {source.key} = ?"
    row = connection.execute(query, (source_id,)).fetchone()
    return None if row is None else bytes(row[0])


def each(connection: Connection, source: Source) -> Iterator[tuple[int, bytes]]:
    """Every id with its vector's float32 bytes."""
    if _have_table(connection, source):
        yield from connection.execute(f"SELECT {source.key}, embedding FROM {source.table}")


def changes(connection: Connection, source: Source, since: int) -> list[tuple[int, int]]:
    """Number and id of what changed after the change with the number `since`, oldest first."""
    return list(
        connection.execute(
            # "+": from the newest number back, not through every row of the source
            "SELECT number, source_id FROM vector_changes WHERE number > ? AND +source = ? ORDER BY number",
            (since, source.value),
        )
    )


def last_change(connection: Connection) -> int:
    """The number of the newest change of whatever source, 0 when there was none."""
    return int(connection.execute("SELECT coalesce(max(number), 0) FROM vector_changes").get)


def nearest(connection: Connection, query: Vectors, visible: Visible, limit: int) -> list[tuple[int, float]]:
    """Record ids with their cosine similarity, nearest first. `query` has shape (dimension,)."""
    if not _have_table(connection, Source.RECORD):
        return []
    rows = connection.execute(
        "SELECT record_id, distance FROM record_vectors WHERE embedding MATCH :query AND k = :limit"
        f" AND record_id IN (SELECT id FROM records WHERE {CONDITION}) ORDER BY distance",
        {"query": np.ascontiguousarray(query, dtype=np.float32).tobytes(), "limit": limit} | visible.parameters(),
    )
    return [(record_id, 1.0 - distance) for record_id, distance in rows]


def within(connection: Connection, query: Vectors, visible: Visible, distance: float, limit: int) -> list[int]:
    """Ids of those of the `limit` records nearest to a vector that are within this cosine distance."""
    return [record_id for record_id, cosine in nearest(connection, query, visible, limit) if 1.0 - cosine <= distance]


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


def count(connection: Connection, source: Source = Source.RECORD) -> int:
    if not _have_table(connection, source):
        return 0
    # Through vec0 itself it would read every vector.
    return int(connection.execute(f"SELECT count(*) FROM {source.table}_rowids").get)


def _note_change(connection: Connection, source: Source, source_id: int) -> None:
    connection.execute("DELETE FROM vector_changes WHERE source = ? AND source_id = ?", (source.value, source_id))
    connection.execute("INSERT INTO vector_changes (source, source_id) VALUES (?, ?)", (source.value, source_id))


def _holds(connection: Connection, source: Source, source_id: int) -> bool:
    """Asked of vec0's own table of ids: vec0 itself would read the vector."""
    return (
        connection.execute(f"SELECT 1 FROM {source.table}_rowids WHERE rowid = ?", (source_id,)).fetchone() is not None
    )


def _have_table(connection: Connection, source: Source) -> bool:
    """Asked in SQL: apsw's `table_exists` does not see what another connection has made since."""
    query = "SELECT 1 FROM sqlite_schema WHERE name = ?"
    return connection.execute(query, (source.table,)).fetchone() is not None
