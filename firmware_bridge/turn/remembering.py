"""Memory by voice: keeping, forgetting and telling what it knows, by rule and in the user's own words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from edge_memory.memory import Memory
from edge_memory.observe import Context, Forgetting, read_statements
from edge_memory.observe.absolute_dates import dated_memory
from edge_memory.observe.risk import is_high_risk
from edge_memory.records import Message, Record, Role, UserTurn
from firmware_bridge.contracts import Action
from firmware_bridge.phrases import counted
from firmware_bridge.turn.asking import ask_which, question_about
from firmware_bridge.turn.commands import Spoken
from firmware_bridge.turn.tongue import Tongue, tongue_of
from firmware_bridge.turn.wished import Count, Doubts, EraseAll, Happened, Learn, Recall, TidyUp, Way

_MOST_TOLD = 6
_MOST_ASKED = 3


async def keep_orders(memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
    """Refuses what goes against a standing order ("never ring after ten"), before any command does it."""
    asked = history[-1].content if history and history[-1].role is Role.ASSISTANT else ""
    tongue = tongue_of(memory.language)
    turn = replace(turn, text=tongue.completed(turn.text, asked))
    told = await tongue.broken(memory, turn)
    return Spoken(told) if told else None


async def answer_memory_wish(memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
    """What to say to a turn that asks something of memory itself; None when it does not."""
    if not memory.config.enabled:
        return None
    tongue = tongue_of(memory.language)
    wish = tongue.memory_wish(turn.text)
    if isinstance(wish, EraseAll):
        return Spoken(tongue.phrases.too_much)
    wanted = await memory.asked_to_forget(turn)
    if wanted is not None:
        return await _forgotten(memory, turn, wanted)
    match wish:
        case Learn(what):
            return _learned(memory, turn, what)
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
    phrases = tongue_of(memory.language).phrases
    if wanted.certain:
        return Spoken(phrases.forgets)
    if not wanted.choices:
        return Spoken(phrases.nothing_to_forget)
    if len(wanted.choices) > _MOST_ASKED:
        return Spoken(phrases.too_vague)
    return await ask_which(memory, turn, wanted.choices)


def _learned(memory: Memory, turn: UserTurn, what: str) -> Spoken | None:
    """Promised only if reading the turn finds something to keep: its job is stored together with this reply."""
    statements = read_statements(turn.text, Context(language=memory.language))
    if not statements:
        return None
    tongue = tongue_of(memory.language)
    told = tongue.second_person(what.rstrip(" ."))
    if any(one.slot is not None and one.slot.ends and is_high_risk(one.slot.key) for one in statements):
        return Spoken(tongue.phrases.will_ask.format(told=told))
    return Spoken(tongue.phrases.will_remember.format(told=told))


async def _done(memory: Memory, turn: UserTurn, wish: Happened | Way | TidyUp) -> Spoken:
    """What is done at once, and on disk when it is said so."""
    tongue = tongue_of(memory.language)
    phrases = tongue.phrases
    match wish:
        case Happened(what):
            await memory.notes.episode(tongue.third_person(what), "", [], turn.user_id)
            return Spoken(phrases.wrote_down.format(told=tongue.second_person(what)))
        case Way(name, steps):
            kept = await memory.notes.procedure(name, steps, "", turn.user_id)
            again = phrases.told_before if kept.success_count else ""
            return Spoken(phrases.noted.format(steps=counted(len(steps), phrases.steps), again=again))
        case TidyUp():
            done = await memory.upkeep.consolidate()
            merged, archived = counted(done.merged, phrases.memories), counted(done.archived, phrases.faded)
            return Spoken(phrases.tidied.format(merged=merged, archived=archived))


async def _recalled(memory: Memory, turn: UserTurn, topic: str) -> Spoken:
    tongue = tongue_of(memory.language)
    if not topic:
        profile = await memory.review.about(turn.user_id, _MOST_TOLD + 1)
        return Spoken(_listed(profile, turn.heard_at, tongue) or tongue.phrases.knows_nothing)
    found = await memory.recall(topic, turn.session_id, turn.user_id)
    about = tongue.about(topic, [hit.record for hit in found.hits])
    name = tongue.second_person(topic)
    name = name[:1].lower() + name[1:] if topic[:1].islower() else name
    told = _listed(about, turn.heard_at, tongue)
    return Spoken(told or tongue.phrases.knows_nothing_about.format(name=name))


async def _counted(memory: Memory) -> Spoken:
    phrases, numbers = tongue_of(memory.language).phrases, await memory.stats()
    waiting = numbers["by_status"].get("pending", 0)
    return Spoken(
        phrases.remembers.format(
            things=counted(numbers["by_status"].get("active", 0), phrases.things),
            turns=counted(numbers["turns"], phrases.turns),
            waiting=counted(waiting, phrases.more_wait) if waiting else "",
        )
    )


async def _doubts(memory: Memory, turn: UserTurn) -> Spoken:
    tongue = tongue_of(memory.language)
    waiting = [] if turn.by_guest else await memory.review.doubts(turn.session_id, turn.user_id)
    if not waiting:
        return Spoken(tongue.phrases.nothing_waits)
    await memory.review.note_asked(waiting[0].id, turn.turn_id)
    return Spoken(question_about(waiting[0], turn.heard_at, tongue), Action.CLARIFY)


def _listed(records: Iterable[Record], now: float, tongue: Tongue) -> str:
    """A few sentences; what is beyond is only said to be there."""
    told = list(dict.fromkeys(tongue.said_back(dated_memory(record, now)) for record in records))
    more = tongue.phrases.there_is_more if len(told) > _MOST_TOLD else ""
    return f"{'. '.join(told[:_MOST_TOLD])}.{more}" if told else ""
