"""Counts of everything in the file, for people and for `/health`."""

from __future__ import annotations

from typing import Any

from edge_memory.store import conversation, jobs, measures, records, summaries, vectors
from edge_memory.store.connection import Connection


def vital(connection: Connection, user_id: str) -> dict[str, Any]:
    """What is asked for all the time: counts that SQLite takes from its indices, without reading a row.

    Summaries and base memory are those of one user, the rest is of all.
    """
    work = jobs.counts(connection)
    return {
        "turns": conversation.count_turns(connection),
        "records": records.count_kept(connection),
        "vectors": vectors.count(connection),
        "summaries": summaries.count(connection, user_id),
        "base_memory_version": summaries.base_memory(connection, user_id).version,
        "jobs_pending": work.pending,
        "jobs_by_kind": jobs.pending_by_kind(connection),
        "jobs_failed": work.parked,
    }


def figures(connection: Connection, user_id: str) -> dict[str, Any]:
    """All that can be counted, `vital` among it."""
    by = records.counts(connection)
    embedder = vectors.stored_embedder(connection)
    return vital(connection, user_id) | {
        "by_status": by["status"],
        "by_layer": by["layer"],
        "by_kind": by["kind"],
        **_ages(connection),
        "turn_vectors": vectors.count(connection, vectors.Source.TURN),
        "embedder": embedder[0] if embedder else None,
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
