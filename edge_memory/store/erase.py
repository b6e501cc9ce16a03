"""Erasing users whole, and making erased words leave the disk, not only the tables."""

from __future__ import annotations

from edge_memory.store import conversation, jobs, vectors
from edge_memory.store.connection import BUSY_MILLISECONDS, Connection


def empty_log(connection: Connection) -> bool:
    """Moves everything into the file and empties the write-ahead log, where erased words still stand.

    Does not wait: False when a reader keeps an old page of the log open.
    """
    connection.set_busy_timeout(0)
    try:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (1, 0, 0)
    finally:
        connection.set_busy_timeout(BUSY_MILLISECONDS)
    return not busy


def users(connection: Connection) -> list[str]:
    """Everybody of whom the file knows anything."""
    rows = connection.execute(
        "SELECT user_id FROM records UNION SELECT user_id FROM conversation_log"
        " UNION SELECT user_id FROM memory_summaries UNION SELECT user_id FROM memory_base"
        " UNION SELECT user_id FROM reminders"
    )
    return [str(row[0]) for row in rows]


def erase_user(connection: Connection, user_id: str) -> None:
    """Takes out everything of a user, also the traces that other erasures leave. Other users are left alone."""
    mine = (user_id,)
    turns = "SELECT turn_id FROM conversation_log WHERE user_id = ?1"
    owned = "SELECT id FROM records WHERE user_id = ?1"
    connection.execute(
        "DELETE FROM jobs WHERE payload ->> 'user_id' = ?1"
        f" OR payload ->> 'turn_id' IN ({turns}) OR payload ->> 'record_id' IN ({owned})",
        mine,
    )
    for row in connection.execute(f"SELECT DISTINCT turn_id FROM ({turns})", mine).fetchall():
        conversation.blank(connection, str(row[0]))
    for record_id in [row[0] for row in connection.execute(owned, mine)]:
        vectors.remove(connection, int(str(record_id)))
    connection.execute(f"DELETE FROM applied_actions WHERE turn_id IN ({turns})", mine)
    connection.execute(f"DELETE FROM fact_history WHERE record_id IN ({owned})", mine)
    for table in ("records", "conversation_log", "memory_summaries", "memory_base", "profiles", "reminders"):
        connection.execute(f"DELETE FROM {table} WHERE user_id = ?1", mine)
    jobs.renew(connection)


def erase_everybody(connection: Connection) -> None:
    """Takes out every user, and what sensors told."""
    for user_id in users(connection):
        erase_user(connection, user_id)
    for table in ("sensor_log", "applied_actions", "jobs"):
        connection.execute(f"DELETE FROM {table}")
