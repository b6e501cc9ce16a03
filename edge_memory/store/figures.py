"""Counts of everything in the file, for people and for `/health`."""

from __future__ import annotations

from typing import Any

from edge_memory.records import Status
from edge_memory.store import conversation, jobs, records, summaries, vectors
from edge_memory.store.connection import Connection


def figures(connection: Connection, user_id: str) -> dict[str, Any]:
    """Summaries and base memory are those of one user, the rest is of all."""
    by = records.counts(connection)
    work = jobs.counts(connection)
    embedder = vectors.stored_embedder(connection)
    return {
        "turns": conversation.count_turns(connection),
        "records": sum(by["status"].values()) - by["status"].get(Status.TOMBSTONED, 0),
        "by_status": by["status"],
        "by_layer": by["layer"],
        "by_kind": by["kind"],
        "vectors": vectors.count(connection),
        "turn_vectors": vectors.count(connection, vectors.Source.TURN),
        "embedder": embedder[0] if embedder else None,
        "summaries": summaries.count(connection, user_id),
        "base_memory_version": summaries.base_memory(connection, user_id).version,
        "jobs_pending": work.pending,
        "jobs_failed": work.parked,
        "failed_jobs": jobs.parked(connection),
    }
