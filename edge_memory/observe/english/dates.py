"""When something is, worked out from the words against the time at which they were said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import MONTHS, WEEKDAYS

_FIRST_SANE_YEAR = 2020  # before that the clock has not been set yet
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
        " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        start=1,
    )
} | {"thirtieth": 30}
_DAY = (
    r"(?:(?P<tens>twenty|thirty)[ -](?P<unit>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    r"|(?P<word>" + "|".join(sorted(_ORDINALS, key=len, reverse=True)) + r")|(?P<digits>[0-3]?\d)(?:st|nd|rd|th))"
)
_MONTH = "(?P<month>" + "|".join(MONTHS) + ")"
_WEEKDAY = "|".join(WEEKDAYS)
_COUNT = r"(?P<count>\d+|an?(?: couple of)?|" + "|".join([*_UNITS[1:], *_TENS]) + ")"
_DAY_OF_MONTH = re.compile(rf"\b(?:the\s+)?{_DAY}(?:\s+(?:of\s+)?{_MONTH})?\b", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"\b{_MONTH}\s+(?:the\s+)?{_DAY}\b", re.IGNORECASE)
_MONTH_ONLY = re.compile(rf"\bin\s+{_MONTH}\b", re.IGNORECASE)
_NAMED_DAY = re.compile(rf"\b(?:(?P<which>next|this|last|on|by|until|before)\s+)?(?P<day>{_WEEKDAY})\b", re.IGNORECASE)
_NEAR_DAY = re.compile(
    r"\b(?P<near>the day after tomorrow|the day before yesterday|tomorrow|yesterday|today|tonight|this (?:morning"
    r"|afternoon|evening)|last night)\b",
    re.IGNORECASE,
)
_SPAN = re.compile(
    rf"\b(?:(?P<way>in)\s+{_COUNT}\s+(?P<unit>day|week|fortnight|month|year)s?(?:'s? time)?"
    rf"|{_COUNT.replace('count', 'ago_count')}\s+(?P<ago>day|week|fortnight|month|year)s?\s+ago)\b",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\b(?P<which>next|last|this)\s+(?P<unit>week|weekend|month|year)\b", re.IGNORECASE)
_CLOCK = re.compile(
    rf"\b(?:at|from|by)\s+(?:(?P<part>half|quarter)\s+(?P<side>past|to)\s+)?"
    rf"(?P<hour>\d{{1,2}}|{'|'.join(_UNITS[1:13])})"
    r"(?::(?P<minutes>\d\d)|\s+(?P<spoken>fifteen|thirty|forty[- ]five))?\s*(?P<half>am|pm|a\.m\.|p\.m\."
    r"|in the morning|in the afternoon|in the evening|at night|o'clock)?\b",
    re.IGNORECASE,
)
_NOON = re.compile(r"\bat (?P<which>noon|midday|midnight)\b", re.IGNORECASE)
_EVERY = re.compile(rf"\b(?:every|each|always|usually|most|whenever|(?:{_WEEKDAY})s)\b", re.IGNORECASE)
_BORN = re.compile(r"\b(?:birthday|born|anniversary)\b", re.IGNORECASE)
_ABOUT = {"a": 1, "an": 1, "a couple of": 2}
_DAYS_OF = {"day": 1, "week": 7, "fortnight": 14}
_EARLIEST_AFTERNOON = 7  # "at three" is in the afternoon, "at eight" in the morning


def event_time(text: str, said_at: float) -> float | None:
    """The Unix time of the one moment that a text speaks of; the start of its day when no hour is named.

    None when it names none, repeats ("every Friday"), or the clock at `said_at` cannot have been right.
    """
    said = datetime.fromtimestamp(said_at, tz=UTC).astimezone()
    if said.year < _FIRST_SANE_YEAR or _EVERY.search(text):
        return None
    day = spoken_day(text, said)
    clock = _clock(text)
    if day is None and (clock is None or not re.search(r"\btoday|tonight|this\b", text, re.IGNORECASE)):
        return None
    moment = (day or said).replace(hour=0, minute=0, second=0, microsecond=0)
    if clock is not None:
        moment = moment.replace(hour=clock[0], minute=clock[1])
    return moment.timestamp()


def spoken_day(text: str, said: datetime) -> datetime | None:
    """The day that a text names, with the hour of `said`; None when it names none."""
    for find in (_near_day, _date, _span, _named_day, _period):
        day = find(text, said)
        if day is not None:
            return day
    return None


def without_moments(text: str) -> str:
    """What is left of a text when days and times of day are taken out."""
    for pattern in (_MONTH_DAY, _DAY_OF_MONTH, _NEAR_DAY, _SPAN, _NAMED_DAY, _NEXT, _NOON, _CLOCK):
        text = pattern.sub(" ", text)
    return text


def _near_day(text: str, said: datetime) -> datetime | None:
    match = _NEAR_DAY.search(text)
    if not match:
        return None
    shifts = {
        "the day after tomorrow": 2,
        "the day before yesterday": -2,
        "tomorrow": 1,
        "yesterday": -1,
        "last night": -1,
    }
    return said + timedelta(days=shifts.get(match["near"].lower(), 0))


def _date(text: str, said: datetime) -> datetime | None:
    match = _MONTH_DAY.search(text) or _DAY_OF_MONTH.search(text)
    past = bool(re.search(r"\b(?:was|were|did|went|last|ago|had|came|happened|died|broke)\b", text, re.IGNORECASE))
    if match is None:
        only = _MONTH_ONLY.search(text)
        return _next_date(said, 1, MONTHS.index(only["month"].lower()) + 1, past) if only else None
    month = match["month"]
    if month is None and re.search(rf"{re.escape(match[0])}\s+(?!at|in|of|to|and|from|for)[a-z]", text, re.IGNORECASE):
        return None  # "the second one", "the third floor"
    number = _day_number(match)
    if month is None:
        return _next_day_of_month(said, number, past)
    return _next_date(said, number, MONTHS.index(month.lower()) + 1, past and not _BORN.search(text))


def _day_number(match: re.Match[str]) -> int:
    if match["digits"]:
        return int(match["digits"])
    if match["tens"]:
        return _TENS[match["tens"].lower()] + _ORDINALS[match["unit"].lower()]
    return _ORDINALS[match["word"].lower()]


def _next_date(said: datetime, day: int, month: int, past: bool) -> datetime | None:
    for year in (said.year, said.year - 1) if past else (said.year, said.year + 1):
        found = _valid(said, year, month, day)
        if found and (found.date() <= said.date() if past else found.date() >= said.date()):
            return found
    return None


def _next_day_of_month(said: datetime, day: int, past: bool) -> datetime | None:
    """The nearest month that has this day and lies on the right side of now."""
    for step in range(4):
        months = said.year * 12 + said.month - 1 + (-step if past else step)
        found = _valid(said, months // 12, months % 12 + 1, day)
        if found and (found.date() <= said.date() if past else found.date() >= said.date()):
            return found
    return None


def _valid(said: datetime, year: int, month: int, day: int) -> datetime | None:
    try:
        return said.replace(year=year, month=month, day=day)
    except ValueError:
        return None


def _span(text: str, said: datetime) -> datetime | None:
    match = _SPAN.search(text)
    if not match:
        return None
    unit, ago = match["unit"] or match["ago"], match["ago"] is not None
    count = number_of(match["count"] or match["ago_count"]) * (-1 if ago else 1)
    return _shift(said, count, unit.lower())


def _named_day(text: str, said: datetime) -> datetime | None:
    match = _NAMED_DAY.search(text)
    if not match:
        return None
    wanted = WEEKDAYS.index(match["day"].lower())
    which = (match["which"] or "").lower()
    if which == "last":
        return said - timedelta(days=(said.weekday() - wanted - 1) % 7 + 1)
    ahead = (wanted - said.weekday() - 1) % 7 + 1
    in_this_week = said.weekday() < wanted
    return said + timedelta(days=ahead + (7 if which == "next" and in_this_week else 0))


def _period(text: str, said: datetime) -> datetime | None:
    match = _NEXT.search(text)
    if not match:
        return None
    way = {"next": 1, "last": -1, "this": 0}[match["which"].lower()]
    unit = match["unit"].lower()
    if unit == "weekend":
        return said + timedelta(days=(5 - said.weekday()) % 7 + 7 * way)
    return _shift(said, way, unit)


def _shift(said: datetime, count: int, unit: str) -> datetime | None:
    if unit in _DAYS_OF:
        return said + timedelta(days=count * _DAYS_OF[unit])
    months = said.year * 12 + said.month - 1 + count * (12 if unit == "year" else 1)
    year, month = months // 12, months % 12 + 1
    return _valid(said, year, month, said.day) or _valid(said, year, month, 28)


def _clock(text: str) -> tuple[int, int] | None:
    spoken = spoken_clock(text)
    if spoken is None:
        return None
    hour = spoken.hour
    if not spoken.certain and hour < _EARLIEST_AFTERNOON:
        hour += 12
    return hour, spoken.minutes


@dataclass(frozen=True, slots=True)
class SpokenClock:
    """A time of day as it was said. Unless `certain`, "six" may as well be 12 hours later."""

    hour: int  # 0 to 23
    minutes: int
    certain: bool


def spoken_clock(text: str) -> SpokenClock | None:
    """The first time of day in a text: noon and midnight before any other."""
    noon = _NOON.search(text)
    if noon:
        return SpokenClock(0 if noon["which"].lower() == "midnight" else 12, 0, True)
    match = _CLOCK.search(text)
    if not match:
        return None
    hour, half = number_of(match["hour"]), (match["half"] or "").lower().replace(".", "")
    minutes = int(match["minutes"] or number_of(match["spoken"]) if match["minutes"] or match["spoken"] else 0)
    if match["part"]:
        minutes = 30 if match["part"].lower() == "half" else 15
        if (match["side"] or "").lower() == "to":
            hour, minutes = (hour - 1) or 12, 60 - minutes
    late = half in ("pm", "in the afternoon", "in the evening", "at night")
    early = half in ("am", "in the morning") or bool(re.search(r"\bmorning\b", text, re.IGNORECASE))
    if hour < 12 and late:
        hour += 12
    if hour == 12 and half == "am":
        hour = 0
    certain = late or early or hour > 12 or hour == 0
    return SpokenClock(hour, minutes, certain) if 0 <= hour < 24 and 0 <= minutes < 60 else None


def number_of(word: str | None) -> int:
    low = (word or "").lower().replace("-", " ")
    if low.isdigit():
        return int(low)
    if low in _ABOUT:
        return _ABOUT[low]
    return sum(_TENS.get(part, _UNITS.index(part) if part in _UNITS else 0) for part in low.split())
