"""A record with its words and its vector, and what finds it again."""

from __future__ import annotations

import numpy as np
from memory_house import NOON

from edge_memory.records import Kind, Layer, NewRecord, Status
from edge_memory.scripted import HashEmbedder
from edge_memory.store import Connection, Visible, finding, records, vectors, words
from edge_memory.store.facets import Looked
from edge_memory.store.records import Cause

EVERYTHING = Visible("owner", frozenset(Status))


CAUSE = Cause("insert", "a test", "t1")


EMBEDDER = HashEmbedder(dimension=8)


VECTOR = np.eye(1, 8, dtype=np.float32)[0]


def note(text: str) -> NewRecord:
    return NewRecord(Layer.SEMANTIC, Kind.FACT, text)


def keep_whole(connection: Connection, text: str) -> int:
    """Record, words and vector."""
    vectors.use_embedder(connection, EMBEDDER)
    record = records.insert(connection, note(text), CAUSE, NOON)
    vectors.put(connection, record.id, VECTOR)
    return record.id


def found(connection: Connection, text: str) -> tuple[list[int], list[int], int]:
    """Ids by words and by vector, and how many records there are."""
    by_words = [id_ for id_, _ in words.search(connection, text, Looked(connection, EVERYTHING).among, 10)]
    by_vector = [id_ for id_, _ in vectors.nearest(connection, VECTOR, EVERYTHING, 10)]
    return by_words, by_vector, finding.select(connection, records.Filter(), 10, 0)[1]
