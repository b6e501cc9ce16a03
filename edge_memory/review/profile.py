"""The profile: what is believed about the user, sorted as an assistant needs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from edge_memory.records import Kind, Layer, Priority, Record, Status
from edge_memory.store import Connection, lineage, records
from edge_memory.store.finding import last_ended, of_the_profile

_HARD = frozenset({Priority.CRITICAL, Priority.HIGH})
_TASKS = frozenset("task tasks project goal plan decision learning todo".split())
_MOST_CHANGES = 10

Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Profile:
    """An entry has record_id, text, value, confidence and since (Unix seconds).

    The first three hold the entries of each slot. A change has key, was, now (None when nothing took its place) and at.
    """

    identity: dict[str, list[Entry]]
    hard_preferences: dict[str, list[Entry]]
    soft_preferences: dict[str, list[Entry]]
    current_tasks: list[Entry]
    recent_changes: list[Entry]
    sensitive_topics: list[Entry]


def project(connection: Connection, user_id: str, is_sensitive: Callable[[str | None], bool]) -> Profile:
    """Only what is active and seen by every session; surest first in each slot, newest first in each list."""
    believed = of_the_profile(connection, user_id, lambda key: is_sensitive(key) or _is_of_task(key))
    sections: dict[str, dict[str, list[Entry]]] = {"identity": {}, "hard": {}, "soft": {}}
    for record in sorted(believed, key=lambda record: (-record.confidence, -record.id)):
        section = _section(record)
        if section:
            sections[section].setdefault(record.key or record.kind.value, []).append(_entry(record))
    newest = believed[::-1]
    return Profile(
        identity=sections["identity"],
        hard_preferences=sections["hard"],
        soft_preferences=sections["soft"],
        current_tasks=[_entry(record) for record in newest if _is_task(record)],
        recent_changes=_changes(connection, user_id),
        sensitive_topics=[
            _entry(record) | {"key": record.key} for record in newest if _wants_care(record, is_sensitive)
        ],
    )


def _wants_care(record: Record, is_sensitive: Callable[[str | None], bool]) -> bool:
    """Health, money and the like. A name, which is asked about before it changes, stands on every doorbell."""
    return is_sensitive(record.key) and not (record.key or "").endswith("name")


def _section(record: Record) -> str | None:
    if record.kind is Kind.POLICY or (record.kind is Kind.PREFERENCE and record.priority in _HARD):
        return "hard"
    if record.kind is Kind.PREFERENCE:
        return "soft"
    return "identity" if record.layer is Layer.PROFILE and not _is_task(record) else None


def _is_task(record: Record) -> bool:
    return record.kind is Kind.DECISION or _is_of_task(record.key or "")


def _is_of_task(key: str) -> bool:
    _, _, attribute = key.partition(".")
    return not _TASKS.isdisjoint(attribute.split("_"))


def _entry(record: Record) -> Entry:
    return {
        "record_id": record.id,
        "text": record.text,
        "value": record.value,
        "confidence": record.confidence,
        "since": record.valid_from,
    }


def _changes(connection: Connection, user_id: str) -> list[Entry]:
    return [
        {"key": record.key, "was": record.text, "now": _successor(connection, record), "at": record.valid_to}
        for record in last_ended(connection, user_id, _MOST_CHANGES)
    ]


def _successor(connection: Connection, record: Record) -> str | None:
    """What took its place, or what has taken the place of that; None once nothing stands there."""
    if record.status is Status.EXPIRED:  # what ended it is no new value
        return None
    seen = {record.id}
    while (found := lineage.replacement(connection, record.id)) is not None and found not in seen:
        seen.add(found)
        record = records.get(connection, found)
    return record.text if record.status is Status.ACTIVE else None
