"""Counts of everything in the file, for people and for `/health`."""

from __future__ import annotations

from typing import Any

from edge_memory.records import Status
from edge_memory.store import conversation, jobs, measures, records, summaries, vectors
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
        **_ages(connection),
        "vectors": vectors.count(connection),
        "turn_vectors": vectors.count(connection, vectors.Source.TURN),
        "embedder": embedder[0] if embedder else None,
        "summaries": summaries.count(connection, user_id),
        "base_memory_version": summaries.base_memory(connection, user_id).version,
        "jobs_pending": work.pending,
        "jobs_by_kind": jobs.pending_by_kind(connection),
        "jobs_failed": work.parked,
        "failed_jobs": jobs.parked(connection),
        "metrics": measures.metrics(connection),
    }


def _ages(connection: Connection) -> dict[str, Any]:
    """Of what is believed: how much belongs to one session and how much to all, its mean importance, the oldest."""
    row = connection.execute(
        "SELECT count(session_id), count(*) - count(session_id), round(avg(importance), 3), min(created_at)"
        " FROM records WHERE status = 'active'"
    ).fetchone()
    names = ("session_records", "global_records", "mean_importance", "oldest_created_at")
    return dict(zip(names, row or (0, 0, None, None), strict=True))
