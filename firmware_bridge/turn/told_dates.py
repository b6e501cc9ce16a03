"""Telling a day that was named from another day: what was "tomorrow" then is "on 3 December" now."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from edge_memory.observe.dates import event_time, spoken_day

_COUNT = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|twenty|thirty)"
_RELATIVE = re.compile(
    r"(?:\b(?P<since>by|until|till|since|from|before|after|for) )?\b(?:"
    r"(?P<near>the day after tomorrow|the day before yesterday|tomorrow|yesterday|today"
    r"|this(?= (?:morning|afternoon|evening)))"
    r"(?: (?P<part>morning|afternoon|evening|night))?|(?P<night>tonight|last night)"
    rf"|(?:in {_COUNT} (?P<unit>day|week|month|year)s?(?:'s? time)?|{_COUNT} (?P<ago>day|week|month|year)s? ago)"
    r"|(?:next|last|this) (?:(?P<period>week|month|year)|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b(?!'s)",
    re.IGNORECASE,
)


def dated(text: str, moment: float | None, now: float) -> str:
    """The text with the date of `moment`, which its relative day means; as it is while that is still so at `now`.

    Both times are Unix seconds. What names no relative day, or none that is known, stays as it is.
    """
    match = _RELATIVE.search(text)
    if match is None or moment is None:
        return text
    day, today = (datetime.fromtimestamp(at, tz=UTC).astimezone() for at in (moment, now))
    meant_now = spoken_day(text, today)
    if meant_now is not None and meant_now.date() == day.date():
        return text
    return f"{text[: match.start()]}{_date(match, day, today)}{text[match.end() :]}"


def dated_turn(text: str, said_at: float, now: float) -> str:
    """The same for what was said at `said_at`."""
    return dated(text, event_time(text, said_at), now)


def _date(match: re.Match[str], day: datetime, today: datetime) -> str:
    year = "" if day.year == today.year else f" {day.year}"
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
