"""The job that gives records and turns their vectors, in batches, after a change of embedder too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from edge_memory.errors import ModelUnavailable
from edge_memory.protocols import Embedder, Purpose, Vectors
from edge_memory.store import Connection, Store, Transaction, jobs, records, turn_index, vectors
from edge_memory.store.vectors import Source

_BATCH = 16


class Embedding:
    def __init__(self, store: Store, embedder: Embedder | None) -> None:
        self._store = store
        self._embedder = embedder

    async def embed_missing(self, payload: Mapping[str, Any]) -> Transaction[None]:
        """The job `embed`: the next batch without vectors, records first; leaves itself again while there are more."""
        embedder = self._embedder
        if embedder is None:
            raise ModelUnavailable("no embedder")
        await self._store.write(lambda connection: vectors.use_embedder(connection, embedder))
        source, batch = await self._store.read(_next_batch)
        made = await _vectors_of(embedder, list(batch.values()))

        def effect(connection: Connection) -> None:
            current = _texts(connection, source, list(batch))
            for (source_id, texts), vector in zip(batch.items(), made, strict=True):
                if current.get(source_id) == texts:  # else it changed meanwhile, and the next batch has it
                    vectors.put(connection, source_id, vector, source)
            if source is Source.RECORD:
                vectors.drop_unrecallable(connection, list(batch))
            if _next_batch(connection)[1]:
                jobs.enqueue(connection, jobs.JobKind.EMBED, "records", {}, 0.0)

        return effect


async def _vectors_of(embedder: Embedder, batch: Sequence[tuple[str, ...]]) -> list[Vectors]:
    """One for each: its text's vector, or the mean of its texts' vectors in length 1."""
    rows = iter(await embedder.embed([text for texts in batch for text in texts], Purpose.DOCUMENT))
    return [_mean([next(rows) for _ in texts]) for texts in batch]


def _mean(rows: Sequence[Vectors]) -> Vectors:
    vector: Vectors = np.sum(rows, axis=0)
    return rows[0] if len(rows) == 1 else vector / np.linalg.norm(vector)


def _next_batch(connection: Connection) -> tuple[Source, dict[int, tuple[str, ...]]]:
    """Ids, and the texts that the vector of each is made of; empty when everything has its vector."""
    waiting = vectors.without_vector(connection, _BATCH)
    if waiting:
        return Source.RECORD, {record_id: (text,) for record_id, text in waiting}
    ids = turn_index.without_vector(connection, _BATCH)
    return Source.TURN, _texts(connection, Source.TURN, ids)


def _texts(connection: Connection, source: Source, source_ids: list[int]) -> dict[int, tuple[str, ...]]:
    """What these say now."""
    if source is Source.RECORD:
        return {record.id: (record.text,) for record in records.get_many(connection, source_ids).values()}
    return turn_index.embedded_texts(connection, source_ids)
