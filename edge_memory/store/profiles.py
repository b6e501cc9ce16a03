"""The stored profiles of users: what was believed about them at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from edge_memory.store.connection import Connection

_MOST_VERSIONS = 20


@dataclass(frozen=True, slots=True)
class StoredProfile:
    """`content` is a profile as plain JSON; `confidence` the mean of what it holds; `created_at` Unix seconds."""

    version: int
    content: dict[str, Any]
    confidence: float
    up_to_id: int
    created_at: float


def latest(connection: Connection, user_id: str) -> StoredProfile | None:
    return next(iter(versions(connection, user_id, 1)), None)


def versions(connection: Connection, user_id: str, limit: int = _MOST_VERSIONS) -> list[StoredProfile]:
    """Newest first."""
    rows = connection.execute(
        "SELECT version, content, confidence, up_to_id, created_at FROM profiles WHERE user_id = ?"
        " ORDER BY version DESC LIMIT ?",
        (user_id, limit),
    )
    return [StoredProfile(version, json.loads(content), *rest) for version, content, *rest in rows]


def store(connection: Connection, user_id: str, content: Mapping[str, Any], confidence: float, now: float) -> None:
    """A new version, or a new date for the latest when that says the same. The newest twenty are kept."""
    up_to_id = int(connection.execute("SELECT coalesce(max(id), 0) FROM conversation_log").get)
    known = latest(connection, user_id)
    if known is not None and (known.content, known.confidence) == (json.loads(json.dumps(content)), confidence):
        connection.execute(
            "UPDATE profiles SET up_to_id = ?, created_at = ? WHERE version = ?", (up_to_id, now, known.version)
        )
        return
    connection.execute(  # first: the new one then takes the pages that the oldest leaves, and no page is written twice
        "DELETE FROM profiles WHERE user_id = ?1 AND version NOT IN"
        " (SELECT version FROM profiles WHERE user_id = ?1 ORDER BY version DESC LIMIT ?2)",
        (user_id, _MOST_VERSIONS - 1),
    )
    connection.execute(
        "INSERT INTO profiles (user_id, content, confidence, up_to_id, created_at) VALUES (?, ?, ?, ?, ?)",
        (user_id, json.dumps(content), confidence, up_to_id, now),
    )


def turns_since(connection: Connection, user_id: str, most: int) -> list[str]:
    """The sessions of the user's turns since the latest stored profile, oldest first, up to `most` of them."""
    rows = connection.execute(
        "SELECT session_id FROM conversation_log WHERE id > coalesce("
        "(SELECT up_to_id FROM profiles WHERE user_id = ?1 ORDER BY version DESC LIMIT 1), 0)"
        " AND user_id = ?1 AND role = 'user' AND action <> 'ignore' AND speaker IS NULL ORDER BY id LIMIT ?2",
        (user_id, most),
    )
    return [str(row[0]) for row in rows]


def forget(connection: Connection, user_id: str) -> None:
    """All versions: what was erased from memory stands in none."""
    connection.execute("DELETE FROM profiles WHERE user_id = ?", (user_id,))
