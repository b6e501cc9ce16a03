"""Telling when something is, and how long it takes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


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
