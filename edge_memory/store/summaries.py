"""Conversation summaries and the base memory document with its versions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from edge_memory.records import Summary
from edge_memory.store.connection import Connection


@dataclass(frozen=True, slots=True)
class BaseMemory:
    """One version of a user's base memory. Version 0 with no content means that there is none yet."""

    version: int
    content: str
    reason: str
    created_at: float


NO_BASE_MEMORY = BaseMemory(version=0, content="", reason="", created_at=0.0)


def insert_summary(
    connection: Connection, content: str, session_id: str, user_id: str, id_range: tuple[int, int], now: float
) -> None:
    """`id_range` is the first and the last message id that `content` stands for."""
    connection.execute(
        "INSERT INTO memory_summaries (content, session_id, user_id, source_from_id, source_to_id, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (content, session_id, user_id, *id_range, now),
    )


def unincorporated(connection: Connection, user_id: str) -> list[Summary]:
    """Oldest first."""
    rows = connection.execute(
        "SELECT id, content FROM memory_summaries WHERE user_id = ? AND incorporated = 0 ORDER BY id",
        (user_id,),
    )
    return [Summary(*row) for row in rows]


def count_unincorporated(connection: Connection, user_id: str) -> int:
    return int(
        connection.execute(
            "SELECT count(*) FROM memory_summaries WHERE user_id = ? AND incorporated = 0", (user_id,)
        ).get
    )


def count(connection: Connection, user_id: str) -> int:
    return int(connection.execute("SELECT count(*) FROM memory_summaries WHERE user_id = ?", (user_id,)).get)


def mark_incorporated(connection: Connection, user_id: str, up_to_id: int) -> None:
    connection.execute(
        "UPDATE memory_summaries SET incorporated = 1 WHERE user_id = ? AND id <= ?", (user_id, up_to_id)
    )


def base_memory(connection: Connection, user_id: str) -> BaseMemory:
    """The current document."""
    versions = base_memory_versions(connection, user_id, limit=1)
    return versions[0] if versions else NO_BASE_MEMORY


def base_memory_versions(connection: Connection, user_id: str, limit: int) -> list[BaseMemory]:
    """Newest first."""
    rows = connection.execute(
        "SELECT version, content, reason, created_at FROM memory_base WHERE user_id = ? ORDER BY version DESC LIMIT ?",
        (user_id, limit),
    )
    return [BaseMemory(*row) for row in rows]


def set_base_memory(connection: Connection, user_id: str, content: str, reason: str, now: float) -> None:
    connection.execute(
        "INSERT INTO memory_base (user_id, content, reason, created_at) VALUES (?, ?, ?, ?)",
        (user_id, content, reason, now),
    )


def rewrite(connection: Connection, user_id: str, change: Callable[[str], str]) -> None:
    """Passes each summary and each version of base memory of a user through `change`."""
    for table, key in (("memory_summaries", "id"), ("memory_base", "version")):
        rows = connection.execute(f"SELECT {key}, content FROM {table} WHERE user_id = ?", (user_id,)).fetchall()
        for identity, content in rows:
            changed = change(str(content))
            if changed != content:
                connection.execute(f"UPDATE {table} SET content = ? WHERE {key} = ?", (changed, identity))
