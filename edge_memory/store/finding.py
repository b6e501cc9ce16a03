"""Finding records by what they are: kind, scope, session, key."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

from edge_memory.errors import BadQuery
from edge_memory.records import Kind, Layer, Record
from edge_memory.store import records
from edge_memory.store.connection import Connection
from edge_memory.store.records import Filter
from edge_memory.store.visible import FITS
from edge_memory.store.words import in_any_form, telling_words


@dataclass(frozen=True, slots=True)
class Wanted(Filter):
    """Which records to list or to search. None means any."""

    kind: Kind | None = None
    scope: str | None = None
    session_id: str | None = None


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
        f" AND (:session_id IS NULL OR session_id = :session_id) AND {FITS}"
    )
    values = {f.name: getattr(wanted, f.name) for f in fields(Wanted)}
    total = int(connection.execute(f"SELECT count(*) FROM records WHERE {where}", values).get)
    page = f"SELECT id FROM records WHERE {where} ORDER BY id DESC LIMIT :limit OFFSET :offset"
    rows = connection.execute(page, values | {"limit": limit, "offset": offset})
    return in_order(connection, [row[0] for row in rows]), total


def of_key(connection: Connection, user_id: str, key: str) -> list[Record]:
    """Every record of a slot, or of the slots that a glob covers, whatever its status; oldest first."""
    rows = connection.execute("SELECT id FROM records WHERE user_id = ? AND key GLOB ? ORDER BY id", (user_id, key))
    return in_order(connection, [row[0] for row in rows])


def holding(connection: Connection, user_id: str, query: str) -> list[tuple[Record, float]]:
    """Records that hold telling words of a query in any form, with the share of these that each holds; oldest first.

    Whatever their status, so that also what was rejected can be erased.
    """
    telling = telling_words(connection, query)
    found = Counter[int]()
    for word in telling:
        rows = connection.execute(
            "SELECT id FROM records WHERE user_id = ?"
            " AND id IN (SELECT rowid FROM records_fts WHERE records_fts MATCH ?)",
            (user_id, in_any_form(connection, word)),
        )
        found.update(row[0] for row in rows)
    return [(record, found[record.id] / len(telling)) for record in in_order(connection, sorted(found))]


def active(connection: Connection, user_id: str, layer: Layer | None = None) -> list[Record]:
    """Oldest first."""
    rows = connection.execute(
        "SELECT id FROM records WHERE user_id = ?1 AND status = 'active' AND (?2 IS NULL OR layer = ?2) ORDER BY id",
        (user_id, layer),
    )
    return in_order(connection, [row[0] for row in rows])


def of_the_profile(connection: Connection, user_id: str, is_telling: Callable[[str], bool]) -> list[Record]:
    """Active records seen by every session that are of the profile layer, ways of the user or decisions, or whose slot
    tells something of them; oldest first.
    """
    believed = "user_id = ? AND status = 'active'"
    slots = connection.execute(f"SELECT DISTINCT key FROM records WHERE {believed} AND key IS NOT NULL", (user_id,))
    telling = [key for (key,) in slots if is_telling(str(key))]
    rows = connection.execute(
        f"SELECT id FROM records WHERE {believed} AND session_id IS NULL AND (layer = 'profile'"
        " OR kind IN ('policy', 'preference', 'decision') OR key IN (SELECT value FROM json_each(?))) ORDER BY id",
        (user_id, json.dumps(telling)),
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
