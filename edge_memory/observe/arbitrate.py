"""What a statement does to what is believed already. Rules on slots; vectors never decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from edge_memory.observe.reading import Statement
from edge_memory.observe.slots import is_high_risk
from edge_memory.records import Record, Status, words_of

_SURE = 0.9
_SMALL_WORDS = frozenset("a an the of in on at to is are was my i and it now".split())
_EMPHASIS = frozenset("also really just very so much still the user user's s again actually absolutely".split())


class Verb(StrEnum):
    INSERT = "insert"
    SUPERSEDE = "supersede"
    EXPIRE = "expire"
    NOOP = "noop"  # said again: nothing new but the confidence
    MARK_PENDING = "mark_pending_confirmation"


@dataclass(frozen=True, slots=True)
class Ruling:
    """`targets` are the records that the verb ends, or the one that was said again."""

    verb: Verb
    targets: tuple[Record, ...] = ()
    reason: str = ""


def arbitrate(statement: Statement, slot_mates: Sequence[Record], alike: Sequence[Record]) -> Ruling:
    """`slot_mates` are the live records of the statement's slot, `alike` those whose text is the same or near."""
    twin = next((record for record in alike if _says_the_same(record, statement)), None)
    if twin is not None:
        return Ruling(Verb.NOOP, (twin,), "said again")
    slot = statement.slot
    if slot is None:
        return Ruling(Verb.INSERT, reason="new")
    if slot.ends:
        ended = tuple(mate for mate in slot_mates if _mentions(mate, slot.value))
        return Ruling(Verb.EXPIRE, ended, "the user said that it ended") if ended else Ruling(Verb.INSERT, reason="new")
    same = next((mate for mate in slot_mates if _same_value(mate, slot.value)), None)
    settled = same is not None and same.status is Status.PENDING and statement.confidence >= _SURE
    if same is not None and not settled:
        return Ruling(Verb.NOOP, (same,), "said again")
    if slot.many or not slot_mates:
        return Ruling(Verb.INSERT, reason="new")
    if is_high_risk(slot.key) and statement.confidence < _SURE:
        return Ruling(Verb.MARK_PENDING, reason="identity, health or money: needs a confirmation")
    return Ruling(Verb.SUPERSEDE, tuple(slot_mates), "a new value of the same slot")


def _words(text: str) -> frozenset[str]:
    return frozenset(words_of(text)) - _SMALL_WORDS


def _says_the_same(record: Record, statement: Statement) -> bool:
    """The same words but for emphasis. "Not" and every other word counts: nearness alone proves nothing."""
    return record.status is Status.ACTIVE and _words(record.text) - _EMPHASIS == _words(statement.text) - _EMPHASIS


def _same_value(mate: Record, value: str) -> bool:
    return isinstance(mate.value, str) and _words(mate.value) == _words(value)


def _mentions(mate: Record, value: str) -> bool:
    return bool(_words(value)) and _words(value) <= _words(f"{mate.text} {mate.value}")
