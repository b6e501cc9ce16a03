"""The records, and the history of what happened to each."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from edge_memory.errors import RecordNotFound
from edge_memory.records import Kind, Layer, NewRecord, Origin, Priority, Record, Status
from edge_memory.store import words
from edge_memory.store.connection import Connection

COLUMNS = (
    "id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance,"
    " surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement,"
    " last_used_at, created_at, updated_at"
)
MOST_ID = 2**63 - 1  # what SQLite can count to
NAMES = tuple(name.strip() for name in COLUMNS.split(","))
_ENUMS: Mapping[str, Mapping[str, StrEnum]] = {
    name: {member.value: member for member in kind}
    for name, kind in (("layer", Layer), ("kind", Kind), ("priority", Priority), ("status", Status), ("origin", Origin))
}


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a record changes: the verb, the reason in words, and the turn that it came from."""

    action: str
    reason: str = ""
    turn_id: str | None = None


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    id: int
    record_id: int
    action: str
    reason: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    turn_id: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Filter:
    """Which records to list. None means any."""

    user_id: str | None = None
    status: Status | None = None
    layer: Layer | None = None


def insert(connection: Connection, new: NewRecord, cause: Cause, now: float, status: Status = Status.ACTIVE) -> Record:
    """Stores a record with its history entry. The vector is written separately."""
    record = Record(
        **{f.name: getattr(new, f.name) for f in dataclasses.fields(NewRecord)},
        uid=str(uuid.uuid4()),
        status=status,
        created_at=now,
        updated_at=now,
    )
    record = dataclasses.replace(record, valid_from=now if new.valid_from is None else new.valid_from)
    row = _to_row(record)
    del row["id"]
    connection.execute(f"INSERT INTO records ({', '.join(row)}) VALUES ({', '.join(':' + name for name in row)})", row)
    record = dataclasses.replace(record, id=connection.last_insert_rowid())
    _remember_change(connection, None, record, cause, now)
    return record


def get(connection: Connection, record_id: int) -> Record:
    """Raises RecordNotFound."""
    known = 0 < record_id <= MOST_ID
    row = connection.execute(f"SELECT {COLUMNS} FROM records WHERE id = ?", (record_id if known else 0,)).fetchone()
    if row is None:
        raise RecordNotFound(f"there is no record {record_id}", "`lobug memory list` shows the ids")
    return from_row(row)


def get_many(connection: Connection, record_ids: Sequence[int]) -> dict[int, Record]:
    """By id; ids that do not exist are left out."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM records WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(record_ids)),),
    )
    return {record.id: record for record in map(from_row, rows)}


def change(connection: Connection, record_id: int, cause: Cause, now: float, **changes: Any) -> Record:
    """Writes the named fields, and the state before and after into the history."""
    before = get(connection, record_id)
    after = dataclasses.replace(before, **changes, updated_at=now)
    row = _to_row(after)
    columns = [*changes, "updated_at"]
    connection.execute(
        f"UPDATE records SET {', '.join(f'{name} = :{name}' for name in columns)} WHERE id = :id",
        {name: row[name] for name in [*columns, "id"]},
    )
    _remember_change(connection, before, after, cause, now)
    return after


def touch(connection: Connection, record_ids: Sequence[int], now: float) -> None:
    """Notes that recall used these records. Not a change of what is believed, so not in the history."""
    connection.execute(
        "UPDATE records SET last_used_at = ?, reinforcement = reinforcement + 1"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (now, json.dumps(list(record_ids))),
    )


def claim_action(connection: Connection, turn_id: str, key: str, action: str) -> bool:
    """False when this turn has done this action to this slot before, so that it must not be done again."""
    action_hash = hashlib.sha256(action.encode()).hexdigest()[:16]
    connection.execute(
        "INSERT INTO applied_actions VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (turn_id, key, action_hash)
    )
    return connection.changes() == 1


def in_slot(connection: Connection, user_id: str, key: str) -> list[Record]:
    """What is believed or pending for a slot, oldest first."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM records WHERE user_id = ? AND key = ? AND status IN ('active', 'pending') ORDER BY id",
        (user_id, key),
    )
    return [from_row(row) for row in rows]


def with_text(connection: Connection, user_id: str, text: str) -> Record | None:
    """The active record that says exactly this, whatever its case."""
    row = connection.execute(
        f"SELECT {COLUMNS} FROM records WHERE user_id = ? AND lower(text) = lower(?) AND status = 'active'",
        (user_id, text),
    ).fetchone()
    return None if row is None else from_row(row)


def holding_words(connection: Connection, user_id: str, query: str) -> list[Record]:
    """Live records that hold every telling word of the query, oldest first."""
    expression = words.match_expression(query, every=True, spoken=words.language(connection))
    if not expression:
        return []
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM records WHERE user_id = ? AND status <> 'tombstoned'"
        " AND id IN (SELECT rowid FROM records_fts WHERE records_fts MATCH ?) ORDER BY id",
        (user_id, expression),
    )
    return [from_row(row) for row in rows]


def of_the_user(connection: Connection, user_id: str, limit: int) -> list[Record]:
    """What every session believes about who the user is and how they want things, the most important first."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM records WHERE user_id = ? AND status = 'active' AND session_id IS NULL"
        " AND (layer = 'profile' OR kind IN ('preference', 'policy')) ORDER BY importance DESC, id LIMIT ?",
        (user_id, limit),
    )
    return [from_row(row) for row in rows]


def believed(connection: Connection, user_id: str, session_id: str, limit: int) -> list[Record]:
    """What is believed in a session of whatever was told, the user's own slots first, then the newest."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM records WHERE user_id = ? AND status = 'active'"
        " AND (session_id IS NULL OR session_id = ?) AND layer NOT IN ('working', 'procedural')"
        " ORDER BY layer = 'profile' DESC, id DESC LIMIT ?",
        (user_id, session_id, limit),
    )
    return [from_row(row) for row in rows]


def history(connection: Connection, record_id: int) -> list[HistoryEntry]:
    """Oldest first."""
    rows = connection.execute(
        "SELECT id, record_id, action, reason, before, after, turn_id, at FROM fact_history"
        " WHERE record_id = ? ORDER BY id",
        (record_id,),
    )
    return [
        HistoryEntry(identity, record, action, reason, _json_or_none(before), _json_or_none(after), turn_id, at)
        for identity, record, action, reason, before, after, turn_id, at in rows
    ]


def count_kept(connection: Connection) -> int:
    """How many there are, but for those of which only the tombstone is left."""
    return int(connection.execute("SELECT count(*) FROM records WHERE status <> 'tombstoned'").get)


def counts(connection: Connection) -> dict[str, dict[str, int]]:
    """How many records there are by status, by layer and by kind."""
    return {
        column: dict(connection.execute(f"SELECT {column}, count(*) FROM records GROUP BY {column} ORDER BY {column}"))
        for column in ("status", "layer", "kind")
    }


def turns_of(connection: Connection, record_id: int) -> set[str]:
    """The turns that made, confirmed or changed a record."""
    return {entry.turn_id for entry in history(connection, record_id) if entry.turn_id}


def blank(connection: Connection, record_id: int, now: float) -> None:
    """Takes a record's words out of the file. An empty tombstone stays, so that its id is never used again."""
    for turn_id in turns_of(connection, record_id):
        connection.execute("DELETE FROM applied_actions WHERE turn_id = ?", (turn_id,))
    connection.execute("DELETE FROM fact_history WHERE record_id = ?", (record_id,))
    connection.execute(
        "UPDATE records SET text = '', value = NULL, tags = '[]', key = NULL, source_excerpt = '', scope = '',"
        " surprise = '{}', status = 'tombstoned', updated_at = ? WHERE id = ?",
        (now, record_id),
    )
    connection.execute(
        "INSERT INTO fact_history (record_id, action, reason, at) VALUES (?, 'erase', 'asked to forget', ?)",
        (record_id, now),
    )


def unmake(connection: Connection, turn_id: str, now: float) -> None:
    """Blanks what was made of a turn, and takes what it noted of other records out of their histories."""
    connection.execute("DELETE FROM fact_history WHERE turn_id = ?", (turn_id,))
    made = connection.execute("SELECT id FROM records WHERE source_turn_id = ?", (turn_id,)).fetchall()
    for (record_id,) in made:
        blank(connection, int(str(record_id)), now)


def to_json(record: Record) -> dict[str, Any]:
    """As plain JSON values, every field."""
    return {name: getattr(record, name) for name in NAMES} | {"tags": list(record.tags)}


def _remember_change(connection: Connection, before: Record | None, after: Record, cause: Cause, now: float) -> None:
    connection.execute(
        "INSERT INTO fact_history (record_id, action, reason, before, after, turn_id, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            after.id,
            cause.action,
            cause.reason,
            None if before is None else json.dumps(to_json(before)),
            json.dumps(to_json(after)),
            cause.turn_id,
            now,
        ),
    )


def _to_row(record: Record) -> dict[str, Any]:
    row = {name: getattr(record, name) for name in NAMES}
    row["value"] = None if record.value is None else json.dumps(record.value)
    row["tags"] = json.dumps(list(record.tags))
    row["surprise"] = json.dumps(record.surprise)
    row["many"] = int(record.many)
    return row


def from_row(row: Sequence[Any]) -> Record:
    """The record of a row of `COLUMNS`."""
    fields = dict(zip(NAMES, row, strict=True))
    fields["value"] = _json_or_none(fields["value"])
    fields["tags"] = () if fields["tags"] == "[]" else tuple(json.loads(fields["tags"]))
    fields["surprise"] = {} if fields["surprise"] == "{}" else json.loads(fields["surprise"])
    fields["many"] = bool(fields["many"])
    for name, members in _ENUMS.items():
        fields[name] = members[fields[name]]
    return Record(**fields)


def _json_or_none(text: str | None) -> Any:
    return None if text is None else json.loads(text)
