"""Finding records by what they are: kind, scope, key, and words within those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edge_memory.errors import BadQuery
from edge_memory.records import Kind, Layer, Record, RecordHit
from edge_memory.store import records
from edge_memory.store.connection import Connection
from edge_memory.store.records import Filter
from edge_memory.store.words import match_expression

# A scope is a glob ("garden/*"). It fits a path that it covers, and a glob that covers it.
_FITS = (
    "(:kind IS NULL OR records.kind = :kind) AND (:scope IS NULL OR"
    " (records.scope <> '' AND (records.scope GLOB :scope OR :scope GLOB records.scope)))"
)


@dataclass(frozen=True, slots=True)
class Wanted(Filter):
    """Which records to list. None means any."""

    kind: Kind | None = None
    scope: str | None = None


def check_query(text: str, limit: int, most: int) -> None:
    """Raises BadQuery for an empty text or a limit beyond `most`."""
    if not text.strip():
        raise BadQuery("nothing to search for", "give some words")
    if not 1 <= limit <= most:
        raise BadQuery(f"limit {limit}", f"limit is 1 to {most}")


def select(connection: Connection, which: Filter, limit: int, offset: int) -> tuple[list[Record], int]:
    """A page of records, newest first, and how many there are in all."""
    wanted = which if isinstance(which, Wanted) else Wanted(which.user_id, which.status, which.layer)
    where = (
        "(:user_id IS NULL OR user_id = :user_id) AND (:status IS NULL OR status = :status)"
        f" AND (:layer IS NULL OR layer = :layer) AND {_FITS}"
    )
    values = {name: getattr(wanted, name) for name in ("user_id", "status", "layer", "kind", "scope")}
    total = int(connection.execute(f"SELECT count(*) FROM records WHERE {where}", values).get)
    page = f"SELECT id FROM records WHERE {where} ORDER BY id DESC LIMIT :limit OFFSET :offset"
    rows = connection.execute(page, values | {"limit": limit, "offset": offset})
    return in_order(connection, [row[0] for row in rows]), total


def search_within(
    connection: Connection, text: str, user_id: str, kind: Kind | None, scope: str | None, limit: int
) -> list[RecordHit]:
    """By words in text, tags and scope, within a kind and a scope; best first. Also what is pending or archived."""
    expression = match_expression(text)
    if not expression:
        return []
    rows = connection.execute(
        "SELECT records.id, -bm25(records_fts, 1.0, 0.5, 0.5) AS relevance"
        " FROM records_fts CROSS JOIN records ON records.id = records_fts.rowid"
        " WHERE records_fts MATCH :expression AND records.user_id = :user_id"
        f" AND records.status IN ('active', 'pending', 'archived') AND {_FITS}"
        " ORDER BY relevance DESC, records.id DESC LIMIT :limit",
        {
            "expression": expression,
            "user_id": user_id,
            "kind": kind,
            "scope": scope,
            "limit": limit,
        },
    )
    relevance: dict[int, float] = dict(rows)
    return [
        RecordHit(record, relevance[record.id], {"words": relevance[record.id]})
        for record in in_order(connection, list(relevance))
    ]


def of_key(connection: Connection, user_id: str, key: str) -> list[Record]:
    """Every record of a slot, or of the slots that a glob covers, whatever its status; oldest first."""
    rows = connection.execute("SELECT id FROM records WHERE user_id = ? AND key GLOB ? ORDER BY id", (user_id, key))
    return in_order(connection, [row[0] for row in rows])


def tombstones_holding(connection: Connection, user_id: str, text: str) -> list[Record]:
    """Records that were rejected or rolled back, but never erased, and hold every telling word of a text."""
    expression = match_expression(text, every=True)
    if not expression:
        return []
    rows = connection.execute(
        "SELECT id FROM records WHERE user_id = ? AND status = 'tombstoned'"
        " AND id IN (SELECT rowid FROM records_fts WHERE records_fts MATCH ?) ORDER BY id",
        (user_id, expression),
    )
    return in_order(connection, [row[0] for row in rows])


def active(connection: Connection, user_id: str, layer: Layer | None = None) -> list[Record]:
    """Oldest first."""
    rows = connection.execute(
        "SELECT id FROM records WHERE user_id = ?1 AND status = 'active' AND (?2 IS NULL OR layer = ?2) ORDER BY id",
        (user_id, layer),
    )
    return in_order(connection, [row[0] for row in rows])


def last_ended(connection: Connection, user_id: str, limit: int) -> list[Record]:
    """What was replaced or ran out, seen by every session; the latest to end first."""
    rows = connection.execute(
        "SELECT id FROM records WHERE user_id = ? AND status IN ('superseded', 'expired') AND session_id IS NULL"
        " ORDER BY valid_to DESC, id DESC LIMIT ?",
        (user_id, limit),
    )
    return in_order(connection, [row[0] for row in rows])


def in_order(connection: Connection, record_ids: Sequence[int]) -> list[Record]:
    """Records in the order of their ids as given; ids that do not exist are left out."""
    found = records.get_many(connection, record_ids)
    return [found[record_id] for record_id in record_ids if record_id in found]
