"""Writing what a turn changed, all of it in one transaction and only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edge_memory.config import MemoryConfig
from edge_memory.observe.arbitrate import Ruling, Verb, arbitrate
from edge_memory.observe.reading import Statement
from edge_memory.observe.slots import is_high_risk
from edge_memory.protocols import Vectors
from edge_memory.records import Kind, Layer, NewRecord, Origin, Priority, Record, Status
from edge_memory.store import Connection, Visible, jobs, records, vectors

_TRUST_GAINED_WHEN_REPEATED = 0.5  # of what is missing to certainty


@dataclass(frozen=True, slots=True)
class Source:
    """Who said it, and in which turn."""

    user_id: str
    turn_id: str | None
    origin: Origin


def apply_statements(
    connection: Connection,
    statements: Sequence[Statement],
    source: Source,
    embedded: Mapping[str, Vectors],
    limits: MemoryConfig,
    now: float,
) -> list[Record]:
    """The records that were made or confirmed.

    `embedded` holds the vectors of texts that could be embedded; for the others a job is left, and another for
    each of the first `extraction_max_items` records that no rule could sort into a slot.
    """
    kept, unsorted = [], 0
    for statement in statements:
        if source.turn_id and not records.claim_action(
            connection, source.turn_id, _slot_key(statement), statement.text
        ):
            continue
        ruling = _rule(connection, statement, source, embedded, limits)
        cause = records.Cause(ruling.verb.value, ruling.reason, source.turn_id)
        if ruling.verb is Verb.NOOP:
            kept.append(_confirm(connection, ruling.targets[0], statement, cause, now))
            continue
        record = _replace(connection, statement, source, ruling, cause, now)
        kept.append(record)
        _index(connection, record, embedded, now)
        if record.key is None and unsorted < limits.extraction_max_items:
            unsorted += 1
            jobs.enqueue(connection, jobs.JobKind.EXTRACT, str(record.id), {"record_id": record.id}, now)
    return kept


def _rule(
    connection: Connection, statement: Statement, source: Source, embedded: Mapping[str, Vectors], limits: MemoryConfig
) -> Ruling:
    mates = records.in_slot(connection, source.user_id, _slot_key(statement)) if statement.slot else []
    twin = records.with_text(connection, source.user_id, statement.text)
    near = []
    if twin is None and statement.text in embedded:
        visible = Visible(source.user_id, frozenset({Status.ACTIVE}))
        near = vectors.within(connection, embedded[statement.text], visible, limits.duplicate_distance_threshold)
    alike = [twin] if twin else list(records.get_many(connection, near).values())
    return arbitrate(statement, mates, alike)


def _replace(
    connection: Connection, statement: Statement, source: Source, ruling: Ruling, cause: records.Cause, now: float
) -> Record:
    for target in ruling.targets:
        status = Status.EXPIRED if ruling.verb is Verb.EXPIRE else Status.SUPERSEDED
        records.change(connection, target.id, cause, now, status=status, valid_to=now)
        vectors.remove(connection, target.id)
    status = Status.PENDING if ruling.verb is Verb.MARK_PENDING else Status.ACTIVE
    return records.insert(connection, _new_record(statement, source, ruling), cause, now, status)


def _index(connection: Connection, record: Record, embedded: Mapping[str, Vectors], now: float) -> None:
    if record.text in embedded:
        vectors.put(connection, record.id, embedded[record.text])
    else:
        jobs.enqueue(connection, jobs.JobKind.EMBED, "records", {}, now)


def _slot_key(statement: Statement) -> str:
    return statement.slot.key if statement.slot else ""


def _confirm(connection: Connection, record: Record, statement: Statement, cause: records.Cause, now: float) -> Record:
    """Said again: more certain, and as fresh as if it were new."""
    surer = record.confidence + (1.0 - record.confidence) * _TRUST_GAINED_WHEN_REPEATED
    return records.change(
        connection,
        record.id,
        cause,
        now,
        confidence=max(surer, statement.confidence),
        reinforcement=record.reinforcement + 1,
        last_used_at=now,
    )


def _new_record(statement: Statement, source: Source, ruling: Ruling) -> NewRecord:
    slot = statement.slot
    event = ruling.verb is Verb.EXPIRE or (slot is not None and slot.ends)
    return NewRecord(
        layer=Layer.EPISODIC if event else slot.layer if slot else Layer.SEMANTIC,
        kind=Kind.EVENT if event else slot.kind if slot else Kind.FACT,
        text=statement.text,
        key=None if slot is None or event else slot.key,
        many=slot is None or slot.many,
        value=None if slot is None or event else slot.value,
        confidence=statement.confidence,
        importance=0.9 if is_high_risk(slot.key if slot else None) or statement.explicit else 0.5,
        priority=slot.priority if slot else Priority.NORMAL,
        user_id=source.user_id,
        origin=source.origin,
        source_turn_id=source.turn_id,
        source_excerpt=statement.excerpt,
    )
