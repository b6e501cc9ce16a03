"""Telling a day that was named from another day: what was "tomorrow" then is "on 3 December" now."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TypeVar

from edge_memory import lazy_re as re
from edge_memory.observe.english.dates import event_time, spoken_day
from edge_memory.observe.german import dates as german
from edge_memory.records import Record, StoredMessage

_MOST_READ = 512  # texts: a turn is given much of what the one before was
Told = TypeVar("Told", bound=Record | StoredMessage)
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve [a-z]+teen twenty thirty".replace(" ", "|")
_COUNT = rf"(?:\d+|an?(?: couple of)?|{_NUMBERS})"
_UNIT = "day|week|fortnight|month|year"
_RELATIVE = re.compile(
    r"(?:\b(?P<since>by|until|till|since|from|before|after|for) )?\b(?:"
    r"(?P<near>the day after tomorrow|the day before yesterday|tomorrow|yesterday|today"
    r"|this(?= (?:morning|afternoon|evening)))"
    r"(?: (?P<part>morning|afternoon|evening|night))?|(?P<night>tonight|last night)"
    rf"|(?:in {_COUNT} (?P<unit>{_UNIT})s?(?:'s? time)?|{_COUNT} (?P<ago>{_UNIT})s? ago)"
    r"|(?:next|last|this) (?:(?P<period>week|month|year)|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b(?!'s)",
    re.IGNORECASE,
)


def dated(text: str, moment: float | None, now: float | None) -> str:
    """The text with the date of `moment`, which its relative day means; as it is while that is still so at `now`.

    Both times are Unix seconds; None for `now` is for what is read at any time. What names no relative day, or none
    that is known, stays as it is.
    """
    match = _RELATIVE.search(text)
    if match is None or moment is None:
        return german.dated(text, moment, now)
    day = datetime.fromtimestamp(moment, tz=UTC).astimezone()
    today = None if now is None else datetime.fromtimestamp(now, tz=UTC).astimezone()
    meant_now = today and spoken_day(text, today)
    if meant_now is not None and meant_now.date() == day.date():
        return text
    return f"{text[: match.start()]}{_date(match, day, today)}{text[match.end() :]}"


def dated_turn(text: str, said_at: float, now: float | None) -> str:
    """The same for what was said at `said_at`."""
    return dated(text, _event_time(text, said_at), now) if _names_relative_day(text) else text


def dated_memory(memory: Told, now: float | None) -> Told:
    """A record or a turn with its days told so, in its words and in its value."""
    if isinstance(memory, StoredMessage):
        told = dated_turn(memory.content, memory.created_at, now)
        return memory if told == memory.content else replace(memory, content=told)
    texts = (memory.text, memory.source_excerpt, memory.value if isinstance(memory.value, str) else "")
    if not any(map(_names_relative_day, texts)):
        return memory
    moment = moment_of(memory)
    return replace(
        memory,
        text=dated(memory.text, moment, now),
        source_excerpt=dated(memory.source_excerpt, moment, now),
        value=dated(memory.value, moment, now) if isinstance(memory.value, str) else memory.value,
    )


@lru_cache(_MOST_READ)
def _names_relative_day(text: str) -> bool:
    return bool(_RELATIVE.search(text) or german.relative_day(text))


def moment_of(record: Record) -> float | None:
    """The Unix time that a record speaks of, as it was read or, where it was not, as its words have it."""
    return _event_time(record.text, record.created_at) if record.event_time is None else record.event_time


def _event_time(text: str, said_at: float) -> float | None:
    """Which language it is tells the word for the day."""
    return german.event_time(text, said_at) if german.relative_day(text) else event_time(text, said_at)


def _date(match: re.Match[str], day: datetime, today: datetime | None) -> str:
    year = "" if today is not None and day.year == today.year else f" {day.year}"
    date = f"{day.day} {day:%B}{year}"
    part = "night" if match["night"] else match["part"]
    unit = (match["unit"] or match["ago"] or match["period"] or "day").lower()
    if unit == "year":
        on, date = "in", str(day.year)
    elif unit == "month":
        on, date = "in", f"{day:%B}{year}"
    else:
        on = "in the week of" if unit == "week" else "on"
        date = f"the {part.lower()} of {date}" if part else date
    return f"{match['since'] or on} {date}"
