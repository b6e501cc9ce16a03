"""Holding a weak model to what memory knows: what it must not forget, and what it must not make up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from edge_memory import lazy_re as re
from edge_memory.observe import read_statements
from edge_memory.observe.absolute_dates import dated, moment_of
from edge_memory.observe.risk import is_high_risk
from edge_memory.observe.statement import is_how_it_is_now
from edge_memory.records import Language, Record, words_of
from firmware_bridge.phrases import PHRASES
from firmware_bridge.turn.english.constraints import (
    binds,
    forbidden_to,
    forbids_a_medicine,
    goes_against,
    in_force,
    is_order,
    known_to_forbid,
    names,
    names_more_than_a_meal,
    touched,
)
from firmware_bridge.turn.english.evidence import answers
from firmware_bridge.turn.english.forbidden import is_medicine
from firmware_bridge.turn.english.ideas import idea_for
from firmware_bridge.turn.english.own_life import is_of_own_life
from firmware_bridge.turn.english.questions import Question, Sort, asks, read_question
from firmware_bridge.turn.english.requests import (
    asks_leave,
    asks_of_another,
    asks_permission,
    asks_suggestion,
    asks_when,
)
from firmware_bridge.turn.english.second_person import own_words, said_back, second_person
from firmware_bridge.turn.english.told import Told, joined, says_who, subjects, told_by, told_in
from firmware_bridge.turn.english.wordforms import telling_words

_MOST_READ = 256  # utterances whose telling is kept: a conversation's are the same from turn to turn
_PHRASES = PHRASES[Language.ENGLISH]
_HARMFUL = frozenset("allergy cannot_have condition diet_rule medicine".split())
_OF_WHOM_ONE_HAS_SEVERAL = frozenset(
    """kid kids child children son sons daughter daughters brother brothers sister sisters siblings aunt aunts uncle
    uncles cousin cousins niece nieces nephew nephews grandchild grandchildren grandkids grandson grandsons
    granddaughter granddaughters friend friends flatmate flatmates housemates neighbour neighbours pet pets cat cats
    dog dogs""".split()
)
_MOST_TOGETHER = 5
_ONE_QUESTION = 24  # words; who says more wants more than what they told
_AND_MORE = re.compile(
    r"\b(?:and|then|also|so|but)(?: can| could| would| will)?(?: you)?(?: please| then)?"
    r" (?:tell me (?:a|an|how|why|about)|write|make|explain|suggest|give me|think|help|sing|say something"
    r"|plan|recommend|compare|describe|wish|why|how come)\b|\bwhy\b.*\?",
    re.IGNORECASE,
)
_MOVED_ON = re.compile(
    r"\b(?:has|have|was|were|been|got|'s|'ve) (?:been |just |now )*(?:transferred|relocated|posted|shifted"
    r"|moved|rescheduled|postponed)\b",
    re.IGNORECASE,
)
_WRONG_PERSON = re.compile(
    r"\bthe user\b|^\W*(?:my|our|we)\b"
    r"|^\W*(?:i|i'm|i've)\s+(?!don't|do not|can't|cannot|am sorry|sorry|know|remember|think|see|will|would|have no)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Grounds:
    """What memory has to say to one utterance.

    `answer` is what answers it, in the user's own words, and `news` is the telling part of that; `also` is what else
    does, where one of several would be half the truth ("what am I allergic to"). `constraints` are
    the hard ones that it touches; with `refused` it asks for the very thing that they forbid. `unknown` is set when the
    user asks about their own life and nothing tells of it. `source` is the record that answers. `told` is the whole
    reply where rules alone decide it, `note` what the model is told beside it. `against` tells of a reply, in the
    language of the turn, whether it goes against constraints; `instead` is what is said then, where it is known before.
    """

    text: str
    answer: str = ""
    news: str = ""
    also: tuple[str, ...] = ()
    constraints: tuple[Record, ...] = ()
    refused: bool = False
    unknown: bool = False
    source: Record | None = None
    told: str = ""
    note: str = ""
    against: Callable[[str, Iterable[Record], str], bool] = goes_against
    instead: str = ""

    @property
    def asks_more(self) -> bool:
        """Whether something else is wanted beside an answer, so that the model writes the reply."""
        return bool(_AND_MORE.search(self.text)) or len(words_of(self.text)) > _ONE_QUESTION

    @property
    def binding(self) -> bool:
        """Whether a reply has to be checked before anybody hears it."""
        return bool(self.answer or self.constraints)

    def accepts(self, reply: str) -> bool:
        """Whether a reply uses the answer that is known, speaks to the user, and keeps to the constraints."""
        if self.against(reply, self.constraints, self.text):
            return False
        if not self.answer:
            return True
        return not _WRONG_PERSON.search(reply) and all(self._tells(reply, news) for news in (self.news, *self.also))

    def _tells(self, reply: str, told: str) -> bool:
        news = telling_words(told) - telling_words(self.text) or telling_words(self.answer) - telling_words(self.text)
        return not news or bool(news & telling_words(reply))

    def reminder(self) -> str:
        """What stands right before the question: the constraints that it touches, as what they are."""
        told = "; ".join(said_back(record) for record in self.constraints)
        return self.note or (_PHRASES.must_be_kept.format(told=told) if told else "")

    def without_model(self) -> str:
        """The reply where the model is not asked; else empty."""
        if self.told or self.unknown:
            return self.told or _PHRASES.dont_know
        return self.own_words() if self.refused or (self.answer and not self.asks_more) else ""

    def own_words(self) -> str:
        """The reply when the model's is not acceptable: what the user said, told back."""
        if self.instead:
            return self.instead
        if self.answer:
            return f"{'. '.join(map(second_person, (self.answer, *self.also)))}."
        return refusal(self.constraints, self.text) if self.refused else heeding(self.constraints, self.text)


def heeding(constraints: Sequence[Record], text: str) -> str:
    """What is said to a wish that comes near to constraints: that they are to be kept, and what would do, if"
    " known."""
    medicines = [record for record in constraints if is_medicine(record)]
    open_to_ideas = asks_suggestion(text) or asks_of_another(text)
    if medicines or (asks_permission(text) and not open_to_ideas):
        is_drug = medicines or any(map(forbids_a_medicine, constraints))
        ask = _PHRASES.ask_pharmacist if is_drug else _PHRASES.check_contents
        told = _all(medicines or [record for record in constraints if not is_order(record)] or constraints)
        return _PHRASES.cannot_tell.format(told=told, ask=ask)
    kept = [known_to_forbid(record) for record in constraints]
    idea = idea_for(text, kept) if open_to_ideas and all(kept) else ""
    orders = "; ".join(f'"{own_words(record)}"' for record in constraints if is_order(record))
    told = _all([record for record in constraints if not is_order(record)], "; ")
    careful = _PHRASES.careful.format(told=told) if told else _PHRASES.as_you_told_me.format(orders=orders)
    return f"{careful} {_PHRASES.how_about.format(idea=idea)}" if idea else careful


def refusal(constraints: Sequence[Record], text: str = "") -> str:
    """A plain no to what is wanted, or what an hour that is asked for must heed, in the user's own words."""
    told = _all([record for record in constraints if not is_order(record)], "; ")
    orders = "; ".join(f'"{own_words(record)}"' for record in constraints if is_order(record))
    ask = _PHRASES.ask_doctor if any(map(is_medicine, constraints)) else ""
    parts = [
        _PHRASES.better_not.format(told=told, ask=ask) if told else "",
        (_PHRASES.as_you_told_me if asks_when(text) else _PHRASES.you_told_me).format(orders=orders) if orders else "",
    ]
    return " ".join(part for part in parts if part)


def ground(
    text: str,
    recalled: Sequence[Record],
    constraints: Sequence[Record],
    heard: Sequence[str],
    base_memory: str,
    said_before: Sequence[str] = (),
    now: float | None = None,
) -> Grounds:
    """`recalled` is best first, `constraints` are all hard constraints of the user, `heard` is what they said in this
    conversation, oldest first: it may be newer than what memory has digested. `said_before` is what they said earlier,
    `now` the Unix time by which a day is told.
    """
    if barred := forbidden_to(text, constraints):
        told_of = _all(barred)
        return Grounds(text, told_of, told_of)
    if asks_leave(text) and (heeded := _constrained(text, constraints, recalled, now)).constraints:
        return heeded
    question = read_question(text)
    found = question and _answer(question, recalled, heard, said_before)
    if found:
        told, record = found[0]
        answer, *also = (_dated(one, source, now) for one, source in found)
        news = (told.value or told.text) if answer == told.text else answer
        also = [one.rstrip(" .!") for one in also if one != answer]
        return Grounds(text, answer.rstrip(" .!"), news, tuple(dict.fromkeys(also)), source=record)
    if question is None or asks_suggestion(text):
        return _constrained(text, constraints, recalled, now)
    known = any(answers(Told(line), question) for line in base_memory.splitlines())
    return Grounds(text, unknown=not known and is_of_own_life(question, recalled))


def answered(text: str, record: Record, now: float) -> Grounds:
    """That a record answers, whatever its words."""
    told = _dated(Told(own_words(record)), record, now).rstrip(" .!")
    return Grounds(text, told, _news(record), source=record)


def holders(text: str, believed: Sequence[Record]) -> list[Record]:
    """Those of the records whose slot is the one that a question asks for."""
    question = read_question(text)
    return [record for record in believed if question and told_by(record).fills_slot(question)]


def _constrained(text: str, constraints: Sequence[Record], recalled: Sequence[Record], now: float | None) -> Grounds:
    """The hard constraints that an utterance touches, and what else was told that speaks against its very thing."""
    known = {record.id for record in constraints}
    others = [record for record in recalled if record.id not in known and binds(record)]
    told = in_force(others, text, time.time() if now is None else now)
    open_to_ideas = asks_suggestion(text) or asks_of_another(text)
    wishes = open_to_ideas or asks_permission(text)
    near = touched([*constraints, *told] if wishes else constraints, text)
    is_named = names_more_than_a_meal if open_to_ideas else names
    named = tuple(record for record in near if is_named(record, text))
    if named and asks_permission(text):
        return Grounds(text, constraints=named, refused=True)
    if (ended := _said_to_be_over(text, near)) and not asks_suggestion(text):
        return Grounds(text, told=_PHRASES.will_ask.format(told=ended))
    return Grounds(text, constraints=near, told=heeding(near, text) if near and wishes else "")


def _said_to_be_over(text: str, near: Iterable[Record]) -> str:
    """What an utterance says of one of these, that it is over, told back: memory waits with it and asks once more."""
    told = [words_of(record.text) for record in near]
    for statement in read_statements(text) if told else ():
        slot = statement.slot
        if slot and slot.ends and is_high_risk(slot.key) and any(set(words_of(slot.value)) <= set(one) for one in told):
            return second_person(statement.excerpt).rstrip(" .!")
    return ""


def _answer(
    question: Question, recalled: Sequence[Record], heard: Sequence[str], said_before: Sequence[str]
) -> Sequence[tuple[Told, Record | None]]:
    """First what fills the very slot that is asked for, then the rest; in both, what was just said is the newest.

    The first of them, with those that only together with it are the answer.
    """
    just_said = [told for said in reversed(heard) for told in reversed(_told_in(said))]
    tellings = joined([*just_said, *map(told_by, recalled)])
    sources = [None] * len(just_said) + list(recalled)
    fitting = [one for one in zip(tellings, sources, strict=True) if answers(one[0], question)]
    fitting.sort(key=lambda one: _rank(one[0], question))
    if fitting:
        fitting = sorted(fitting, key=lambda one: not _takes_over(one, fitting[0]))
        together = [fitting[0], *(one for one in fitting[1:] if one[1] and _is_half(fitting[0][0], one[0], question))]
        return [_in_own_words(told, source, recalled) for told, source in together[:_MOST_TOGETHER]]
    earlier = (told for said in said_before for told in _told_in(said))
    return [(told, None) for told in earlier if answers(told, question)][:1]


def _takes_over(one: tuple[Told, Record | None], best: tuple[Told, Record | None]) -> bool:
    """Whether it is newer than what answers best, of the same subject, and told as how it is by now."""
    (told, newer), (held, older) = one, best
    if newer is None or older is None or newer.id <= older.id or is_how_it_is_now(older.source_excerpt):
        return False
    return is_how_it_is_now(newer.source_excerpt) and subjects(told) == subjects(held)


def _rank(told: Told, question: Question) -> tuple[bool, bool, bool]:
    """By what is told first: of where and when, what tells of a change; what fills the slot; who somebody is."""
    is_change = question.sort in (Sort.PLACE, Sort.TIME) and bool(_MOVED_ON.search(told.text))
    return (not is_change, not told.fills_slot(question), question.who_is and not says_who(told))


def _in_own_words(told: Told, source: Record | None, recalled: Sequence[Record]) -> tuple[Told, Record | None]:
    record = source or next((one for one in recalled if one.source_excerpt == told.text), None)
    return (told if record is None else Told(own_words(record), value=_news(record))), record


def _is_half(told: Told, other: Told, question: Question) -> bool:
    """Whether to tell only one of them would mislead: of two allergies, two medicines, or of two brothers."""
    kind, same = (_kind_of_slot(told.key), _kind_of_slot(other.key))
    if kind and kind == same:
        return True
    if question.who_is:
        return True
    if _OF_WHOM_ONE_HAS_SEVERAL.isdisjoint(words_of(question.text)):
        return False
    one, two = (subjects(each) - _OF_WHOM_ONE_HAS_SEVERAL for each in (told, other))
    return bool(one and two) and one.isdisjoint(two)


def _kind_of_slot(key: str) -> str:
    """Whose it is and what, of slots that hold what may harm; else empty."""
    owner, _, attribute = key.partition(".")
    kind = attribute.partition("_")[0] if attribute.startswith("medicine_") else attribute
    return f"{owner}.{kind}" if kind in _HARMFUL else ""


def _dated(told: Told, record: Record | None, now: float | None) -> str:
    moment = moment_of(record) if record else None
    return dated(told.text, moment, time.time() if now is None else now)


@lru_cache(_MOST_READ)
def _told_in(said: str) -> tuple[Told, ...]:
    """What an utterance tells, clause by clause; as a whole where no clause is read as a statement."""
    if asks(said):
        return ()
    return tuple(told_in(statement) for statement in read_statements(said)) or (Told(said),)


def _news(record: Record) -> str:
    """What a record tells about its subject, as far as its slot knows it."""
    return record.value if isinstance(record.value, str) else record.text


def _all(records: Iterable[Record], between: str = ". ") -> str:
    return between.join(dict.fromkeys(said_back(record) for record in records))
