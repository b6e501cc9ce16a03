"""The job that asks the model what a new record does to the older ones, where the rules on slots leave it open."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from edge_memory.errors import ModelUnavailable
from edge_memory.observe import audit_prompt as audit
from edge_memory.observe.arbitrate import Ruling, Verb
from edge_memory.observe.audit_verdict import Case
from edge_memory.protocols import ChatModel
from edge_memory.records import Record, Status
from edge_memory.store import Connection, Store, Transaction, Visible, jobs, records, told, vectors
from edge_memory.store.jobs import no_effect
from edge_memory.store.vectors import Source

_log = logging.getLogger(__name__)
_LOOKED_AT = 20
_TRUST_GAINED = 0.5  # of what is missing to certainty, as for what is said again


def leave_audit(connection: Connection, record: Record, *, change: bool, now: float) -> None:
    """Leaves the job for a record that the rules have only put beside the others."""
    payload = {"record_id": record.id, "change": change}
    jobs.enqueue(connection, jobs.JobKind.AUDIT, str(record.id), payload, now)


class Auditor:
    def __init__(self, store: Store, chat: ChatModel | None, clock: Callable[[], float]) -> None:
        self._store = store
        self._chat = chat
        self._clock = clock

    async def audit(self, payload: Mapping[str, Any]) -> Transaction[None]:
        """The job `audit`: what does the record `record_id` do to older ones? Asks only where an answer could count.

        Raises NonsenseAnswer for an answer that is none, so that it is asked again and parked in the end.
        """
        record_id = int(payload["record_id"])
        case, candidates = await self._store.read(lambda c: _open_case(c, record_id, change=bool(payload["change"])))
        if case is None or not candidates:
            return no_effect
        if self._chat is None:
            raise ModelUnavailable("no chat model")
        opinion = await audit.ask(self._chat, case.said, candidates)
        ruling = case.believed(opinion)
        _log.info("record %d audited: %s, believed %s", record_id, opinion.verb.value, ruling.verb.value)
        return no_effect if ruling.verb is Verb.INSERT else self._effect(case.record, ruling)

    def _effect(self, record: Record, ruling: Ruling) -> Transaction[None]:
        def effect(connection: Connection) -> None:
            now, target = self._clock(), ruling.targets[0]
            current = records.get_many(connection, [record.id, target.id])
            if any(current[id_].status is not Status.ACTIVE for id_ in (record.id, target.id)):
                return
            action = f"audit {ruling.verb.value} {target.id} {record.text}"
            if record.source_turn_id and not records.claim_action(
                connection, record.source_turn_id, record.key or "", action
            ):
                return
            cause = records.Cause(ruling.verb.value, ruling.reason, record.source_turn_id)
            _carry_out(connection, current[record.id], current[target.id], ruling.verb, cause, now)

        return effect


def _carry_out(
    connection: Connection, record: Record, target: Record, verb: Verb, cause: records.Cause, now: float
) -> None:
    if verb is Verb.NOOP:
        records.change(connection, record.id, cause, now, status=Status.SUPERSEDED, valid_to=now)
        vectors.remove(connection, record.id)
        surer = target.confidence + (1.0 - target.confidence) * _TRUST_GAINED
        changes = {"confidence": max(surer, record.confidence), "reinforcement": target.reinforcement + 1}
        records.change(connection, target.id, cause, now, last_used_at=now, **changes)
    elif verb is Verb.MARK_PENDING:
        waits = {"compacted_from": [target.id], "value": record.value if isinstance(record.value, str) else ""}
        records.change(connection, record.id, cause, now, status=Status.PENDING, key=target.key, value=waits)
    else:
        status = Status.EXPIRED if verb is Verb.EXPIRE else Status.SUPERSEDED
        end = records.Cause("expire" if verb is Verb.EXPIRE else "supersede", cause.reason, cause.turn_id)
        records.change(connection, target.id, end, now, status=status, valid_to=now)
        vectors.remove(connection, target.id)
        # Right after what it ended: lineage.replaced_by reads what a rollback brings back from this.
        records.change(connection, record.id, records.Cause("replace", cause.reason, cause.turn_id), now)


def _open_case(connection: Connection, record_id: int, *, change: bool) -> tuple[Case | None, list[Record]]:
    """The candidates share the most words with the record or are near to it; the newest first among equals."""
    record = records.get_many(connection, [record_id]).get(record_id)
    if record is None or record.status is not Status.ACTIVE:
        return None, []
    case = Case(record, record.source_excerpt or record.text, change)
    shared = told.sharing_words(connection, record.user_id, record.text, _LOOKED_AT)
    found = {one.id: one for one in (*shared, *_near(connection, record))}
    open_ones = [one for one in found.values() if one.status is Status.ACTIVE and case.bears_on(one)]
    return case, sorted(open_ones, key=lambda one: (-case.likeness(one), -one.id))[: audit.MOST_CANDIDATES]


def _near(connection: Connection, record: Record) -> list[Record]:
    stored = vectors.get(connection, record.id, Source.RECORD)
    if stored is None:
        return []
    visible = Visible(record.user_id, frozenset({Status.ACTIVE}))
    near = vectors.nearest(connection, np.frombuffer(stored, dtype=np.float32), visible, _LOOKED_AT)
    return list(records.get_many(connection, [id_ for id_, _ in near]).values())
