"""Asking in conversation: whether a risky change is so, and which of several things is to be forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from edge_memory.memory import Memory
from edge_memory.observe.told_dates import dated_memory
from edge_memory.records import Message, Record, UserTurn
from edge_memory.review import Reply, answers_proposal, picks
from firmware_bridge.contracts import Action
from firmware_bridge.turn.commands import Spoken
from firmware_bridge.turn.second_person import said_back

FORGETS = "All right, I'll forget that."


def question_about(record: Record, now: float) -> str:
    """Whether the user meant what is pending, in their own words. `now`, in Unix seconds, tells its days."""
    return f"Did you mean that {_told(record, now)}?"


def question_which(records: Sequence[Record], now: float) -> str:
    """Which of them is meant."""
    *first, last = [f"that {_told(record, now)}" for record in records]
    return f"Do you mean {', '.join(first)}, or {last}?" if first else f"Do you mean {last}?"


async def next_question(memory: Memory, turn: UserTurn) -> str:
    """What this turn's reply is to ask, noted as asked; empty for nothing. Never in two replies running."""
    record = await memory.review.worth_asking(turn.session_id, turn.user_id, turn.turn_id)
    if record is None:
        return ""
    await memory.review.note_asked(record.id, turn.turn_id)
    return question_about(record, turn.heard_at)


async def settle_doubt(memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
    """What a plain yes or no to the question of the last reply is answered with, when it is done."""
    settled = await memory.review.answer(turn)
    if settled is None:
        return None
    reply, decision = settled
    if reply is Reply.NO:
        return Spoken("All right, I leave it as it was.")
    return Spoken(f"All right, I'll go by that. {said_back(dated_memory(decision.record, turn.heard_at))}.")


async def ask_which(memory: Memory, turn: UserTurn, records: Sequence[Record]) -> Spoken:
    """Asks which of them to forget; noted, so that the next turn may answer."""
    await memory.review.note_offered([record.id for record in records], turn.turn_id)
    return Spoken(question_which(records, turn.heard_at), Action.CLARIFY)


async def settle_forgetting(memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
    """What an answer to "which one" is told: what it names will be forgotten."""
    offered = await memory.review.offered(turn)
    if not offered:
        return None
    picked = picks(turn.text, [said_back(dated_memory(record, turn.heard_at)) for record in offered])
    if picked is None:  # a yes to one of several names none
        return await ask_which(memory, turn, offered) if answers_proposal(turn.text) is Reply.YES else None
    if not picked:
        return Spoken("All right, I forget nothing.")
    return Spoken(FORGETS, forgets=tuple(offered[place].id for place in picked))


def _told(record: Record, now: float) -> str:
    told = said_back(dated_memory(record, now))
    return told[:1].lower() + told[1:] if told.startswith(("You", "The ", "Never ", "Always ")) else told
