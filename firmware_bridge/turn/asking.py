"""Confirmation in conversation: asking whether a risky change is so, and acting on the yes or no."""

from __future__ import annotations

from collections.abc import Sequence

from edge_memory.memory import Memory
from edge_memory.records import Message, Record, UserTurn
from edge_memory.review import Reply
from firmware_bridge.turn.commands import Spoken
from firmware_bridge.turn.second_person import said_back


def question_about(record: Record) -> str:
    """Whether the user meant what is pending, in their own words."""
    told = said_back(record)
    return f"Did you mean that {told[:1].lower() + told[1:] if told.startswith(('You', 'The ')) else told}?"


async def next_question(memory: Memory, turn: UserTurn) -> str:
    """What this turn's reply is to ask, noted as asked; empty for nothing. Never in two replies running."""
    record = await memory.review.worth_asking(turn.session_id, turn.user_id, turn.turn_id)
    if record is None:
        return ""
    await memory.review.note_asked(record.id, turn.turn_id)
    return question_about(record)


async def settle_doubt(memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
    """What a plain yes or no to the question of the last reply is answered with, when it is done."""
    settled = await memory.review.answer(turn)
    if settled is None:
        return None
    reply, decision = settled
    if reply is Reply.NO:
        return Spoken("All right, I leave it as it was.")
    return Spoken(f"All right, I'll go by that. {said_back(decision.record)}.")
