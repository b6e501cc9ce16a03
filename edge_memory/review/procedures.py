"""Procedural dedup: records of one workflow are proposed to become its canonical record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from edge_memory.records import Kind, Layer, NewRecord, Origin, Priority, Record, words_of

_NUMBERED = "{number}. {step}"


def workflow_of(record: Record) -> str | None:
    """The workflow's name in its plain form, None for a record that names none."""
    name = record.value.get("workflow") if isinstance(record.value, dict) else None
    plain = " ".join(words_of(name)) if isinstance(name, str) else ""
    return plain or None


def procedure(name: str, steps: Sequence[str], user_id: str, scope: str) -> NewRecord:
    """A named way of doing something, as the owner wrote it down."""
    return NewRecord(
        layer=Layer.PROCEDURAL,
        kind=Kind.WORKFLOW,
        text=told(name, steps),
        key=f"procedure.{'_'.join(words_of(name))}",
        many=True,
        value={"workflow": name, "steps": list(steps), "canonical": False, "success_count": 0},
        confidence=1.0,
        importance=0.7,
        priority=Priority.HIGH,
        scope=scope,
        user_id=user_id,
        origin=Origin.OWNER,
    )


def told(name: str, steps: Sequence[str]) -> str:
    return f"{name}: " + "; ".join(_NUMBERED.format(number=n, step=step) for n, step in enumerate(steps, start=1))


def same_workflow(active: Sequence[Record]) -> list[list[Record]]:
    """Groups of two and more records of one workflow, user, session and scope, in the order of their ids."""
    groups: defaultdict[tuple[str | None, ...], list[Record]] = defaultdict(list)
    for record in active:
        workflow = workflow_of(record)
        if workflow is not None:
            groups[record.user_id, record.session_id, record.scope, workflow].append(record)
    return [group for group in groups.values() if len(group) > 1]


def canonical(group: Sequence[Record]) -> NewRecord:
    """The proposal: the record that proved itself most often, then the newest, stands for all."""
    best = max(group, key=lambda record: (record.success_count, record.reinforcement, record.id))
    value: dict[str, Any] = {
        **(best.value if isinstance(best.value, dict) else {}),
        "canonical": True,
        "compacted_from": [record.id for record in group],
        "success_count": sum(record.success_count for record in group),
        "evidence_refs": list(dict.fromkeys(record.source_turn_id for record in group if record.source_turn_id)),
    }
    return NewRecord(
        layer=Layer.PROCEDURAL,
        kind=best.kind,
        text=best.text,
        key=best.key,
        many=True,
        value=value,
        confidence=best.confidence,
        importance=max(record.importance for record in group),
        priority=best.priority,
        scope=best.scope,
        tags=tuple(dict.fromkeys(tag for record in group for tag in record.tags)),
        session_id=best.session_id,
        user_id=best.user_id,
        origin=Origin.OWNER,
    )
