"""What confirming, rejecting and rolling back do to the records, each in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from edge_memory.errors import WrongState
from edge_memory.records import Kind, Layer, Record, Status
from edge_memory.store import Connection, jobs, records, vectors
from edge_memory.store.finding import in_order
from edge_memory.store.lineage import replaced_by, sources_of
from edge_memory.store.records import Cause

CONFIRMED = 0.9  # a confirmed record is at least as sure as this
_HINTS = {
    Status.ACTIVE: "it is believed already; `lobug memory rollback` takes it back",
    Status.PENDING: "it waits for a decision: `lobug memory review confirm` or `reject`",
    Status.SUPERSEDED: "a newer record has replaced it; `lobug memory rollback` of that one brings it back",
    Status.EXPIRED: "its time is over; propose it anew if it is true again",
    Status.ARCHIVED: "it has faded; teach it again with `lobug memory learn`",
    Status.TOMBSTONED: "it was forgotten, rejected or rolled back; propose it anew",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """The record decided on, as it is now, and the records that this ended or brought back."""

    record: Record
    ended: tuple[Record, ...] = ()
    restored: tuple[Record, ...] = ()


def confirm(connection: Connection, record_id: int, reason: str, turn_id: str | None, now: float) -> Decision:
    """Raises RecordNotFound, and WrongState unless it is pending and what it is made of still stands."""
    record = _in_state(connection, record_id, Status.PENDING, "confirmed")
    verb, after = ("expire", Status.EXPIRED) if _takes_away(record) else ("supersede", Status.SUPERSEDED)
    cause = Cause(verb, f"ended by record {record_id}, which was confirmed", turn_id)
    ended = []
    for old in would_replace(connection, record):  # right before what ends them: lineage.replaced_by looks there
        ended.append(records.change(connection, old.id, cause, now, status=after, valid_to=now))
        vectors.remove(connection, old.id)
    settled = Cause("supersede", f"settled by record {record_id}, which was confirmed", turn_id)
    for other in _settled_with(connection, record, {old.id for old in ended}):
        ended.append(records.change(connection, other.id, settled, now, status=Status.SUPERSEDED, valid_to=now))
        vectors.remove(connection, other.id)
    confirmed = records.change(
        connection,
        record_id,
        Cause("confirm", reason, turn_id),
        now,
        status=Status.ACTIVE,
        valid_to=None,
        confidence=max(record.confidence, CONFIRMED),
        last_used_at=now,
        **_as_believed(record),
    )
    _leave_embedding(connection, now)
    return Decision(confirmed, tuple(ended))


def reject(connection: Connection, record_id: int, reason: str, turn_id: str | None, now: float) -> Decision:
    """The text stays, so that the history can tell what was rejected. Raises RecordNotFound and WrongState."""
    _in_state(connection, record_id, Status.PENDING, "rejected")
    cause = Cause("reject", reason, turn_id)
    return Decision(_bury(connection, record_id, cause, now))


def rollback(connection: Connection, record_id: int, reason: str, turn_id: str | None, now: float) -> Decision:
    """Undoes what made this record believed: it goes, what it replaced is as it was. Raises as `confirm` does.

    What merely happened is not taken back; that something ended is.
    """
    record = _in_state(connection, record_id, Status.ACTIVE, "rolled back")
    replaced = replaced_by(connection, record_id)
    if record.layer is Layer.EPISODIC and not replaced:
        raise WrongState(
            f"record {record_id} is an episode, and what happened is not taken back",
            "`lobug memory forget` erases it for good",
        )
    buried = _bury(connection, record_id, Cause("rollback", reason, turn_id), now)
    cause = Cause("restore", f"record {record_id}, which had replaced it, was rolled back", turn_id)
    restored = [
        records.change(connection, old.record.id, cause, now, status=old.was, valid_to=old.valid_to) for old in replaced
    ]
    if restored:
        _leave_embedding(connection, now)
    return Decision(buried, restored=tuple(restored))


def would_replace(connection: Connection, record: Record) -> list[Record]:
    """What confirming a pending record ends: the records that it names, or the other values of its slot.

    Raises WrongState when one that it names has changed since, because it may not be true any more.
    """
    sources = sources_of(record)
    if sources:
        found = in_order(connection, sorted(sources))
        changed = sources - {one.id for one in found if one.status is Status.ACTIVE}
        if changed:
            named = ", ".join(map(str, sorted(changed)))
            raise WrongState(
                f"record {record.id} goes by records that have changed since: {named}",
                "reject it, and have it made anew",
            )
        return found
    if record.key is None or record.layer is Layer.EPISODIC:
        return []
    mates = [
        mate
        for mate in records.in_slot(connection, record.user_id, record.key)
        if mate.status is Status.ACTIVE and mate.session_id == record.session_id and mate.layer is not Layer.EPISODIC
    ]
    return [] if record.many or any(mate.many for mate in mates) else mates


def _settled_with(connection: Connection, record: Record, ended: set[int]) -> list[Record]:
    """What else waits to end nothing but what has just ended: the same, told in other words."""
    if record.key is None or not ended:
        return []
    mates = records.in_slot(connection, record.user_id, record.key)
    waiting = [mate for mate in mates if mate.status is Status.PENDING and mate.id != record.id]
    return [mate for mate in waiting if sources_of(mate) and sources_of(mate) <= ended]


def _takes_away(record: Record) -> bool:
    """Whether a pending record is the end of something ("no longer allergic") that stands beside what it would end."""
    return record.kind is Kind.EVENT and record.layer is not Layer.EPISODIC


def _as_believed(record: Record) -> dict[str, Any]:
    """How a record that waited differs once it is confirmed.

    An end becomes an episode, which fills no slot. A value that came with the records it would end stands alone.
    """
    if _takes_away(record):
        return {"layer": Layer.EPISODIC, "key": None, "value": None}
    if isinstance(record.value, dict) and {"compacted_from", "value"} == record.value.keys():
        return {"value": record.value["value"] or None}
    return {}


def _in_state(connection: Connection, record_id: int, wanted: Status, verb: str) -> Record:
    record = records.get(connection, record_id)
    if record.status is not wanted:
        raise WrongState(f"record {record_id} is {record.status}, so that it cannot be {verb}", _HINTS[record.status])
    return record


def _bury(connection: Connection, record_id: int, cause: Cause, now: float) -> Record:
    vectors.remove(connection, record_id)
    return records.change(connection, record_id, cause, now, status=Status.TOMBSTONED, valid_to=now)


def _leave_embedding(connection: Connection, now: float) -> None:
    jobs.enqueue(connection, jobs.JobKind.EMBED, "records", {}, now)
