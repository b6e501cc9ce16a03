"""What a statement does to what is believed already. Rules on slots and words; nearness alone never decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from edge_memory.observe.english.contradictions.plans import is_rescheduled
from edge_memory.observe.english.lexicon import word_class
from edge_memory.observe.english.slots import is_death
from edge_memory.observe.english.wording import classes_of, stem, telling
from edge_memory.observe.risk import is_high_risk, speaks_of_risk
from edge_memory.observe.statement import Statement
from edge_memory.records import Record, Status, words_of

_SURE = 0.9
_CONFIRMED = 0.95  # typed by the owner or said many times: one word against it is not enough
_SMALL_WORDS = frozenset("a an the of in on at to is are was my i and it now".split())
_EMPHASIS = frozenset("also really just very so much still the user user's s again actually absolutely".split())
_COMPARISON = frozenset(("over", "than", "before", "above", "to"))
_MUCH_NEWS = 2
_CALLED = "user.nickname"  # one may have several, until told to use another


class Verb(StrEnum):
    INSERT = "insert"
    UPDATE = "update"  # the model sorted it: the words stay, the slot is new
    SUPERSEDE = "supersede"
    EXPIRE = "expire"
    NOOP = "noop"  # said again: nothing new but the confidence
    MARK_PENDING = "mark_pending_confirmation"


@dataclass(frozen=True, slots=True)
class Ruling:
    """`targets` are the records that the verb ends or would end, or the one that was said again."""

    verb: Verb
    targets: tuple[Record, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Related:
    """The older records that a statement has to do with: those of its slot, those that share words with it, and those
    that cannot be true beside it.
    """

    same_slot: tuple[Record, ...]
    alike: tuple[Record, ...]
    contradicted: tuple[Record, ...]


def arbitrate(
    statement: Statement, slot_mates: Sequence[Record], alike: Sequence[Record], against: Sequence[Record] = ()
) -> Ruling:
    """`slot_mates` are the live records of the statement's slot, `alike` those whose text is the same or near,

    `against` those that by their words cannot be true beside the statement.
    """
    twin = next((record for record in alike if says_the_same(record, statement)), None)
    if twin is not None:
        return Ruling(Verb.NOOP, (twin,), "said again")
    ruling = _ruling(statement, slot_mates, against)
    if ruling.verb is not Verb.MARK_PENDING:
        return ruling
    waiting = next((one for one in ruling.targets if _waits_alike(one, statement)), None)
    if waiting is not None:
        return Ruling(Verb.NOOP, (waiting,), "said again, and it still waits")
    believed = tuple(one for one in ruling.targets if one.status is Status.ACTIVE)
    return replace(ruling, targets=believed or ruling.targets)


def _ruling(statement: Statement, slot_mates: Sequence[Record], against: Sequence[Record]) -> Ruling:
    slot = statement.slot
    if slot is not None and slot.ends:
        return _end(statement, [mate for mate in slot_mates if not slot.value or _mentions(mate, slot.value)], against)
    if slot is None or slot.many:
        return _beside(statement, slot_mates, against)
    return _replace(statement, [mate for mate in slot_mates if not mate.many], against)


def says_the_same(record: Record, statement: Statement) -> bool:
    """The same words in the same order but for emphasis. "Not" and every other word counts: nearness proves nothing."""
    return record.status is Status.ACTIVE and _in_order(record.text) == _in_order(statement.text)


def _waits_alike(record: Record, statement: Statement) -> bool:
    return record.status is Status.PENDING and _in_order(record.text) == _in_order(statement.text)


def _end(statement: Statement, mates: Sequence[Record], against: Sequence[Record]) -> Ruling:
    ended = _each_once([*mates, *against])
    if not ended:
        return Ruling(Verb.INSERT, reason="new")
    if _is_risky(statement, ended) and not is_death(statement.slot):
        return Ruling(Verb.MARK_PENDING, ended, "the end of something about identity, health or money")
    return Ruling(Verb.EXPIRE, ended, "the user said that it ended")


def _beside(statement: Statement, mates: Sequence[Record], against: Sequence[Record]) -> Ruling:
    """A slot of many values: only what the words contradict goes."""
    slot = statement.slot
    same = next((mate for mate in mates if slot and _same_value(mate, slot.value)), None)
    apart = same is not None and _is_another(statement, same)
    if same is not None and not apart and not _is_settled(same, statement) and len(_news(statement, same)) < _MUCH_NEWS:
        return Ruling(Verb.NOOP, (same,), "said again")
    if same is not None and apart and statement.replaces:
        against = [*against, same]
    if slot is not None and statement.replaces:
        against = [*against, *(mate for mate in mates if slot.key == _CALLED or _is_put_right(statement, mate))]
    against = _each_once([record for record in against if apart or record is not same])
    if not against:
        return Ruling(Verb.INSERT, reason="new")
    return _overwrite(statement, against, "what it contradicts")


def _replace(statement: Statement, mates: Sequence[Record], against: Sequence[Record]) -> Ruling:
    """A slot of one value."""
    slot = statement.slot
    assert slot is not None
    same = next((mate for mate in mates if _same_value(mate, slot.value)), None)
    if same is not None and not _is_settled(same, statement) and not _is_another(statement, same):
        if is_high_risk(slot.key) or len(_news(statement, same)) < _MUCH_NEWS:
            return Ruling(Verb.NOOP, (same,), "said again")
        return Ruling(Verb.SUPERSEDE, (same,), "said again, and more of it")
    replaced = _each_once([*mates, *against])
    if not replaced:
        return Ruling(Verb.INSERT, reason="new")
    if not statement.change and all(one.key == slot.key and _is_bare_medicine(one) for one in replaced):
        return Ruling(Verb.INSERT, reason="when or how much of a medicine, of which that was not told")
    return _overwrite(statement, replaced, "a new value of the same slot")


def _is_put_right(statement: Statement, mate: Record) -> bool:
    """ "No, my cat is called Tim" after "my cat is called Tom": the same but for the value."""
    if not statement.restated or statement.slot is None or not isinstance(mate.value, str):
        return False
    now, before = set(words_of(statement.slot.value)), set(words_of(mate.value))
    return [w for w in words_of(statement.text) if w not in now] == [w for w in words_of(mate.text) if w not in before]


def _is_bare_medicine(record: Record) -> bool:
    """Whether it tells that a medicine is taken, and neither when nor how much of it."""
    medicine = (record.key or "").partition(".medicine_")[2]
    return isinstance(record.value, str) and bool(medicine) and words_of(record.value) == medicine.split("_")


def _overwrite(statement: Statement, replaced: tuple[Record, ...], reason: str) -> Ruling:
    if _is_risky(statement, replaced):
        return Ruling(Verb.MARK_PENDING, replaced, "identity, health or money: needs a confirmation")
    certain = any(record.confidence >= _CONFIRMED for record in replaced)
    if certain and statement.confidence < _SURE and not statement.change:
        return Ruling(Verb.MARK_PENDING, replaced, "it contradicts what is certain")
    return Ruling(Verb.SUPERSEDE, replaced, reason)


def _is_risky(statement: Statement, replaced: Sequence[Record]) -> bool:
    keys = [statement.slot.key if statement.slot else None, *(record.key for record in replaced)]
    if statement.confidence >= _CONFIRMED:
        return False
    if _is_appointment(statement) and not any(map(is_high_risk, keys)):
        return False
    unsorted = [record.text for record in replaced if record.key is None]
    return any(map(is_high_risk, keys)) or any(map(speaks_of_risk, unsorted))


def _is_appointment(statement: Statement) -> bool:
    """Another day for an operation is no other illness."""
    key = statement.slot.key if statement.slot else ""
    return key.endswith(".when") and is_rescheduled(statement.text)


def _is_settled(same: Record, statement: Statement) -> bool:
    sure = statement.confidence >= _SURE and not _is_risky(statement, (same,))
    return same.status is Status.PENDING and sure


def _news(statement: Statement, record: Record) -> frozenset[str]:
    return telling(statement.text) - telling(record.text)


def _is_another(statement: Statement, record: Record) -> bool:
    """Whether it tells another day, month, number or colour than the record: "football on Sundays", "twenty mg"."""
    new, old = telling(statement.text), telling(record.text)
    return bool(classes_of(new - old) & classes_of(old - new))


def _each_once(found: Sequence[Record]) -> tuple[Record, ...]:
    return tuple({record.id: record for record in found}.values())


def _words(text: str) -> frozenset[str]:
    return frozenset(words_of(text)) - _SMALL_WORDS


def _in_order(text: str) -> list[str]:
    return [word for word in words_of(text) if word not in _SMALL_WORDS | _EMPHASIS]


def _numbers(text: str) -> list[str]:
    return [word for word in words_of(text) if word_class(word) == "number"]


def _same_value(mate: Record, value: str) -> bool:
    """The same words; their order counts in a comparison ("tea over coffee") and among numbers ("two two four")."""
    if not isinstance(mate.value, str) or not value or _words(mate.value) != _words(value):
        return False
    if _numbers(mate.value) != _numbers(value):
        return False
    return _COMPARISON.isdisjoint(words_of(value)) or words_of(mate.value) == words_of(value)


def _mentions(mate: Record, value: str) -> bool:
    stems = frozenset(map(stem, _words(value)))
    return bool(stems) and stems <= frozenset(map(stem, _words(f"{mate.text} {mate.value}")))
