"""Reminders and timers by voice: what was wished is done, and said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from edge_memory.errors import TooManyReminders
from edge_memory.memory import Memory
from edge_memory.records import Message, Role, UserTurn, words_of
from edge_memory.reminders import Reminder, Wish
from edge_memory.store.reminders import ReminderKind
from firmware_bridge.contracts import Action
from firmware_bridge.turn.commands import Spoken
from firmware_bridge.turn.moments import Moment
from firmware_bridge.turn.second_person import second_person
from firmware_bridge.turn.wishes import (
    TIMER_QUESTION,
    WHEN_QUESTION,
    AskWaiting,
    CallOff,
    Remind,
    Time,
    wish_in,
)

_PAST = "That time has passed already."
_NO_CLOCK = "I don't know the time yet, so I can only run timers."
_TIMER_TEXT = "timer"
_LONGEST_TIMER_SECONDS = 30 * 86_400.0
_FARTHEST_SECONDS = 10 * 366 * 86_400.0
_TOO_FAR = "That is too far away."
_ONCE = "I can remind you only once, not again and again."
_MOST_TOLD = 5


def is_wish(text: str, heard_at: float) -> bool:
    """Whether it asks for a reminder or a timer, whatever was said before."""
    return wish_in(text, "", datetime.fromtimestamp(heard_at, tz=UTC).astimezone()) is not None


async def answer_wish(memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
    """What to say to a turn that asks for a reminder or a timer; None when it does not."""
    said = datetime.fromtimestamp(turn.heard_at, tz=UTC).astimezone()
    asked = history[-1].content if history and history[-1].role is Role.ASSISTANT else ""
    match wish_in(turn.text, asked, said):
        case Remind() as wished:
            return await _remind(memory, turn, wished, said)
        case Time(text, seconds):
            return await _time(memory, turn, text, seconds)
        case CallOff() as wished:
            return await _call_off(memory, turn, wished, said)
        case AskWaiting(kind):
            return await _tell(memory, turn, kind, said)
        case _:
            return None


async def _remind(memory: Memory, turn: UserTurn, wished: Remind, said: datetime) -> Spoken:
    text = second_person(wished.text).strip(" ,;")
    text = text[:1].lower() + text[1:]
    once = f" {_ONCE}" if wished.repeats else ""
    moment = _far(wished.moment, said)
    if moment is None or moment.past:
        if said.year < 2020:
            return Spoken(_NO_CLOCK)
        question = WHEN_QUESTION.format(lead=wished.lead, text=text)
        before = f"{_PAST} " if moment else f"{_TOO_FAR} " if wished.moment else ""
        return Spoken(f"{once.lstrip()} {before}{question}".lstrip(), Action.CLARIFY)
    wish = Wish(turn.user_id, text, turn.device_id, turn.turn_id)
    try:
        if moment.seconds is not None:
            kept = await memory.reminders.after(wish, moment.seconds)
            return Spoken(f"Okay, in {spoken_duration(moment.seconds)}: {kept.text}.{once}")
        assert moment.local is not None
        kept = await memory.reminders.at(wish, moment.local)
    except TooManyReminders as error:
        return Spoken(f"No: {error.message} already. Cancel some first.")
    return Spoken(f"Okay, {spoken_moment(kept.due_at, said)}: {kept.text}.{once}")


def _far(moment: Moment | None, said: datetime) -> Moment | None:
    """What is too far away for a timer as a local time; None beyond all bounds."""
    if moment is None or moment.seconds is None or moment.seconds <= _LONGEST_TIMER_SECONDS:
        return moment
    if moment.seconds > _FARTHEST_SECONDS or said.year < 2020:
        return None
    local = (said + timedelta(seconds=moment.seconds)).timestamp()
    return Moment(local=datetime.fromtimestamp(local, tz=UTC).astimezone().replace(tzinfo=None))


async def _time(memory: Memory, turn: UserTurn, text: str, seconds: float | None) -> Spoken:
    if seconds is None:
        return Spoken(TIMER_QUESTION, Action.CLARIFY)
    if seconds > _LONGEST_TIMER_SECONDS:
        return Spoken("That is too long for a timer. Ask me for a reminder on a day instead.")
    name = f"{text} {_TIMER_TEXT}".strip()
    await memory.reminders.after(Wish(turn.user_id, name, turn.device_id, turn.turn_id), seconds)
    return Spoken(f"Okay, {name} for {spoken_duration(seconds)}.")


async def _call_off(memory: Memory, turn: UserTurn, wished: CallOff, said: datetime) -> Spoken | None:
    waiting = await memory.reminders.waiting(turn.user_id)
    found = [reminder for reminder in waiting if _is_of(reminder, wished.kind) or wished.words & _words(reminder)]
    if wished.words:
        found = [reminder for reminder in found if wished.words & _words(reminder)]
    if not found:
        return Spoken(f"There is no such {wished.kind}.")
    if len(found) > 1 and not wished.every:
        return Spoken(f"Which one? {_listed(found, said)}.", Action.CLARIFY)
    await memory.reminders.cancel([reminder.id for reminder in found])
    return Spoken(f"Okay, cancelled: {'; '.join(reminder.text for reminder in found[:_MOST_TOLD])}.")


async def _tell(memory: Memory, turn: UserTurn, kind: str, said: datetime) -> Spoken:
    waiting = await memory.reminders.waiting(turn.user_id)
    found = [reminder for reminder in waiting if _is_of(reminder, kind)] or (waiting if kind == "reminder" else [])
    if not found:
        return Spoken(f"You have no {kind}s.")
    return Spoken(f"You have {len(found)}: {_listed(found, said)}.")


def _listed(found: Sequence[Reminder], said: datetime) -> str:
    told = [_told(reminder, said) for reminder in found[:_MOST_TOLD]]
    return "; ".join([*told, f"and {len(found) - _MOST_TOLD} more"] if len(found) > _MOST_TOLD else told)


def _told(reminder: Reminder, said: datetime) -> str:
    if reminder.state == "missed":
        return f"{reminder.text}, missed {spoken_moment(reminder.due_at, said)}"
    if reminder.kind is ReminderKind.TIMER:
        return f"{reminder.text} in {spoken_duration(max(1.0, reminder.due_at - said.timestamp()))}"
    return f"{reminder.text} {spoken_moment(reminder.due_at, said)}"


def _is_of(reminder: Reminder, kind: str) -> bool:
    is_timer = reminder.text.endswith(_TIMER_TEXT)
    return is_timer == (kind == "timer")


def _words(reminder: Reminder) -> frozenset[str]:
    return frozenset(words_of(reminder.text))


def spoken_moment(at: float, said: datetime) -> str:
    """ "at 6 pm", "tomorrow at 9:30 am", "on Friday at noon", "on 3 December at 8 am"."""
    when = datetime.fromtimestamp(at, tz=UTC).astimezone()
    days = (when.date() - said.astimezone().date()).days
    clock = f"{when:%I:%M %p}".lstrip("0").replace(":00", "").lower()
    clock = "noon" if clock == "12 pm" else clock
    if days == 0:
        return f"at {clock}"
    if days in (1, -1):
        return f"{'tomorrow' if days == 1 else 'yesterday'} at {clock}"
    day = f"{when:%A}" if 1 < days < 7 else f"{when.day} {when:%B}" + (f" {when.year}" if days > 300 else "")
    return f"on {day} at {clock}"


def spoken_duration(seconds: float) -> str:
    """ "an hour and 10 minutes"; the two largest units."""
    whole = timedelta(seconds=round(seconds))
    hours, rest = divmod(whole.seconds, 3_600)
    minutes, left = divmod(rest, 60)
    parts = [(whole.days, "day"), (hours, "hour"), (minutes, "minute"), (left, "second")]
    told = [f"{number} {unit}{'' if number == 1 else 's'}" for number, unit in parts if number]
    return " and ".join(told[:2]) or "no time"
