"""Asking in conversation: whether a risky change is so, and which of several things is to be forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from edge_memory.memory import Memory
from edge_memory.observe.absolute_dates import dated_memory
from edge_memory.records import Message, Record, Role, UserTurn
from edge_memory.review import Reply, answers_proposal, picks
from firmware_bridge.contracts import Action
from firmware_bridge.turn.commands import Spoken
from firmware_bridge.turn.tongue import Tongue, tongue_of


def question_about(record: Record, now: float, tongue: Tongue) -> str:
    """Whether the user meant what is pending, in their own words. `now`, in Unix seconds, tells its days."""
    return tongue.phrases.did_you_mean.format(told=_told(record, now, tongue))


def question_which(records: Sequence[Record], now: float, tongue: Tongue) -> str:
    """Which of them is meant."""
    *first, last = [tongue.phrases.one_of_them.format(told=_told(record, now, tongue)) for record in records]
    these = f"{', '.join(first)}{tongue.phrases.or_else}{last}" if first else last
    return tongue.phrases.do_you_mean.format(these=these)


async def next_question(memory: Memory, turn: UserTurn) -> str:
    """What this turn's reply is to ask, noted as asked; empty for nothing. Never in two replies running."""
    if turn.by_guest:
        return ""
    record = await memory.review.worth_asking(turn.session_id, turn.user_id, turn.turn_id)
    if record is None:
        return ""
    await memory.review.note_asked(record.id, turn.turn_id)
    return question_about(record, turn.heard_at, tongue_of(memory.language))


async def settle_doubt(memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
    """What a plain yes or no to the question of the last reply is answered with, when it is done."""
    settled = None if turn.by_guest else await memory.review.answer(turn)
    if settled is None:
        return None
    reply, decision = settled
    tongue = tongue_of(memory.language)
    if reply is Reply.NO:
        return Spoken(tongue.phrases.left_as_it_was)
    told = tongue.said_back(dated_memory(decision.record, turn.heard_at))
    return Spoken(tongue.phrases.goes_by_that.format(told=told))


async def ask_which(memory: Memory, turn: UserTurn, records: Sequence[Record]) -> Spoken:
    """Asks which of them to forget; noted, so that the next turn may answer."""
    await memory.review.note_offered([record.id for record in records], turn.turn_id)
    return Spoken(question_which(records, turn.heard_at, tongue_of(memory.language)), Action.CLARIFY)


async def settle_forgetting(memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
    """What an answer to "which one" is told: what it names will be forgotten."""
    if history and history[-1].role is Role.ASSISTANT and "?" not in history[-1].content:
        return None  # the last reply asked nothing
    offered = await memory.review.offered(turn)
    if not offered:
        return None
    tongue = tongue_of(memory.language)
    picked = picks(turn.text, [tongue.said_back(dated_memory(record, turn.heard_at)) for record in offered])
    if picked is None:  # a yes to one of several names none
        return await ask_which(memory, turn, offered) if answers_proposal(turn.text) is Reply.YES else None
    if not picked:
        return Spoken(tongue.phrases.forgets_nothing)
    return Spoken(tongue.phrases.forgets, forgets=tuple(offered[place].id for place in picked))


def _told(record: Record, now: float, tongue: Tongue) -> str:
    told = tongue.said_back(dated_memory(record, now))
    return told[:1].lower() + told[1:] if told.startswith(("You", "The ", "Never ", "Always ")) else told
