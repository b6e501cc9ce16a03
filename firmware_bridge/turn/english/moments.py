"""When somebody wants to be reminded, worked out from their words and the time at which they said them."""

from __future__ import annotations

from datetime import datetime

from edge_memory import lazy_re as re
from edge_memory.observe.english.dates import number_of, spoken_clock, spoken_day, without_moments
from firmware_bridge.turn.moment import AFTERNOON, EVENING, MORNING, NIGHT, Moment, hours_meant, soonest

_FIRST_SANE_YEAR = 2020
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


def _number(word: str) -> float:
    return float(word) if word[0].isdigit() else float(number_of(word))
