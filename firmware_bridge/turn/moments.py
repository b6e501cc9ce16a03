"""When somebody wants to be reminded, worked out from their words and the time at which they said them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from edge_memory import lazy_re as re
from edge_memory.observe.english.dates import SpokenClock, number_of, spoken_clock, spoken_day, without_moments

_FIRST_SANE_YEAR = 2020
MORNING, AFTERNOON, EVENING, NIGHT = 9, 15, 19, 20
_EARLIEST_AFTERNOON = 7  # "tomorrow at three" is in the afternoon, "tomorrow at eight" in the morning
_UNIT_SECONDS = {"s": 1, "m": 60, "h": 3_600}
_NUMBER = (
    r"\d+(?:\.\d+)?|half an?|a quarter of an|an?|(?:twenty|thirty|forty|fifty|sixty|ninety)"
    r"(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
)
_DURATION = re.compile(
    rf"\b(?P<number>{_NUMBER})(?P<early>[ -]and[ -]a[ -]half)?[ -]*"
    r"(?P<unit>s(?:econds?|ecs?)?|m(?:inutes?|ins?)?|h(?:ours?|rs?)?)\b(?P<late> and a half)?",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(rf"\b(?:in|after)\s+(?:about\s+)?(?={_NUMBER})|\bfrom now\b", re.IGNORECASE)
_HOUR = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_LOOSE_AT = re.compile(
    rf"(?:^|\b(?:for|around|about|@)\s+)(?=(?:(?:half|quarter) (?:past|to) )?(?:{_HOUR})\b|noon|midnight)",
    re.IGNORECASE,
)
_PART = re.compile(r"\b(?P<part>morning|afternoon|evening|tonight|night)\b", re.IGNORECASE)
_PARTS = {"morning": MORNING, "afternoon": AFTERNOON, "evening": EVENING, "tonight": NIGHT, "night": NIGHT}
_FILLERS = re.compile(
    r"\b(?:at|on|in|by|the|and|a|from now|o'clock|please|thanks|thank you|time|then|sharp|for|around|about|early"
    r"|late)\b|[\s,.!?']+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Moment:
    """Either a local time, without zone, or so many seconds from now. `past` is set when that time is over."""

    local: datetime | None = None
    seconds: float | None = None
    past: bool = False


def duration_in(text: str) -> float | None:
    """The seconds of "an hour and ten minutes"; None when a text names no duration, or one of nothing."""
    total = 0.0
    for match in _DURATION.finditer(text):
        word = match["number"].lower()
        number = 0.5 if word.startswith("half") else 0.25 if "quarter" in word else _number(word)
        number += 0.5 if match["early"] or match["late"] else 0.0
        total += number * _UNIT_SECONDS[match["unit"][0].lower()]
    return total or None


def without_durations(text: str) -> str:
    return _DURATION.sub(" ", text)


def moment_in(text: str, said: datetime) -> Moment | None:
    """`said` has its zone. None when a text names no moment, and for days when the clock cannot be right."""
    if _FROM_NOW.search(text) and (seconds := duration_in(text)) is not None:
        return Moment(seconds=seconds)
    now = said.replace(tzinfo=None)
    if now.year < _FIRST_SANE_YEAR:
        return None
    text = _LOOSE_AT.sub("at ", text.strip())
    day, clock, part = spoken_day(text, said), spoken_clock(text), _PART.search(text)
    if day is None and clock is None and part is None:
        return None
    hours = hours_meant(clock, _PARTS[part["part"].lower()] if part else None, named_day=day is not None)
    if not hours:
        return None
    minutes = clock.minutes if clock is not None else 0
    return soonest(now, day.date() if day is not None else None, hours, minutes)


def is_moment(text: str) -> bool:
    """Whether a text says when, and nothing else."""
    loose = _LOOSE_AT.sub("at ", text.strip())
    left = _PART.sub(" ", without_moments(without_durations(loose)))
    return bool(text.strip()) and not _FILLERS.sub("", left) and left != text


def hours_meant(clock: SpokenClock | None, part: int | None, *, named_day: bool) -> Sequence[int]:
    """The hours of the day that may be meant, likeliest first."""
    if clock is None:
        return [part] if part is not None else [MORNING] if named_day else []
    if clock.certain:
        return [clock.hour]
    later = (clock.hour + 12) % 24
    if part is not None:
        return [clock.hour if part == MORNING else later]
    if clock.hour == 12:
        return [12, 0]
    return [later, clock.hour] if named_day and clock.hour < _EARLIEST_AFTERNOON else [clock.hour, later]


def soonest(now: datetime, day: date | None, hours: Sequence[int], minutes: int) -> Moment:
    """On a named day the likeliest hour that is still to come; else the next time that the clock shows one of them."""
    if day is not None:
        on_it = [datetime.combine(day, time(hour, minutes)) for hour in hours]
        to_come = [moment for moment in on_it if moment > now]
        return Moment(local=to_come[0]) if to_come else Moment(local=on_it[0], past=True)
    days = (now.date(), now.date() + timedelta(days=1))
    return Moment(local=min(m for d in days for hour in hours if (m := datetime.combine(d, time(hour, minutes))) > now))


def _number(word: str) -> float:
    return float(word) if word[0].isdigit() else float(number_of(word))
