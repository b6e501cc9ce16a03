"""Rows as they are, read for an export and written by an import."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from edge_memory.records import Record
from edge_memory.store import records
from edge_memory.store.connection import Connection
from edge_memory.store.records import HistoryEntry

_TURN = (
    "turn_id", "session_id", "device_id", "action", "heard", "said", "timings", "created_at",
    "said_at", "heard_id", "said_id", "heard_summarized", "said_summarized",
    "speaker",
)  # fmt: skip


def turns(connection: Connection, user_id: str) -> list[dict[str, Any]]:
    """What a user said and was told, oldest first. said, said_at and said_id are None for a turn without a reply.

    `speaker` is who said it in a dialogue that others had.
    """
    rows = connection.execute(
        "SELECT heard.turn_id, heard.session_id, heard.device_id, heard.action, heard.content, said.content,"
        " said.timings, heard.created_at, said.created_at, heard.id, said.id, heard.summarized, said.summarized,"
        " heard.speaker"
        " FROM conversation_log AS heard"
        " LEFT JOIN conversation_log AS said ON said.turn_id = heard.turn_id AND said.role = 'assistant'"
        " WHERE heard.role = 'user' AND heard.user_id = ? ORDER BY heard.id",
        (user_id,),
    )
    found = [dict(zip(_TURN, row, strict=True)) for row in rows]
    for turn in found:
        turn["timings"] = json.loads(str(turn["timings"] or "{}"))
        for name in ("heard_summarized", "said_summarized"):
            turn[name] = bool(turn[name])
    return found


def ids_by_uid(connection: Connection, uids: Sequence[str]) -> dict[str, int]:
    rows = connection.execute(
        "SELECT uid, id FROM records WHERE uid IN (SELECT value FROM json_each(?))", (json.dumps(list(uids)),)
    )
    return dict(rows)


def insert_record(connection: Connection, record: Record) -> int:
    """Writes a record with everything but its id, which is new and returned. Its history is written separately."""
    row = records.to_json(record)
    del row["id"]
    row |= {name: json.dumps(row[name]) for name in ("tags", "surprise")}
    row["value"] = None if record.value is None else json.dumps(record.value)
    row["many"] = int(record.many)
    connection.execute(f"INSERT INTO records ({', '.join(row)}) VALUES ({', '.join(':' + name for name in row)})", row)
    return int(connection.execute("SELECT id FROM records WHERE uid = ?", (record.uid,)).get)


def set_value(connection: Connection, record_id: int, value: Any) -> None:
    """For a value that holds ids, once these are known."""
    connection.execute("UPDATE records SET value = ? WHERE id = ?", (json.dumps(value), record_id))


def insert_history(connection: Connection, entries: Iterable[HistoryEntry]) -> None:
    """In this order; the ids are new."""
    connection.executemany(
        "INSERT INTO fact_history (record_id, action, reason, before, after, turn_id, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (e.record_id, e.action, e.reason, _json_or_null(e.before), _json_or_null(e.after), e.turn_id, e.at)
            for e in entries
        ],
    )


def known_sessions(connection: Connection, session_ids: Iterable[str]) -> set[str]:
    rows = connection.execute(
        "SELECT DISTINCT session_id FROM conversation_log WHERE session_id IN (SELECT value FROM json_each(?))"
        " UNION SELECT DISTINCT session_id FROM memory_summaries WHERE session_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(session_ids)), json.dumps(sorted(session_ids))),
    )
    return {str(row[0]) for row in rows}


def known_turns(connection: Connection, turn_ids: Iterable[str]) -> set[str]:
    rows = connection.execute(
        "SELECT DISTINCT turn_id FROM conversation_log WHERE turn_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(turn_ids)),),
    )
    return {str(row[0]) for row in rows}


def message_id(connection: Connection, turn_id: str, role: str) -> int:
    return int(
        connection.execute("SELECT id FROM conversation_log WHERE turn_id = ? AND role = ?", (turn_id, role)).get
    )


def mark_summarized(connection: Connection, message_ids: Sequence[int]) -> None:
    connection.execute(
        "UPDATE conversation_log SET summarized = 1 WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(message_ids)),),
    )


def summaries(connection: Connection, user_id: str) -> list[dict[str, Any]]:
    """Oldest first."""
    names = ("content", "session_id", "from_id", "to_id", "created_at", "incorporated")
    rows = connection.execute(
        "SELECT content, session_id, source_from_id, source_to_id, created_at, incorporated FROM memory_summaries"
        " WHERE user_id = ? ORDER BY id",
        (user_id,),
    )
    return [dict(zip(names, row, strict=True)) | {"incorporated": bool(row[-1])} for row in rows]


def insert_summary(connection: Connection, user_id: str, row: dict[str, Any]) -> None:
    """A row as `summaries` returns it."""
    connection.execute(
        "INSERT INTO memory_summaries"
        " (content, session_id, source_from_id, source_to_id, created_at, incorporated, user_id)"
        " VALUES (:content, :session_id, :from_id, :to_id, :created_at, :incorporated, :user_id)",
        row | {"incorporated": int(row["incorporated"]), "user_id": user_id},
    )


def _json_or_null(value: Any) -> str | None:
    return None if value is None else json.dumps(value)
