"""Which hard constraints bind a turn: those in force at its hour, and whom each of them is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from edge_memory.errors import EdgeMemoryError
from edge_memory.memory import Memory
from edge_memory.records import Record, UserTurn, words_of
from firmware_bridge.turn.constraints import KIN_TAG, in_force
from firmware_bridge.turn.told import subjects, told_by


async def binding(memory: Memory, constraints: Iterable[Record], turn: UserTurn) -> tuple[Record, ...]:
    """The constraints in force; one about Mia is known to be about "my daughter" too. Never raises."""
    held = in_force(constraints, turn.text, turn.heard_at)
    if not any(subjects(told_by(record)) for record in held):
        return held
    try:
        return with_kin(held, await memory.relations(turn.user_id))
    except EdgeMemoryError:
        return held


def with_kin(constraints: Iterable[Record], relations: Mapping[str, tuple[str, ...]]) -> tuple[Record, ...]:
    """Each with the kin words that stand for whom it is about. `relations` holds the names for each kin word."""
    return tuple(_with_kin(record, relations) for record in constraints)


def _with_kin(record: Record, relations: Mapping[str, tuple[str, ...]]) -> Record:
    about = subjects(told_by(record))
    kin = [word for word, names in relations.items() if any(about & set(words_of(name)) for name in names)]
    return replace(record, tags=(*record.tags, *(f"{KIN_TAG}{word}" for word in kin))) if kin else record
