"""The job that gives records and turns their vectors, in batches, after a change of embedder too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_memory.errors import ModelUnavailable
from edge_memory.protocols import Embedder, Purpose
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
        rows = await embedder.embed([text for _, text in batch], Purpose.DOCUMENT)

        def effect(connection: Connection) -> None:
            current = _texts(connection, source, [source_id for source_id, _ in batch])
            for (source_id, text), row in zip(batch, rows, strict=True):
                if current.get(source_id) == text:  # else it changed meanwhile, and the next batch has it
                    vectors.put(connection, source_id, row, source)
            if source is Source.RECORD:
                vectors.drop_unrecallable(connection, [record_id for record_id, _ in batch])
            if _next_batch(connection)[1]:
                jobs.enqueue(connection, jobs.JobKind.EMBED, "records", {}, 0.0)

        return effect


def _next_batch(connection: Connection) -> tuple[Source, list[tuple[int, str]]]:
    """Ids and texts, empty when everything has its vector."""
    waiting = vectors.without_vector(connection, _BATCH)
    return (Source.RECORD, waiting) if waiting else (Source.TURN, turn_index.without_vector(connection, _BATCH))


def _texts(connection: Connection, source: Source, source_ids: list[int]) -> dict[int, str]:
    """What these say now."""
    if source is Source.RECORD:
        return {record.id: record.text for record in records.get_many(connection, source_ids).values()}
    said = turn_index.get_many(connection, source_ids).values()
    return {turn.id: turn_index.body(turn.content, turn.speaker) for turn in said}
