"""Durable jobs: rows that wait until their effect is on disk."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from edge_memory.store.connection import Connection


class JobKind(StrEnum):
    OBSERVE = "observe"  # what did this turn state?
    EXTRACT = "extract"  # the same, asked of the model
    AUDIT = "audit"  # what does a record do to the older ones? asked of the model
    EMBED = "embed"  # records without a vector
    SUMMARIZE = "summarize"  # the short-term cascade of a session
    DISTIL = "distil"  # the long-term cascade of a user
    PROFILE = "profile"  # a user's profile, to be stored
    CONSOLIDATE = "consolidate"  # the weekly tidying of all records
    BACKUP = "backup"  # the daily copy of the file
    WIPE = "wipe"  # the end of an erasure: log and copies


@dataclass(frozen=True, slots=True)
class Job:
    id: int
    kind: JobKind
    key: str
    payload: Mapping[str, Any]
    attempts: int


@dataclass(frozen=True, slots=True)
class JobCounts:
    pending: int
    parked: int


def enqueue(connection: Connection, kind: JobKind, key: str, payload: Mapping[str, Any], now: float) -> None:
    """A job whose key already waits is not added twice."""
    connection.execute(
        "INSERT INTO jobs (kind, key, payload, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
        (kind.value, f"{kind.value}:{key}", json.dumps(dict(payload)), now),
    )


def oldest(connection: Connection, kinds: Collection[JobKind], but: Collection[int]) -> Job | None:
    """The oldest pending job of these kinds, except for those with these ids."""
    row = connection.execute(
        "SELECT id, kind, key, payload, attempts FROM jobs WHERE state = 'pending'"
        " AND kind IN (SELECT value FROM json_each(?)) AND id NOT IN (SELECT value FROM json_each(?))"
        " ORDER BY id LIMIT 1",
        (json.dumps(list(kinds)), json.dumps(list(but))),
    ).fetchone()
    if row is None:
        return None
    identity, kind, key, payload, attempts = row
    return Job(identity, JobKind(kind), key, json.loads(payload), attempts)


def drop(connection: Connection, kind: JobKind) -> None:
    """For what was done without waiting for its turn."""
    connection.execute("DELETE FROM jobs WHERE kind = ?", (kind.value,))


def drop_one(connection: Connection, kind: JobKind, key: str) -> None:
    """For what is not to be done any more."""
    connection.execute("DELETE FROM jobs WHERE key = ?", (f"{kind.value}:{key}",))


def finish(connection: Connection, job_id: int) -> bool:
    """False when the job is not there any more: then it must have no effect."""
    connection.execute("DELETE FROM jobs WHERE id = ?", (job_id,))
    return connection.changes() == 1


def no_effect(connection: Connection) -> None:
    """The effect of a job that found nothing to do."""


def fail(connection: Connection, job_id: int, error: str, max_attempts: int) -> bool:
    """Counts a failure. True when that was one too many and the job is parked."""
    connection.execute(
        "UPDATE jobs SET attempts = attempts + 1, error = ?,"
        " state = CASE WHEN attempts + 1 >= ? THEN 'parked' ELSE 'pending' END WHERE id = ?",
        (error, max_attempts, job_id),
    )
    return bool(connection.execute("SELECT state = 'parked' FROM jobs WHERE id = ?", (job_id,)).get)


def retry_parked(connection: Connection) -> int:
    """Gives parked jobs a fresh start. Returns how many."""
    connection.execute("UPDATE jobs SET state = 'pending', attempts = 0 WHERE state = 'parked'")
    return connection.changes()


def counts(connection: Connection) -> JobCounts:
    by_state = dict(connection.execute("SELECT state, count(*) FROM jobs GROUP BY state"))
    return JobCounts(pending=by_state.get("pending", 0), parked=by_state.get("parked", 0))


def pending_by_kind(connection: Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT kind, count(*) FROM jobs WHERE state = 'pending' GROUP BY kind"))


def parked(connection: Connection) -> list[dict[str, Any]]:
    rows = connection.execute("SELECT id, key, attempts, error FROM jobs WHERE state = 'parked' ORDER BY id")
    return [dict(zip(("id", "key", "attempts", "error"), row, strict=True)) for row in rows]


def renew(connection: Connection) -> None:
    """Gives every job a new id, so that one in progress has no effect with what it has read, and is done again. Why it
    failed before is dropped: an error may quote what it was about.
    """
    columns = "kind, key, payload, state, attempts, created_at"
    rows = connection.execute(f"SELECT {columns} FROM jobs ORDER BY id").fetchall()
    connection.execute("DELETE FROM jobs")
    connection.executemany(f"INSERT INTO jobs ({columns}) VALUES (?, ?, ?, ?, ?, ?)", rows)
