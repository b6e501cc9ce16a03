"""What memory has to say to an English utterance, looked up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from edge_memory.errors import EdgeMemoryError
from edge_memory.memory import Memory
from edge_memory.observe.absolute_dates import dated_memory, dated_turn
from edge_memory.observe.english.asked import mended
from edge_memory.observe.statement import is_how_it_is_now
from edge_memory.recall import Activated, cosine
from edge_memory.records import Language, Message, Record, Role, UserTurn, words_of
from edge_memory.store.lineage import sources_of
from firmware_bridge.phrases import PHRASES
from firmware_bridge.turn.aside import aside
from firmware_bridge.turn.english.binding import binding
from firmware_bridge.turn.english.constraints import grants, is_order, names
from firmware_bridge.turn.english.general import is_general
from firmware_bridge.turn.english.grounding import Grounds, answered, ground, holders, refusal
from firmware_bridge.turn.english.likelihood import likelihoods
from firmware_bridge.turn.english.questions import Question, Sort, read_question
from firmware_bridge.turn.english.receipts import ENGLISH
from firmware_bridge.turn.english.requests import asks_leave, asks_permission, asks_suggestion, bids
from firmware_bridge.turn.english.second_person import own_words, said_back
from firmware_bridge.turn.english.sorts import is_of_the_sort
from firmware_bridge.turn.english.told import Told, joined, subjects, told_by
from firmware_bridge.turn.english.touching import FITTED_TO, chances, is_wish, may_bind
from firmware_bridge.turn.english.wordforms import GENERIC, holds

_PHRASES = PHRASES[Language.ENGLISH]
_MOST_BELIEVED = 1_000
# Shares of likelihood: of what is told as the answer though its words are others, of what is told with a doubt, of what
# is only the nearest to it, and of what answers by its words and is told without a doubt.
_SURE, _MAYBE, _NEAREST, _STANDS = 0.6, 0.05, 0.012, 0.3
_PERSONAL = 0.1  # from here on a question is about what was told, though it does not say whose matter it is
_MOST_DOUBTED, _MOST_BESIDE = 3, 2
_BESIDE = 0.5  # of the likeliest one's: what is as good as likely is told beside it
_NEAR_IT = 0.25  # the same where nothing is sure
_LATER = 0.6  # of an answer's nearness to the question: what was said later of the same, as how it is by now
# Likelihoods of scripts/fit_bans.py: from here on what a wish goes against is said, or put before it for the model.
_TOUCHES, _MAY_TOUCH = 0.6, 0.3
_MOST_REMINDED = 2
_DESPITE = 0.1  # from here on a thing is told with a doubt though it seems not to be of the kind that is asked for


async def know(memory: Memory, turn: UserTurn, active: Activated, history: Sequence[Message]) -> Grounds:
    """What memory has to say: an answer, one with a doubt, a constraint, or that it does not know."""
    weighed = await aside(turn.text, lambda: _weighed_bans(turn, active))
    grounds = await _known(memory, turn, active, history)
    if grounds.constraints and (grounds.refused or grounds.told):
        return grounds
    return await aside(turn.text, lambda: _reminded(grounds, weighed, turn))


def _weighed_bans(turn: UserTurn, active: Activated) -> list[tuple[Record, float]]:
    """What a wish may go against, likeliest first; nothing without the vectors that the weights are for."""
    positions, text = active.recollection.positions, turn.text
    if positions is None or not positions.embedder.startswith(FITTED_TO):
        return []
    if not (is_wish(text) or asks_permission(text) or asks_leave(text)):
        return []
    told = {record.id: record for record in (*active.constraints, *(hit.record for hit in active.recollection.wide))}
    candidates = binding(told.values(), turn, active.relations)
    weighed = zip(candidates, chances(text, candidates, positions), strict=True)
    return sorted(weighed, key=lambda one: -one[1])


def _reminded(grounds: Grounds, weighed: Sequence[tuple[Record, float]], turn: UserTurn) -> Grounds:
    """With what a wish goes against by all likelihood, where no rule knows its words: said where that is likely, and
    told to the model where it may be.
    """
    if not weighed or not is_wish(turn.text):
        return grounds
    bans = [one for one in weighed if one[1] >= _MAY_TOUCH and may_bind(one[0])][:_MOST_REMINDED]
    likely = tuple(dated_memory(record, turn.heard_at) for record, _ in bans)
    if bans and bans[0][1] >= _TOUCHES:
        return Grounds(grounds.text, constraints=likely[:1], told=_reminding(likely[:1]))
    if not bans or grounds.answer or grounds.told or grounds.unknown:
        return grounds
    return Grounds(grounds.text, constraints=likely, against=grants, instead=_reminding(likely[:1]))


def _reminding(constraints: Sequence[Record]) -> str:
    """What is said where something that was told may be gone against: what that was."""
    told = "; ".join(said_back(record) for record in constraints if not is_order(record))
    orders = "; ".join(f'"{own_words(record)}"' for record in constraints if is_order(record))
    parts = (
        _PHRASES.careful.format(told=told) if told else "",
        _PHRASES.as_you_told_me.format(orders=orders) if orders else "",
    )
    return " ".join(part for part in parts if part)


async def _known(memory: Memory, turn: UserTurn, active: Activated, history: Sequence[Message]) -> Grounds:
    """By rules alone."""
    held = await aside(turn.text, lambda: binding(active.constraints, turn, active.relations))
    text = await aside(turn.text, lambda: mended(turn.text, active.relations))
    by_rule = partial(
        ground,
        text,
        constraints=[dated_memory(record, turn.heard_at) for record in held],
        heard=[message.content for message in history if message.role is Role.USER],
        base_memory=active.base,
        said_before=[dated_turn(said.content, said.created_at, turn.heard_at) for said in active.turns],
        now=turn.heard_at,
    )

    async def told(recalled: Sequence[Record]) -> Grounds:
        return await aside(text, lambda: by_rule(recalled))

    recalled = [hit.record for hit in active.recollection.hits]
    question, may_ask = await aside(text, lambda: (read_question(text), asks_permission(text) or asks_leave(text)))
    if may_ask:
        recalled = [hit.record for hit in active.recollection.wide]
        heeded = await told(recalled)
        if heeded.constraints:
            return heeded
        if await aside(text, lambda: asks_suggestion(text)):
            return heeded
    if question is None:
        grounds = await told(recalled)
        return await aside(text, lambda: _acknowledged(grounds))
    weighed = _weighed(question, active)
    if not weighed:
        grounds = await told(recalled)
        return await told([*recalled, *await _holders(memory, turn)]) if grounds.unknown else grounds
    grounds = await told([one.record for one in weighed])
    is_refused = grounds.unknown or (not grounds.answer and weighed[0].share >= _PERSONAL)
    if is_refused and is_general(question, joined([told_by(one.record) for one in weighed], active.relations)):
        return replace(grounds, unknown=False)
    grounds = with_what_came_later(settled(grounds, weighed, turn.heard_at), weighed, question, turn.heard_at)
    return await _with_what_waits(grounds, memory, turn) if active.waiting else grounds


def _acknowledged(grounds: Grounds) -> Grounds:
    """With what is said to a plain statement, where memory has nothing else to say to it."""
    is_settled = grounds.told or grounds.refused or grounds.answer
    return grounds if is_settled else replace(grounds, told=ENGLISH.receipt(grounds.text))


@dataclass(frozen=True, slots=True)
class Weighed:
    """A record and how likely it is the answer, as a share of 1; whether it is of the kind that is asked for, and how
    near it is to the question (a cosine).
    """

    record: Record
    share: float
    fits: bool = True
    near: float = 0.0
    told: Told | None = None


def _weighed(question: Question, active: Activated) -> list[Weighed]:
    """What may answer, likeliest first; nothing where there are no vectors to weigh by."""
    if active.recollection.degraded:
        return []
    wide = active.recollection.wide
    tellings = joined([told_by(hit.record) for hit in wide], active.relations)
    shares = likelihoods(question, tellings, [cosine(hit) for hit in wide])
    weighed = [
        Weighed(hit.record, share, is_of_the_sort(told, question), cosine(hit), told)
        for hit, told, share in zip(wide, tellings, shares, strict=True)
    ]
    return sorted(weighed, key=lambda one: -one.share)


def with_what_came_later(grounds: Grounds, weighed: Sequence[Weighed], question: Question, now: float) -> Grounds:
    """An answer with what was said later of the same as how it is by now: no slot tells whether that ended it."""
    source = grounds.source
    held = next((one for one in weighed if source and one.record.id == source.id), None)
    if held is None or held.told is None or is_how_it_is_now(held.record.source_excerpt):
        return grounds
    about = subjects(held.told) | held.told.known_as or question.words
    later = [
        one
        for one in weighed
        if one.record.id > held.record.id
        and one.near >= _LATER * held.near
        and (one.fits or question.sort is Sort.ANY)
        and is_how_it_is_now(one.record.source_excerpt)
        and one.told is not None
        and any(holds((*words_of(one.record.text), *one.told.known_as), word) for word in about)
    ]
    if not later:
        return grounds
    newest = said_back(dated_memory(max(later, key=lambda one: one.record.id).record, now))
    return replace(grounds, also=(*grounds.also, _PHRASES.said_later.format(told=newest)))


async def _with_what_waits(grounds: Grounds, memory: Memory, turn: UserTurn) -> Grounds:
    """An answer with what would take its place once the user says yes: until then nobody knows which holds."""
    source = grounds.source
    if source is None:
        return grounds
    try:
        waiting = await memory.review.doubts(turn.session_id, turn.user_id)
    except EdgeMemoryError:
        return grounds
    later = [one for one in waiting if source.id in sources_of(one) or (one.key == source.key is not None)]
    told = ". ".join(said_back(dated_memory(one, turn.heard_at)) for one in later[-_MOST_BESIDE:])
    return replace(grounds, also=(*grounds.also, _PHRASES.still_waits.format(told=told))) if told else grounds


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
    elif best.share >= _SURE and best.fits:
        return answered(grounds.text, best.record, now)
    least = max(_NEAREST, _NEAR_IT * best.share)
    near = [one for one in weighed if one.share >= least and (one.fits or one.share >= _DESPITE)]
    if not (likely := near[:_MOST_DOUBTED]):
        return replace(grounds, unknown=True) if grounds.unknown or not grounds.answer else grounds
    told = ". ".join(dict.fromkeys(said_back(dated_memory(one.record, now)) for one in likely))
    doubt = _PHRASES.nearest if best.share >= _MAYBE else _PHRASES.nothing_nearer
    return Grounds(grounds.text, told=doubt.format(told=told))


def _with_as_likely(grounds: Grounds, weighed: Sequence[Weighed], own: float, now: float) -> Grounds:
    """An answer with the other one that is nearly as likely or likelier, if there is one."""
    others = [one.record for one in weighed[:_MOST_BESIDE] if one.share >= _BESIDE * own]
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
    constraints = await memory.constraints(turn.session_id, turn.user_id)
    held = binding(constraints, turn, await memory.relations(turn.user_id) if constraints else {})
    against = [record for record in held if is_order(record) and names(record, turn.text)]
    return refusal([dated_memory(record, turn.heard_at) for record in against]) if against else ""


def _words(record: Record) -> list[str]:
    return words_of(f"{record.text} {record.source_excerpt} {(record.key or '').replace('_', ' ')}")
