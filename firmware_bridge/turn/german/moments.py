"""When somebody wants to be reminded, in German: worked out, and told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from edge_memory import lazy_re as re
from edge_memory.observe.german.dates import clock_in, day_in, without_moments
from edge_memory.observe.german.lexicon import MONTHS, NUMBER, WEEKDAYS, number_of
from firmware_bridge.turn.moment import AFTERNOON, EVENING, MORNING, NIGHT, Moment, hours_meant, soonest

_FIRST_SANE_YEAR = 2020
_UNIT_SECONDS = {"s": 1, "m": 60, "h": 3_600}
_FIXED = {"viertelstunde": 900, "dreiviertelstunde": 2_700, "halbe stunde": 1_800, "halben stunde": 1_800}
_HALVES = {"anderthalb": 1.5, "eineinhalb": 1.5, "zweieinhalb": 2.5, "dreieinhalb": 3.5}
_DURATION = re.compile(
    rf"\b(?:(?:eine[rn]?\s+)?(?P<fixed>dreiviertelstunde|viertelstunde|halben? stunde)"
    rf"|(?P<number>\d+(?:[.,]\d+)?|{'|'.join(_HALVES)}|{NUMBER}|eine[rn]?|ein)[\s-]*"
    r"(?P<unit>sekunden?|sek|s|minuten?|min|stunden?|std|h)(?=-|\b)(?P<late> und eine halbe)?)\b",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(r"\bin\s+(?:etwa\s+|ungefähr\s+|circa\s+)?$", re.IGNORECASE)
_PART = re.compile(
    r"\b(?:(?P<morning>früh|morgens|vormittags?|am morgen|heute morgen)|(?P<noon>mittags?)|(?P<afternoon>nachmittags?)"
    r"|(?P<evening>abends?)|(?P<night>nachts?|heute nacht))\b",
    re.IGNORECASE,
)
_PARTS = {"morning": MORNING, "noon": 12, "afternoon": AFTERNOON, "evening": EVENING, "night": NIGHT}
_FILLERS = re.compile(
    r"\b(?:um|am|an|im|in|auf|gegen|zu|uhr|bitte|danke|und|so|etwa|ungefähr|dann|der|den|dem|heute)\b|[\s,.!?]+",
    re.IGNORECASE,
)


def duration_in(text: str) -> float | None:
    """The seconds of "eine Stunde und zehn Minuten"; None when a text names no duration, or one of nothing."""
    total = 0.0
    for match in _DURATION.finditer(text):
        if match["fixed"]:
            total += _FIXED[match["fixed"].lower()]
            continue
        word = match["number"].lower()
        number = _HALVES.get(word) or (
            float(word.replace(",", ".")) if word[0].isdigit() else float(number_of(word) or 0)
        )
        unit = (
            {"s": "s", "m": "m"}.get(match["unit"][0].lower(), "h")
            if not match["unit"].lower().startswith("st")
            else "h"
        )
        total += (number + (0.5 if match["late"] else 0.0)) * _UNIT_SECONDS[unit]
    return total or None


def without_durations(text: str) -> str:
    return _DURATION.sub(" ", text)


def moment_in(text: str, said: datetime) -> Moment | None:
    """As `firmware_bridge.turn.english.moments.moment_in`."""
    first = _DURATION.search(text)
    if first and _FROM_NOW.search(text[: first.start()]) and (seconds := duration_in(text)) is not None:
        return Moment(seconds=seconds)
    now = said.replace(tzinfo=None)
    if now.year < _FIRST_SANE_YEAR:
        return None
    day, clock, part = day_in(text, said), clock_in(text), _PART.search(text)
    if day is None and clock is None and part is None:
        return None
    hours = hours_meant(clock, _PARTS[part.lastgroup or ""] if part else None, named_day=day is not None)
    return soonest(now, day, hours, clock.minutes if clock is not None else 0) if hours else None


def is_moment(text: str) -> bool:
    """Whether a text says when, and nothing else."""
    left = _PART.sub(" ", without_moments(without_durations(text)))
    return bool(text.strip()) and not _FILLERS.sub("", left) and left != text


def spoken_moment(at: float, said: datetime) -> str:
    """ "um 18 Uhr", "morgen um 9 Uhr 30", "am Freitag um 12 Uhr", "am 3. Dezember um 8 Uhr"."""
    when = datetime.fromtimestamp(at, tz=UTC).astimezone()
    days = (when.date() - said.astimezone().date()).days
    clock = f"um {when.hour} Uhr" + (f" {when.minute}" if when.minute else "")
    named = {0: "", 1: "morgen ", 2: "übermorgen ", -1: "gestern "}.get(days)
    if named is not None:
        return f"{named}{clock}"
    if 2 < days < 7:
        return f"am {WEEKDAYS[when.weekday()].capitalize()} {clock}"
    year = f" {when.year}" if days > 300 else ""
    return f"am {when.day}. {MONTHS[when.month - 1].capitalize()}{year} {clock}"


def spoken_duration(seconds: float) -> str:
    """ "10 Minuten", "einer Stunde und 10 Minuten" as it stands after "in"; the two largest units."""
    whole = timedelta(seconds=round(seconds))
    hours, rest = divmod(whole.seconds, 3_600)
    minutes, left = divmod(rest, 60)
    parts = [(whole.days, "einem Tag", "Tagen"), (hours, "einer Stunde", "Stunden"),
             (minutes, "einer Minute", "Minuten"), (left, "einer Sekunde", "Sekunden")]  # fmt: skip
    told = [one if number == 1 else f"{number} {many}" for number, one, many in parts if number]
    return " und ".join(told[:2]) or "null Sekunden"


def spoken_span(seconds: float) -> str:
    """The same as it stands after "für": "eine Stunde", "2 Tage"."""
    told = spoken_duration(seconds).replace("einer ", "eine ").replace("einem Tag", "einen Tag")
    return told.replace("Tagen", "Tage")
