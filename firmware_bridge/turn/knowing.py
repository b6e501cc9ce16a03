"""What memory has to say to an English utterance, looked up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from edge_memory.errors import EdgeMemoryError
from edge_memory.memory import Memory
from edge_memory.observe.absolute_dates import dated_memory, dated_turn
from edge_memory.observe.english.apostrophes import of_names, with_apostrophes
from edge_memory.recall import Activated, cosine
from edge_memory.records import Language, Message, Record, Role, UserTurn, words_of
from firmware_bridge.phrases import PHRASES
from firmware_bridge.turn.binding import binding
from firmware_bridge.turn.constraints import asks_permission, asks_suggestion, bids, is_order, names
from firmware_bridge.turn.grounding import Grounds, answered, ground, holders, refusal
from firmware_bridge.turn.likelihood import likelihoods
from firmware_bridge.turn.questions import Question, read_question
from firmware_bridge.turn.second_person import said_back
from firmware_bridge.turn.told import joined, told_by, with_names
from firmware_bridge.turn.wordforms import GENERIC, holds

_PHRASES = PHRASES[Language.ENGLISH]
_MOST_BELIEVED = 1_000
_MOST_WEIGHED = 40  # records that a question is held against, whatever the size of the past
# Shares of likelihood: of what is told as the answer though its words are others, of what is told with a doubt, and of
# what answers by its words and is told without one.
_SURE, _MAYBE, _STANDS = 0.6, 0.05, 0.3
_PERSONAL = 0.1  # from here on a question is about what was told, though it does not say whose matter it is
_MOST_DOUBTED = 2
_BESIDE = 0.5  # of the likeliest one's: what is as good as likely is told beside it


async def know(memory: Memory, turn: UserTurn, active: Activated, history: Sequence[Message]) -> Grounds:
    """What memory has to say: an answer, one with a doubt, a constraint, or that it does not know."""
    held = await binding(memory, active.constraints, turn)
    relations = await _relations(memory, turn)
    text = mended(turn.text, relations)
    told = partial(
        ground,
        text,
        constraints=[dated_memory(record, turn.heard_at) for record in held],
        heard=[message.content for message in history if message.role is Role.USER],
        base_memory=active.base,
        said_before=[dated_turn(said.content, said.created_at, turn.heard_at) for said in active.turns],
        now=turn.heard_at,
    )
    recalled = [hit.record for hit in active.recollection.hits]
    question = read_question(text)
    if asks_permission(text) or asks_suggestion(text):
        wide = await memory.recall(turn.text, turn.session_id, turn.user_id, _MOST_WEIGHED)
        recalled = [hit.record for hit in wide.hits] or recalled
    if question is None or asks_suggestion(text):
        return told(recalled)
    weighed = await _weighed(memory, turn, question, relations)
    if not weighed:
        grounds = told(recalled)
        return told([*recalled, *await _holders(memory, turn)]) if grounds.unknown else grounds
    return settled(told([one.record for one in weighed]), weighed, turn.heard_at)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A record and how likely it is the answer, as a share of 1."""

    record: Record
    share: float


async def _relations(memory: Memory, turn: UserTurn) -> Mapping[str, tuple[str, ...]]:
    try:
        return await memory.relations(turn.user_id)
    except EdgeMemoryError:
        return {}


def mended(text: str, relations: Mapping[str, tuple[str, ...]]) -> str:
    """With the apostrophes that a recogniser leaves out, also those of known names."""
    names = frozenset(word for called in relations.values() for name in called for word in words_of(name))
    return of_names(with_apostrophes(text), names)


async def _weighed(
    memory: Memory, turn: UserTurn, question: Question, relations: Mapping[str, tuple[str, ...]]
) -> list[Weighed]:
    """What may answer, likeliest first; nothing where there are no vectors to weigh by."""
    asked = with_names(turn.text, relations)
    found = await memory.recall(asked, turn.session_id, turn.user_id, _MOST_WEIGHED)
    if found.degraded:
        return []
    tellings = joined([told_by(hit.record) for hit in found.hits], relations)
    shares = likelihoods(question, tellings, [cosine(hit) for hit in found.hits])
    weighed = [Weighed(hit.record, share) for hit, share in zip(found.hits, shares, strict=True)]
    return sorted(weighed, key=lambda one: -one.share)


async def _holders(memory: Memory, turn: UserTurn) -> list[Record]:
    """Records whose very slot is asked for, of all that is believed."""
    try:
        return holders(turn.text, await memory.review.believed(turn.user_id, turn.session_id, _MOST_BELIEVED))
    except EdgeMemoryError:
        return []


def settled(grounds: Grounds, weighed: Sequence[Weighed], now: float) -> Grounds:
    """What answers by its words stands unless something else is far likelier; what is likely is told, if need be with a
    doubt.
    """
    best, shares = weighed[0], {one.record.id: one.share for one in weighed}
    if grounds.answer:
        own = shares.get(grounds.source.id, 0.0) if grounds.source else 1.0
        if own >= max(_STANDS, _BESIDE * best.share):
            return _with_as_likely(grounds, weighed, own, now)
    elif grounds.binding or not (grounds.unknown or best.share >= _PERSONAL):
        return grounds
    elif best.share >= _SURE:
        return answered(grounds.text, best.record, now)
    likely = [one for one in weighed[:_MOST_DOUBTED] if one.share >= max(_MAYBE, _BESIDE * best.share)]
    if not likely:
        return grounds
    told = ". ".join(dict.fromkeys(said_back(dated_memory(one.record, now)) for one in likely))
    return Grounds(grounds.text, told=_PHRASES.nearest.format(told=told))


def _with_as_likely(grounds: Grounds, weighed: Sequence[Weighed], own: float, now: float) -> Grounds:
    """An answer with the other one that is nearly as likely or likelier, if there is one."""
    others = [one.record for one in weighed[:_MOST_DOUBTED] if one.share >= _BESIDE * own]
    told = [second.answer for record in others if (second := answered(grounds.text, record, now)).answer]
    more = [one for one in told if one not in (grounds.answer, *grounds.also)]
    return replace(grounds, also=(*grounds.also, *more)) if grounds.source and not grounds.also else grounds


def about(topic: str, found: Iterable[Record]) -> list[Record]:
    """Those of the records that tell of a topic."""
    named = [word for word in words_of(topic) if word not in GENERIC]
    return [record for record in found if named and all(holds(_words(record), word) for word in named)]


async def broken(memory: Memory, turn: UserTurn) -> str:
    """How a turn that goes against a standing order is refused; empty when it does not."""
    if not bids(turn.text):
        return ""
    held = await binding(memory, await memory.constraints(turn.session_id, turn.user_id), turn)
    against = [record for record in held if is_order(record) and names(record, turn.text)]
    return refusal([dated_memory(record, turn.heard_at) for record in against]) if against else ""


def _words(record: Record) -> list[str]:
    return words_of(f"{record.text} {record.source_excerpt} {(record.key or '').replace('_', ' ')}")
