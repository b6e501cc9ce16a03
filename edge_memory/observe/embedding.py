"""The job that gives records their vectors, in batches, after a change of embedder too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_memory.errors import ModelUnavailable
from edge_memory.protocols import Embedder, Purpose
from edge_memory.store import Connection, Store, Transaction, jobs, records, vectors

_BATCH = 16


class Embedding:
    def __init__(self, store: Store, embedder: Embedder | None) -> None:
        self._store = store
        self._embedder = embedder

    async def embed_missing(self, payload: Mapping[str, Any]) -> Transaction[None]:
        """The job `embed`: the next batch of records without a vector; leaves itself again while there are more."""
        embedder = self._embedder
        if embedder is None:
            raise ModelUnavailable("no embedder")
        await self._store.write(lambda connection: vectors.use_embedder(connection, embedder))
        batch = await self._store.read(lambda connection: vectors.without_vector(connection, _BATCH))
        rows = await embedder.embed([text for _, text in batch], Purpose.DOCUMENT)

        def effect(connection: Connection) -> None:
            current = records.get_many(connection, [record_id for record_id, _ in batch])
            for (record_id, text), row in zip(batch, rows, strict=True):
                if current[record_id].text == text:  # else it changed meanwhile, and the next batch has it
                    vectors.put(connection, record_id, row)
            vectors.drop_unrecallable(connection, [record_id for record_id, _ in batch])
            if vectors.without_vector(connection, 1):
                jobs.enqueue(connection, jobs.JobKind.EMBED, "records", {}, 0.0)

        return effect
