"""Moments that people come back to ("when you came home"), kept with what was sensed at that time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from edge_memory.records import Kind, Layer, NewRecord, Origin, UserTurn
from edge_memory.store.sensors import Reading, SensorState

_MOMENTS = {
    "came home": re.compile(
        r"\bi(?:'m| am) (?:back )?home\b|\bi(?:'m| am) back(?: home)?\s*[.!]*$"
        r"|\bi(?: have|'ve)? (?:just )?(?:came|come|got|arrived) (?:back )?home\b"
        r"|^\W*(?:hello|hi|hey)?\W*(?:i'm )?home(?: again)?\s*[.!]*$",
        re.IGNORECASE,
    ),
    "left home": re.compile(
        r"\bi(?:'m| am) (?:leaving|going out|heading out|off to (?:work|school))\b|^\W*(?:good)?bye\b", re.IGNORECASE
    ),
    "went to bed": re.compile(r"\bgood ?night\b|\bi(?:'m| am) (?:going|off) to (?:bed|sleep)\b", re.IGNORECASE),
    "got up": re.compile(r"\bi(?:'m| am) (?:up|awake)\s*[.!]*$|\bi (?:just )?(?:woke|got) up\b", re.IGNORECASE),
}
_NOT_NOW = re.compile(r"\b(?:when|yesterday|last|if|tomorrow|will|ago|usually|always|was|\?)", re.IGNORECASE)
_SENSED = (
    (re.compile(r"temp|celsius", re.IGNORECASE), "the temperature was", " °C"),
    (re.compile(r"humid", re.IGNORECASE), "the humidity was", " %"),
    (re.compile(r"co2", re.IGNORECASE), "the CO2 was", " ppm"),
    (re.compile(r"pressure", re.IGNORECASE), "the air pressure was", " hPa"),
    (re.compile(r"lux|light", re.IGNORECASE), "the light was", " lux"),
)


def moment_of(turn: UserTurn, state: SensorState | None) -> NewRecord | None:
    """An episode for a turn that marks a moment of the day while sensors are fresh; else None."""
    if state is None or _NOT_NOW.search(turn.text):
        return None
    what = next((name for name, pattern in _MOMENTS.items() if pattern.search(turn.text)), None)
    told = _told(state.readings)
    if what is None or not told:
        return None
    at = datetime.fromtimestamp(turn.heard_at, tz=UTC).astimezone()
    when = f"{what} on {at:%A}, {at.day} {at:%B} {at.year} at {at:%H:%M}, {told}"
    return NewRecord(
        layer=Layer.EPISODIC,
        kind=Kind.EVENT,
        text=f"When the user {when}",
        many=True,
        confidence=1.0,
        tags=("sensors",),
        user_id=turn.user_id,
        origin=Origin.DEVICE,
        source_turn_id=turn.turn_id,
        source_excerpt=f"When I {when}",  # as the user would tell it, for replies in their own words
        event_time=turn.heard_at,
    )


def _told(readings: Mapping[str, Reading]) -> str:
    parts = []
    for pattern, lead, unit in _SENSED:
        value = next((value for name, value in readings.items() if pattern.search(name)), None)
        if isinstance(value, int | float) and not isinstance(value, bool):
            parts.append(f"{lead} {value:g}{unit}")
    return " and ".join(parts)
