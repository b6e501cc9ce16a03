"""What memory has to say to a German utterance: an answer in the user's own words, a refusal, or that it does not know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from itertools import chain

from edge_memory.errors import EdgeMemoryError
from edge_memory.memory import Memory
from edge_memory.observe import Context, Statement, read_statements
from edge_memory.observe.absolute_dates import dated_memory
from edge_memory.observe.german.clauses import asks
from edge_memory.observe.german.lexicon import KIN_OF, PETS
from edge_memory.observe.german.verbs import second_person
from edge_memory.observe.risk import is_high_risk
from edge_memory.recall import Activated
from edge_memory.records import Language, Message, Record, Relations, Role, UserTurn, words_of
from firmware_bridge.phrases import PHRASES
from firmware_bridge.turn.aside import aside
from firmware_bridge.turn.english.grounding import Grounds
from firmware_bridge.turn.german import constraints
from firmware_bridge.turn.german.ideas import OCCASIONS
from firmware_bridge.turn.german.questions import Question, covers, fits, read_question, telling_stems
from firmware_bridge.turn.german.receipts import GERMAN as RECEIPTS
from firmware_bridge.turn.ideas import idea_for, occasion_of

_PHRASES = PHRASES[Language.GERMAN]
_GERMAN = Context(language=Language.GERMAN)
_MOST_BELIEVED, _MOST_TOLD = 1_000, 6


async def know(memory: Memory, turn: UserTurn, active: Activated, history: Sequence[Message]) -> Grounds:
    """What a reply to the turn must say, whole; nothing where the model is to answer."""
    held = [dated_memory(record, turn.heard_at) for record in active.constraints]
    question = await aside(turn.text, lambda: _heeded(turn.text, held) or read_question(turn.text))
    if question is None:
        return await aside(turn.text, lambda: _unasked(turn.text, held))
    if isinstance(question, Grounds):
        return question
    try:
        believed = await memory.review.about(turn.user_id, _MOST_BELIEVED)
    except EdgeMemoryError:
        believed = []
    recalled = [hit.record for hit in active.recollection.hits]
    known = [dated_memory(record, turn.heard_at) for record in {r.id: r for r in (*recalled, *believed)}.values()]
    heard = [message.content for message in history if message.role is Role.USER]
    told = _answer(question, known, heard, active.relations)
    if told:
        return Grounds(turn.text, told=f"{'. '.join(told)}.")
    return Grounds(turn.text, told=_PHRASES.dont_know) if _is_personal(question, known) else Grounds(turn.text)


def _heeded(text: str, held: Sequence[Record]) -> Grounds | None:
    """What is refused, whatever is asked."""
    refused = _refused(text, held)
    return Grounds(text, told=refused) if refused else None


def _unasked(text: str, held: Sequence[Record]) -> Grounds:
    """For what asks nothing that was told."""
    near = constraints.of_the_table(held) if constraints.asks_suggestion(text) else []
    if near and occasion_of(text, OCCASIONS):
        return Grounds(text, told=_heeding(text, near))
    if not near and (ended := _said_to_be_over(text, held)):
        return Grounds(text, told=_PHRASES.will_ask.format(told=ended))
    if not near and (receipt := RECEIPTS.receipt(text)):
        return Grounds(text, told=receipt)
    kept = "; ".join(map(said_back, near))
    return Grounds(
        text,
        constraints=tuple(near),
        note=_PHRASES.must_be_kept.format(told=kept) if near else "",
        against=constraints.goes_against,
        instead=_PHRASES.nothing_fits.format(told=kept) if near else "",
    )


def about(topic: str, found: Iterable[Record]) -> list[Record]:
    """Those of the records that tell of a topic."""
    asked = telling_stems(topic)
    return [record for record in found if covers(_stems(record), asked)]


def said_back(record: Record) -> str:
    """What a record says, told to the user in their own words, without the full stop."""
    said = record.source_excerpt
    return second_person(record.text if not said or said == record.value else said).rstrip(" .!")


def _refused(text: str, held: Sequence[Record]) -> str:
    """A plain no to what a constraint forbids, or that nobody here can tell."""
    if not constraints.asks_permission(text):
        return ""
    if named := constraints.named_in(text, held):
        return _PHRASES.better_not.format(told=_all(named), ask="")
    if medicines := constraints.medicines_beside(text, held):
        return _PHRASES.cannot_tell.format(told=_all(medicines), ask=_PHRASES.ask_pharmacist)
    return ""


def _heeding(text: str, near: Sequence[Record]) -> str:
    """What is said to a wish for an idea: what is to be kept, and what would do where all is known that it forbids."""
    careful = _PHRASES.careful.format(told="; ".join(dict.fromkeys(map(said_back, near))))
    if not all(map(constraints.is_known, near)):
        return careful
    idea = idea_for(text, OCCASIONS, lambda one: any(constraints.forbids(record, one) for record in near))
    return f"{careful} {_PHRASES.how_about.format(idea=idea)}" if idea else careful


def _said_to_be_over(text: str, held: Sequence[Record]) -> str:
    """What it says of one of these, that it is over, told back: memory waits with it and asks once more."""
    keys = {record.key for record in held}
    said = read_statements(text, _GERMAN) if keys else ()
    slots = ((one.excerpt, one.slot) for one in said if one.slot is not None)
    ended = (told for told, slot in slots if slot.ends and slot.key in keys and is_high_risk(slot.key))
    return second_person(next(ended, "")).rstrip(" .!")


async def broken(memory: Memory, turn: UserTurn) -> str:
    """How a turn that goes against a standing order is refused; empty when it does not."""
    held = await memory.constraints(turn.session_id, turn.user_id)
    orders = constraints.orders_broken(turn.text, held)
    told = "; ".join(f"„{(record.source_excerpt or record.text).rstrip(' .!')}“" for record in orders)
    return _PHRASES.you_told_me.format(orders=told) if orders else ""


def _answer(question: Question, known: Sequence[Record], heard: Sequence[str], relations: Relations) -> list[str]:
    """First what was just said, then what fills the slot that is asked for, then what tells all its words."""
    said = [one for text in reversed(heard) if not asks(text) for one in reversed(read_statements(text, _GERMAN))]
    for key in chain.from_iterable(_with_names(key, relations) for key in question.slots):
        just = [one for one in said if one.slot and not one.slot.ends and fnmatchcase(one.slot.key, key)]
        mates = [record for record in known if _fills(record, key)]
        if key == "user.pet":
            just, mates = _of_the_kind(question, just, mates)
        told = [*(second_person(one.excerpt) for one in just), *map(said_back, mates)]
        if told:
            many = key.endswith("*") or any(record.many for record in mates)
            return list(dict.fromkeys(told))[: _MOST_TOLD if many else 1]
    tellings = [(second_person(one.excerpt), one.slot.key if one.slot else "", telling_stems(one.text)) for one in said]
    tellings += [(said_back(record), record.key or "", _stems(record)) for record in known]
    fitting = [
        text for text, key, stems in tellings if covers(stems, question.stems) and fits(question.sort, text, key)
    ]
    return fitting[:1]


def _fills(record: Record, key: str) -> bool:
    """Also "mia.age" fills "daughter.age", told as "meine Tochter Mia ist acht"."""
    subject, _, attribute = key.partition(".")
    whose, _, held = (record.key or "").partition(".")
    if not fnmatchcase(held, attribute):
        return False
    return whose == subject or (
        whose not in ("user", "home") and subject in {KIN_OF.get(word) for word in words_of(record.source_excerpt)}
    )


def _of_the_kind(
    question: Question, just: list[Statement], mates: list[Record]
) -> tuple[list[Statement], list[Record]]:
    """ "Wie heißt mein Hund" is not answered by the cat."""
    kinds = {word for word in words_of(question.text) if word in PETS}
    if not kinds:
        return just, mates
    return (
        [one for one in just if kinds & set(words_of(one.excerpt))],
        [record for record in mates if kinds & set(words_of(f"{record.text} {record.value}"))],
    )


def _with_names(key: str, relations: Relations) -> list[str]:
    """ "sister.home" may be kept as "jana.home"."""
    subject, _, attribute = key.partition(".")
    return [key, *(f"{name.lower()}.{attribute}" for name in relations.get(subject, ()))]


def _is_personal(question: Question, known: Iterable[Record]) -> bool:
    subjects = {(record.key or "").partition(".")[0] for record in known} - {"user", "home", "rule", ""}
    return question.personal or bool(subjects & set(words_of(question.text)))


def _stems(record: Record) -> frozenset[str]:
    key = re.sub(r"[._]", " ", (record.key or "").partition(".")[0])
    return telling_stems(f"{record.text} {record.source_excerpt} {record.value or ''} {key}")


def _all(records: Iterable[Record]) -> str:
    return ". ".join(dict.fromkeys(map(said_back, records)))
