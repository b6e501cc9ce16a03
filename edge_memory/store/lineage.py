"""What replaced what, read from the history: the entries of one change of belief stand next to each other."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import cast

from edge_memory.records import Record, Status
from edge_memory.store import records
from edge_memory.store.connection import Connection

_ENDS = frozenset({"supersede", "expire"})
_MOST_REPLACED = 1_000


@dataclass(frozen=True, slots=True)
class Replaced:
    """A record that another one replaced, with what it was before."""

    record: Record
    was: Status
    valid_to: float | None


@dataclass(frozen=True, slots=True)
class Compaction:
    """A record that was made of others."""

    record_id: int
    status: Status
    sources: frozenset[int]


def sources_of(record: Record) -> frozenset[int]:
    """The ids of the records that this one was made of or, while it waits, would end."""
    made_of = record.value.get("compacted_from") if isinstance(record.value, dict) else None
    return (
        frozenset(source for source in made_of if isinstance(source, int)) if isinstance(made_of, list) else frozenset()
    )


def replaced_by(connection: Connection, record_id: int) -> list[Replaced]:
    """What ended when this record came to be believed, as far as nothing happened to it since; oldest first."""
    began = connection.execute(
        "SELECT id, at, turn_id FROM fact_history WHERE record_id = ? AND json_extract(after, '$.status') = 'active'"
        " AND (before IS NULL OR json_extract(before, '$.status') <> 'active' OR action = 'replace')"
        " AND action <> 'restore'"
        " ORDER BY id DESC LIMIT 1",
        (record_id,),
    ).fetchone()
    if began is None:
        return []
    previous_id, at, turn_id = cast("tuple[int, float, str | None]", began)
    rows = connection.execute(
        "SELECT id, record_id, action, before, (SELECT max(id) FROM fact_history AS later"
        " WHERE later.record_id = entry.record_id) FROM fact_history AS entry"
        " WHERE id < ? AND at = ? AND turn_id IS ? ORDER BY id DESC LIMIT ?",
        (previous_id, at, turn_id, _MOST_REPLACED),
    ).fetchall()
    found: list[Replaced] = []
    for entry_id, ended, action, before, newest in rows:
        if entry_id != previous_id - 1 or action not in _ENDS or before is None:
            break
        previous_id = int(str(entry_id))
        if newest == entry_id:
            was = json.loads(str(before))
            found.append(Replaced(records.get(connection, int(str(ended))), Status(was["status"]), was["valid_to"]))
    return found[::-1]


def replacement(connection: Connection, record_id: int) -> int | None:
    """The id of the record that came to be believed when this one ended, or that says the same and stands for both.

    None for one that did not end so.
    """
    row = connection.execute(
        "SELECT began.record_id FROM fact_history AS ended JOIN fact_history AS began"
        " ON began.at = ended.at AND began.turn_id IS ended.turn_id AND began.id > ended.id"
        " WHERE ended.id = (SELECT max(id) FROM fact_history WHERE record_id = ?)"
        " AND ended.action IN ('supersede', 'expire', 'repeat') AND ended.before IS NOT NULL"
        " AND json_extract(began.after, '$.status') = 'active' ORDER BY began.id LIMIT 1",
        (record_id,),
    ).fetchone()
    return None if row is None else int(str(row[0]))


def compactions(connection: Connection, sources: Collection[int] | None = None) -> list[Compaction]:
    """The records that were made of others; with `sources`, of any of these."""
    rows = connection.execute(
        "SELECT id, status, json_extract(value, '$.compacted_from') FROM records"
        " WHERE instr(value, '\"compacted_from\"') > 0 AND json_type(value, '$.compacted_from') = 'array' ORDER BY id"
    )
    made = [Compaction(int(id_), Status(status), frozenset(json.loads(from_))) for id_, status, from_ in rows]
    return [one for one in made if sources is None or not one.sources.isdisjoint(sources)]
