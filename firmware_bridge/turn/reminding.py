"""Reminders and timers by voice: what was wished is done, and said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from edge_memory.errors import TooManyReminders
from edge_memory.memory import Memory
from edge_memory.records import Language, Message, Role, UserTurn, words_of
from edge_memory.reminders import Reminder, Wish
from edge_memory.store.reminders import ReminderKind
from firmware_bridge.contracts import Action
from firmware_bridge.phrases import Phrases
from firmware_bridge.turn.commands import Spoken
from firmware_bridge.turn.moment import Moment
from firmware_bridge.turn.tongue import Tongue, tongue_of
from firmware_bridge.turn.wished import AskWaiting, CallOff, Remind, Time

_LONGEST_TIMER_SECONDS = 30 * 86_400.0
_FARTHEST_SECONDS = 10 * 366 * 86_400.0
_MOST_TOLD = 5


def is_wish(text: str, heard_at: float, language: Language) -> bool:
    """Whether it asks for a reminder or a timer, whatever was said before."""
    return tongue_of(language).wish_in(text, "", datetime.fromtimestamp(heard_at, tz=UTC).astimezone()) is not None


async def answer_wish(memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
    """What to say to a turn that asks for a reminder or a timer; None when it does not."""
    said = datetime.fromtimestamp(turn.heard_at, tz=UTC).astimezone()
    asked = history[-1].content if history and history[-1].role is Role.ASSISTANT else ""
    match tongue_of(memory.language).wish_in(turn.text, asked, said):
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
    tongue = tongue_of(memory.language)
    phrases, text = tongue.phrases, tongue.second_person(wished.text).strip(" ,;")
    text = wished.text[:1] + text[1:] if memory.language is Language.GERMAN else text[:1].lower() + text[1:]
    once = f" {phrases.only_once}" if wished.repeats else ""
    moment = _far(wished.moment, said)
    if moment is None or moment.past:
        if said.year < 2020:
            return Spoken(phrases.no_clock)
        question = phrases.when_question.format(lead=wished.lead, text=text)
        before = f"{phrases.time_is_past} " if moment else f"{phrases.too_far} " if wished.moment else ""
        return Spoken(f"{once.lstrip()} {before}{question}".lstrip(), Action.CLARIFY)
    wish = Wish(turn.user_id, text, turn.device_id, turn.turn_id)
    try:
        if moment.seconds is not None:
            kept = await memory.reminders.after(wish, moment.seconds)
            due = phrases.due_in.format(duration=tongue.duration(moment.seconds), text=kept.text)
            return Spoken(f"{due}{once}")
        assert moment.local is not None
        kept = await memory.reminders.at(wish, moment.local)
    except TooManyReminders as error:
        return Spoken(phrases.too_many.format(reason=error.message))
    due = phrases.due_at.format(moment=tongue.moment(kept.due_at, said), text=kept.text)
    return Spoken(f"{due}{once}")


def _far(moment: Moment | None, said: datetime) -> Moment | None:
    """What is too far away for a timer as a local time; None beyond all bounds."""
    if moment is None or moment.seconds is None or moment.seconds <= _LONGEST_TIMER_SECONDS:
        return moment
    if moment.seconds > _FARTHEST_SECONDS or said.year < 2020:
        return None
    local = (said + timedelta(seconds=moment.seconds)).timestamp()
    return Moment(local=datetime.fromtimestamp(local, tz=UTC).astimezone().replace(tzinfo=None))


async def _time(memory: Memory, turn: UserTurn, text: str, seconds: float | None) -> Spoken:
    tongue = tongue_of(memory.language)
    if seconds is None:
        return Spoken(tongue.phrases.timer_question, Action.CLARIFY)
    if seconds > _LONGEST_TIMER_SECONDS:
        return Spoken(tongue.phrases.too_long)
    name = f"{text} {tongue.phrases.timer}".strip()
    await memory.reminders.after(Wish(turn.user_id, name, turn.device_id, turn.turn_id), seconds)
    return Spoken(tongue.phrases.timer_set.format(name=name, duration=tongue.span(seconds)))


async def _call_off(memory: Memory, turn: UserTurn, wished: CallOff, said: datetime) -> Spoken | None:
    tongue = tongue_of(memory.language)
    phrases = tongue.phrases
    waiting = await memory.reminders.waiting(turn.user_id)
    found = [one for one in waiting if _is_of(one, wished.kind, phrases) or wished.words & _words(one)]
    if wished.words:
        found = [reminder for reminder in found if wished.words & _words(reminder)]
    if not found:
        return Spoken(phrases.no_such_timer if wished.kind == "timer" else phrases.no_such_reminder)
    if len(found) > 1 and not wished.every:
        return Spoken(phrases.which_one.format(listed=_listed(found, said, tongue)), Action.CLARIFY)
    await memory.reminders.cancel([reminder.id for reminder in found])
    return Spoken(phrases.cancelled.format(listed="; ".join(reminder.text for reminder in found[:_MOST_TOLD])))


async def _tell(memory: Memory, turn: UserTurn, kind: str, said: datetime) -> Spoken:
    tongue = tongue_of(memory.language)
    phrases = tongue.phrases
    waiting = await memory.reminders.waiting(turn.user_id)
    found = [one for one in waiting if _is_of(one, kind, phrases)] or (waiting if kind == "reminder" else [])
    if not found:
        return Spoken(phrases.no_timers if kind == "timer" else phrases.no_reminders)
    return Spoken(phrases.waiting.format(count=len(found), listed=_listed(found, said, tongue)))


def _listed(found: Sequence[Reminder], said: datetime, tongue: Tongue) -> str:
    told = [_told(reminder, said, tongue) for reminder in found[:_MOST_TOLD]]
    if len(found) > _MOST_TOLD:
        told.append(tongue.phrases.and_more.format(count=len(found) - _MOST_TOLD))
    return "; ".join(told)


def _told(reminder: Reminder, said: datetime, tongue: Tongue) -> str:
    phrases, text = tongue.phrases, reminder.text
    if reminder.state == "missed":
        return phrases.told_missed.format(text=text, moment=tongue.moment(reminder.due_at, said))
    if reminder.kind is ReminderKind.TIMER:
        left = tongue.duration(max(1.0, reminder.due_at - said.timestamp()))
        return phrases.told_in.format(text=text, duration=left)
    return phrases.told_at.format(text=text, moment=tongue.moment(reminder.due_at, said))


def _is_of(reminder: Reminder, kind: str, phrases: Phrases) -> bool:
    is_timer = reminder.text.endswith(phrases.timer)
    return is_timer == (kind == "timer")


def _words(reminder: Reminder) -> frozenset[str]:
    return frozenset(words_of(reminder.text))
