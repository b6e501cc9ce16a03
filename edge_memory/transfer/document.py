"""Everything that memory holds, as one JSON document that a person can read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edge_memory.records import Record
from edge_memory.store import Connection, copying, finding, records, summaries

FORMAT, FORMAT_VERSION = "lobug-memory", 1
_ALL = 1_000_000_000


def export(user_id: str, now: float) -> Callable[[Connection], dict[str, Any]]:
    """A transaction that returns the document: records with their history, turns, summaries, base memory."""

    def read(connection: Connection) -> dict[str, Any]:
        kept, _ = finding.select(connection, records.Filter(user_id), _ALL, 0)
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "exported_at": now,
            "user_id": user_id,
            "records": [_with_history(connection, record) for record in reversed(kept)],
            "turns": copying.turns(connection, user_id),
            "summaries": copying.summaries(connection, user_id),
            "base_memory": [
                {"version": v.version, "content": v.content, "reason": v.reason, "created_at": v.created_at}
                for v in summaries.base_memory_versions(connection, user_id, _ALL)
            ],
        }

    return read


def _with_history(connection: Connection, record: Record) -> dict[str, Any]:
    document = records.to_json(record)
    document["history"] = [
        {
            "id": entry.id,
            "action": entry.action,
            "reason": entry.reason,
            "before": entry.before,
            "after": entry.after,
            "turn_id": entry.turn_id,
            "at": entry.at,
        }
        for entry in records.history(connection, record.id)
    ]
    return document
