"""A moment that somebody means, and which of the hours that their words may mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from edge_memory.observe.english.dates import SpokenClock

MORNING, AFTERNOON, EVENING, NIGHT = 9, 15, 19, 20
_EARLIEST_AFTERNOON = 7  # "tomorrow at three" is in the afternoon, "tomorrow at eight" in the morning


@dataclass(frozen=True, slots=True)
class Moment:
    """Either a local time, without zone, or so many seconds from now. `past` is set when that time is over."""

    local: datetime | None = None
    seconds: float | None = None
    past: bool = False


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
