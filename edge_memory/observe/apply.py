"""Writing what a turn changed, all of it in one transaction and only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from edge_memory.config import MemoryConfig
from edge_memory.observe.arbitrate import Related, Ruling, Verb, arbitrate
from edge_memory.observe.auditor import leave_audit
from edge_memory.observe.english.contradictions.relationships import COUPLED, PARTED
from edge_memory.observe.english.entities import named_entity
from edge_memory.observe.english.lexicon import KIN_SET, PET_SET
from edge_memory.observe.english.lifted_orders import is_lifting
from edge_memory.observe.english.people import Person, introduced
from edge_memory.observe.english.reading import acquaintance, without_role
from edge_memory.observe.english.restrictions import restricts
from edge_memory.observe.languages import find_related
from edge_memory.observe.nearness import Nearness
from edge_memory.observe.risk import is_high_risk
from edge_memory.observe.statement import Statement
from edge_memory.observe.surprise import surprise_of
from edge_memory.protocols import Vectors
from edge_memory.records import Kind, Language, Layer, NewRecord, Origin, Priority, Record, Status, words_of
from edge_memory.store import Connection, Visible, jobs, records, told, vectors, words

_TRUST_GAINED_WHEN_REPEATED = 0.5  # of what is missing to certainty
_KEPT_IN_ANY_CASE = 0.9  # the importance of what was asked for, and of identity, health and money
_LEAST_IMPORTANCE, _MOST_IMPORTANCE = 0.3, 0.85
_FEW = 20
_NEAREST = 12  # records whose vectors are looked at for what a statement bears on
_FOR_A_TIME = (
    "flatmate",
    "housemate",
    "roommate",
    "lodger",
    "tenant",
    "lad",
    "lass",
)  # no kin once they live or work elsewhere


@dataclass(frozen=True, slots=True)
class Source:
    """Who said it, in which turn, at which place of the log, what they had said before in the session, and what the
    whole turn `said`, as it is embedded.
    """

    user_id: str
    turn_id: str | None
    origin: Origin
    position: int | None = None
    previous: str = ""
    said: str = ""


def apply_statements(
    connection: Connection,
    statements: Sequence[Statement],
    source: Source,
    embedded: Mapping[str, Vectors],
    limits: MemoryConfig,
    now: float,
    waits: str = "",
) -> list[Record]:
    """The records that were made or confirmed. `waits` says why none of them may count before the owner confirms it.

    `embedded` holds the vectors of texts that could be embedded; for the others a job is left, and another for
    each of the first `extraction_max_items` records that no rule could sort into a slot.
    """
    kept, unsorted = [], 0
    asks_model = words.language(connection) is Language.ENGLISH  # its prompts, and the rules that check it, are English
    for statement in statements:
        if source.turn_id and not records.claim_action(
            connection, source.turn_id, _slot_key(statement), statement.text
        ):
            continue
        related = _related(connection, statement, source, embedded, limits)
        ruling = arbitrate(statement, related.same_slot, related.alike, related.contradicted)
        if is_lifting(statement.slot) and not ruling.targets:
            continue
        if waits and ruling.verb is not Verb.NOOP:
            ruling = Ruling(Verb.MARK_PENDING, ruling.targets, waits)
        cause = records.Cause(ruling.verb.value, ruling.reason, source.turn_id)
        if ruling.verb is Verb.NOOP:
            kept.append(_confirm(connection, ruling.targets[0], statement, cause, now))
            continue
        surprise = _surprise(statement, related, ruling, source)
        if not _is_worth_keeping(statement, ruling, surprise, limits):
            continue
        new = _as_entity(connection, _new_record(statement, source, ruling, surprise))
        record = _write(connection, new, ruling, cause, source, now)
        kept.append(record)
        _index(connection, record, embedded, now)
        if not asks_model or record.status is not Status.ACTIVE:
            continue
        if limits.audit_enabled and ruling.verb is Verb.INSERT:
            leave_audit(connection, record, change=statement.change, now=now)
        if record.key is None and unsorted < limits.extraction_max_items:
            unsorted += 1
            jobs.enqueue(connection, jobs.JobKind.EXTRACT, str(record.id), {"record_id": record.id}, now)
    return kept


def _related(
    connection: Connection, statement: Statement, source: Source, embedded: Mapping[str, Vectors], limits: MemoryConfig
) -> Related:
    near: dict[int, float] = {}
    vector = embedded.get(statement.text)
    if vector is not None:
        visible = Visible(source.user_id, frozenset({Status.ACTIVE}))
        looked_at = max(limits.dedup_lookback, _NEAREST)
        near = dict(vectors.nearest(connection, vector, visible, looked_at))
    twins = [
        id_ for id_ in list(near)[: limits.dedup_lookback] if 1.0 - near[id_] <= limits.duplicate_distance_threshold
    ]
    nearness = Nearness(near, vector, embedded.get(source.said), source.said)
    related = find_related(connection, source.user_id, statement, nearness, twins, source.turn_id)
    return related if limits.dedup_enabled else replace(related, alike=())


def _as_entity(connection: Connection, new: NewRecord) -> NewRecord:
    """An entity, where a fact says who or what that is of which nothing was known under this name."""
    name = named_entity(new.text) if new.kind is Kind.FACT else ""
    if not name or told.sharing_words(connection, new.user_id, name, 1):
        return new
    return replace(new, kind=Kind.ENTITY)


def _surprise(statement: Statement, related: Related, ruling: Ruling, source: Source) -> dict[str, float]:
    return surprise_of(
        statement.text,
        known=[record.text for record in related.alike if record.status is Status.ACTIVE],
        contradicts=bool(ruling.targets),
        explicit=statement.explicit,
        said=statement.excerpt,
        previous=source.previous,
    )


def _is_worth_keeping(
    statement: Statement, ruling: Ruling, surprise: Mapping[str, float], limits: MemoryConfig
) -> bool:
    if statement.explicit or statement.replaces or ruling.targets or is_high_risk(_slot_key(statement)):
        return True
    return surprise["score"] >= limits.surprise_threshold


def _write(
    connection: Connection, new: NewRecord, ruling: Ruling, cause: records.Cause, source: Source, now: float
) -> Record:
    """Ends what the ruling ends. What a later turn has said stays, and then it is this statement that is past."""
    if ruling.verb is Verb.MARK_PENDING:
        return records.insert(connection, new, cause, now, Status.PENDING)
    later = told.told_after(connection, ruling.targets, source.position)
    ended = [target for target in ruling.targets if target.id not in later]
    for target in ended:
        _keep_acquaintances(connection, target, new.source_excerpt, source, now)
    for target in ended:
        status = Status.EXPIRED if ruling.verb is Verb.EXPIRE else Status.SUPERSEDED
        records.change(connection, target.id, cause, now, status=status, valid_to=now)
        vectors.remove(connection, target.id)
    if later and ruling.verb is Verb.SUPERSEDE:
        past = replace(cause, reason="a later turn has said otherwise already")
        return records.insert(connection, replace(new, valid_to=now), past, now, Status.SUPERSEDED)
    return records.insert(connection, new, cause, now, Status.ACTIVE)


def _keep_acquaintances(connection: Connection, target: Record, said: str, source: Source, now: float) -> None:
    """ "My aunt Vera lives in Oslo" also told who Vera is, and that outlives her moving, as one cat does the other."""
    people = introduced(target.source_excerpt)
    if target.kind is Kind.RELATIONSHIP and len(people) == 1:
        return
    told_now = said.lower()
    for person in people:
        # Of two cats that one sentence named, one has died.
        survives = len(people) > 1 and person.kin in PET_SET and (person.name or "").lower() not in words_of(said)
        if person.name is None or person.kin is None or not (survives or person.kin in KIN_SET):
            continue
        if f"{person.kin} {person.name}".lower() in told_now:
            continue
        if person.kin in _FOR_A_TIME:
            continue
        others = told.sharing_words(connection, source.user_id, person.name, _FEW)
        if PARTED.search(said) and COUPLED.fullmatch(person.kin):
            statement = without_role(target.source_excerpt, person, target.confidence)
        elif all(other.id == target.id or not _introduces(other, person) for other in others):
            statement = acquaintance(person, target.confidence)
        else:
            continue
        if statement is not None:
            kept = replace(source, turn_id=target.source_turn_id)
            new = _new_record(statement, kept, Ruling(Verb.INSERT), dict(target.surprise))
            cause = records.Cause("insert", f"told together with record {target.id}", source.turn_id)
            record = records.insert(connection, new, cause, now)
            _index(connection, record, {}, now)


def _introduces(record: Record, person: Person) -> bool:
    return record.status is Status.ACTIVE and any(
        (other.name, other.kin) == (person.name, person.kin) for other in introduced(record.source_excerpt)
    )


def _index(connection: Connection, record: Record, embedded: Mapping[str, Vectors], now: float) -> None:
    if record.status is Status.SUPERSEDED:
        return
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


def _new_record(statement: Statement, source: Source, ruling: Ruling, surprise: dict[str, float]) -> NewRecord:
    slot = statement.slot
    ends, waits = slot is not None and slot.ends, ruling.verb is Verb.MARK_PENDING
    key = _key_of(statement, ruling)
    kept_in_any_case = statement.explicit or is_high_risk(key)
    graded = min(max(surprise.get("score", 0.5), _LEAST_IMPORTANCE), _MOST_IMPORTANCE)
    return NewRecord(
        layer=Layer.SEMANTIC if slot is None else Layer.EPISODIC if ends and not waits else slot.layer,
        kind=(Kind.EVENT if ends else Kind.FACT) if slot is None or ends else slot.kind,
        text=statement.text,
        key=key,
        many=slot is None or slot.many or ends,
        value=_value_of(statement, ruling),
        confidence=statement.confidence,
        importance=_KEPT_IN_ANY_CASE if kept_in_any_case else graded,
        priority=_priority_of(statement),
        user_id=source.user_id,
        origin=source.origin,
        source_turn_id=source.turn_id,
        source_excerpt=statement.excerpt,
        event_time=statement.event_time,
        surprise=surprise,
    )


def _priority_of(statement: Statement) -> Priority:
    """What says that something must not be counts as a hard constraint, in whatever slot or none."""
    slot = statement.slot
    if slot is not None and slot.ends:  # who gave up smoking holds to it
        return Priority.HIGH if restricts(statement.text) else Priority.NORMAL
    if slot is not None and slot.priority is not Priority.NORMAL:
        return slot.priority
    return Priority.HIGH if restricts(statement.text) else Priority.NORMAL


def _key_of(statement: Statement, ruling: Ruling) -> str | None:
    """An end is an event without a slot, unless it waits: then it stands beside what it would end."""
    slot = statement.slot
    if ruling.verb is Verb.MARK_PENDING and ruling.targets:
        return ruling.targets[0].key or (slot.key if slot else None) or None
    return None if slot is None or slot.ends else slot.key or None


def _value_of(statement: Statement, ruling: Ruling) -> Any:
    """What waits and would end more than the other values of its slot names the records, as store.lineage reads it."""
    slot = statement.slot
    key = _key_of(statement, ruling)
    if ruling.verb is Verb.MARK_PENDING:
        plainly = slot is not None and not (slot.ends or slot.many)
        if not plainly or any(target.many or target.key != key for target in ruling.targets):
            return {"compacted_from": [target.id for target in ruling.targets], "value": slot.value if slot else ""}
    return None if slot is None or slot.ends or not slot.value else slot.value
