"""The short answer to a question of ours: when a reminder is wanted, or for how long a timer shall run."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from edge_memory import lazy_re as re
from firmware_bridge.turn.moment import Moment
from firmware_bridge.turn.wished import Remind, Time

_LONGEST_ANSWER = 10  # words


class Times(Protocol):
    """How a language tells times: its module `moments`."""

    def is_moment(self, text: str) -> bool: ...

    def moment_in(self, text: str, said: datetime) -> Moment | None: ...

    def duration_in(self, text: str) -> float | None: ...


def only_tells_a_time(text: str, times: Times) -> bool:
    return len(text.split()) <= _LONGEST_ANSWER and times.is_moment(text)


def answered(
    text: str, when: re.Match[str] | None, *, how_long: bool, said: datetime, times: Times
) -> Remind | Time | None:
    """`when` holds `text` and `lead` of the reminder whose time was asked for, if it was; `how_long`: a timer's was."""
    if not (when or how_long) or not only_tells_a_time(text, times):
        return None
    if when and (moment := times.moment_in(text, said)):
        return Remind(when["text"], when["lead"], moment)
    if how_long and (seconds := times.duration_in(text)):
        return Time("", seconds)
    return None
