"""Which hard constraints bind a turn: those in force at its hour, and whom each of them is about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from edge_memory.records import Record, Relations, UserTurn, words_of
from firmware_bridge.turn.english.constraints import KIN_TAG, in_force
from firmware_bridge.turn.english.told import subjects, told_by


def binding(constraints: Iterable[Record], turn: UserTurn, relations: Relations) -> tuple[Record, ...]:
    """The constraints in force; one about Mia is known to be about "my daughter" too."""
    return with_kin(in_force(constraints, turn.text, turn.heard_at), relations)


def with_kin(constraints: Iterable[Record], relations: Relations) -> tuple[Record, ...]:
    """Each with the kin words that stand for whom it is about."""
    return tuple(_with_kin(record, relations) for record in constraints)


def _with_kin(record: Record, relations: Relations) -> Record:
    about = subjects(told_by(record))
    kin = [word for word, names in relations.items() if any(about & set(words_of(name)) for name in names)]
    return replace(record, tags=(*record.tags, *(f"{KIN_TAG}{word}" for word in kin))) if kin else record
