"""Memory by voice: keeping, forgetting and telling what it knows, by rule and in the user's own words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from edge_memory.memory import Memory
from edge_memory.observe import Forgetting, read_statements
from edge_memory.observe.slots import is_high_risk
from edge_memory.observe.third_person import third_person
from edge_memory.observe.told_dates import dated_memory
from edge_memory.records import Message, Record, Role, UserTurn, words_of
from firmware_bridge.contracts import Action
from firmware_bridge.turn.asking import FORGETS, ask_which, question_about
from firmware_bridge.turn.binding import binding
from firmware_bridge.turn.commands import Spoken
from firmware_bridge.turn.constraints import bids, is_order, names
from firmware_bridge.turn.grounding import refusal
from firmware_bridge.turn.memory_wishes import (
    Count,
    Doubts,
    EraseAll,
    Happened,
    Learn,
    Recall,
    TidyUp,
    Way,
    memory_wish,
)
from firmware_bridge.turn.second_person import said_back, second_person
from firmware_bridge.turn.wishes import completed
from firmware_bridge.turn.wordforms import GENERIC, holds

_MOST_TOLD = 6
_MOST_ASKED = 3
_TOO_VAGUE = "That could mean many things, so nothing is forgotten. Name one."
_NOTHING_TO_FORGET = "I found nothing that means just that, so I have nothing to forget."
_TOO_MUCH = "I don't erase everything at a word, so nothing is forgotten. Name one thing, or use lobug memory erase."


async def keep_orders(memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
    """Refuses what goes against a standing order ("never wake me before seven"), before any command does it."""
    asked = history[-1].content if history and history[-1].role is Role.ASSISTANT else ""
    turn = replace(turn, text=completed(turn.text, asked))
    if not bids(turn.text):
        return None
    constraints = await binding(memory, await memory.constraints(turn.session_id, turn.user_id), turn)
    against = [record for record in constraints if is_order(record) and names(record, turn.text)]
    return Spoken(refusal([dated_memory(record, turn.heard_at) for record in against])) if against else None


async def answer_memory_wish(memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
    """What to say to a turn that asks something of memory itself; None when it does not."""
    if not memory.config.enabled:
        return None
    wish = memory_wish(turn.text)
    if isinstance(wish, EraseAll):
        return Spoken(_TOO_MUCH)
    wanted = await memory.asked_to_forget(turn)
    if wanted is not None:
        return await _forgotten(memory, turn, wanted)
    match wish:
        case Learn(what):
            return _learned(turn, what)
        case Recall(topic):
            return await _recalled(memory, turn, topic)
        case Count():
            return await _counted(memory)
        case Doubts():
            return await _doubts(memory, turn)
        case Happened() | Way() | TidyUp():
            return await _done(memory, turn, wish)
        case _:
            return None


async def _forgotten(memory: Memory, turn: UserTurn, wanted: Forgetting) -> Spoken:
    if wanted.certain:
        return Spoken(FORGETS)
    if not wanted.choices:
        return Spoken(_NOTHING_TO_FORGET)
    return await ask_which(memory, turn, wanted.choices) if len(wanted.choices) <= _MOST_ASKED else Spoken(_TOO_VAGUE)


def _learned(turn: UserTurn, what: str) -> Spoken | None:
    """Promised only if reading the turn finds something to keep: its job is stored together with this reply."""
    statements = read_statements(turn.text)
    if not statements:
        return None
    told = second_person(what.rstrip(" ."))
    if any(one.slot is not None and one.slot.ends and is_high_risk(one.slot.key) for one in statements):
        return Spoken(f"I heard: {told}. I'll ask you once more before I believe that.")
    return Spoken(f"All right, I'll remember that. {told}.")


async def _done(memory: Memory, turn: UserTurn, wish: Happened | Way | TidyUp) -> Spoken:
    """What is done at once, and on disk when it is said so."""
    match wish:
        case Happened(what):
            await memory.notes.episode(third_person(what), "", [], turn.user_id)
            return Spoken(f"All right, I wrote that down. {second_person(what)}.")
        case Way(name, steps):
            kept = await memory.notes.procedure(name, steps, "", turn.user_id)
            again = " You told me before, so I trust it more." if kept.success_count else ""
            return Spoken(f"All right, I noted that, in {_many(len(steps), 'step')}.{again}")
        case TidyUp():
            done = await memory.upkeep.consolidate()
            merged, archived = _many(done.merged, "memory"), _many(done.archived, "faded one")
            return Spoken(f"Done. I merged {merged} and put {archived} away.")


async def _recalled(memory: Memory, turn: UserTurn, topic: str) -> Spoken:
    if not topic:
        profile = await memory.review.about(turn.user_id, _MOST_TOLD + 1)
        return Spoken(
            _listed(profile, turn.heard_at)
            or "I don't know anything about you yet. Tell me something, and I'll remember it."
        )
    named = [word for word in words_of(topic) if word not in GENERIC]
    found = await memory.recall(topic, turn.session_id, turn.user_id)
    about = [hit.record for hit in found.hits if named and all(holds(_words(hit.record), word) for word in named)]
    name = second_person(topic)
    name = name[:1].lower() + name[1:] if topic[:1].islower() else name
    return Spoken(_listed(about, turn.heard_at) or f"I don't know anything about {name} yet.")


async def _counted(memory: Memory) -> Spoken:
    numbers = await memory.stats()
    active, turns = numbers["by_status"].get("active", 0), numbers["turns"]
    waiting = numbers["by_status"].get("pending", 0)
    more = f" {_many(waiting, 'more')} {'waits' if waiting == 1 else 'wait'} for your yes or no." if waiting else ""
    return Spoken(f"I remember {_many(active, 'thing')} from {_many(turns, 'turn')} of ours.{more}")


async def _doubts(memory: Memory, turn: UserTurn) -> Spoken:
    waiting = [
        one.record
        for one in await memory.review.pending(turn.user_id)
        if one.record.session_id in (None, turn.session_id)
    ]
    if not waiting:
        return Spoken("No, nothing waits for your word.")
    await memory.review.note_asked(waiting[0].id, turn.turn_id)
    return Spoken(question_about(waiting[0], turn.heard_at), Action.CLARIFY)


def _listed(records: Iterable[Record], now: float) -> str:
    """A few sentences; what is beyond is only said to be there."""
    told = list(dict.fromkeys(said_back(dated_memory(record, now)) for record in records))
    more = " And there is more." if len(told) > _MOST_TOLD else ""
    return f"{'. '.join(told[:_MOST_TOLD])}.{more}" if told else ""


def _words(record: Record) -> list[str]:
    return words_of(f"{record.text} {record.source_excerpt} {(record.key or '').replace('_', ' ')}")


def _many(number: int, noun: str) -> str:
    many = {"more": "more", "memory": "memories"}.get(noun, f"{noun}s")
    return f"{number} {noun if number == 1 else many}"
