"""Changes of readings that are worth remembering. Rules over numbers and a few known words; nothing that a device could
make up becomes a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from edge_memory.store.sensors import Reading

_TEMPERATURE = re.compile(r"temp|celsius", re.IGNORECASE)
_BATTERY = re.compile(r"battery(?:_?(?:level|percent))?$", re.IGNORECASE)
_ORIENTATION = re.compile(r"orientation", re.IGNORECASE)
_DEGREES_THAT_MATTER = 5.0
_MOST_THERMOMETERS = 16
_LOW_PERCENT, _RECOVERED_PERCENT = 15.0, 30.0
_QUIET_SECONDS = 900.0  # between two tellings of the same


class Watcher:
    """What a device's readings were when they were last told. `ticks` are seconds that never jump."""

    def __init__(self) -> None:
        self._temperatures: dict[str, float] = {}
        self._low = False
        self._down: bool | None = None
        self._told: dict[str, float] = {}

    def notice(self, readings: Mapping[str, Reading], ticks: float) -> list[str]:
        """What happened, as ends of a sentence about the device."""
        found: list[tuple[str, str]] = []
        for name, value in readings.items():
            number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
            if number is not None and _TEMPERATURE.search(name):
                found += self._temperature(name, number)
            elif number is not None and number >= 0 and _BATTERY.match(name):
                found += self._battery(number)
            elif isinstance(value, str) and _ORIENTATION.search(name):
                found += self._orientation(value)
        return [text for kind, text in found if self._may_tell(kind, ticks)]

    def _temperature(self, name: str, celsius: float) -> list[tuple[str, str]]:
        if name not in self._temperatures and len(self._temperatures) >= _MOST_THERMOMETERS:
            return []
        told = self._temperatures.setdefault(name, celsius)
        if abs(celsius - told) < _DEGREES_THAT_MATTER:
            return []
        self._temperatures[name] = celsius
        way = "rose" if celsius > told else "fell"
        return [(name, f"felt the temperature change: it {way} from {told:g} to {celsius:g} °C")]

    def _battery(self, percent: float) -> list[tuple[str, str]]:
        was_low = self._low
        self._low = percent <= _LOW_PERCENT or (was_low and percent < _RECOVERED_PERCENT)
        return [("battery", f"ran low on battery: {percent:g} % were left")] if self._low and not was_low else []

    def _orientation(self, orientation: str) -> list[tuple[str, str]]:
        was_down, self._down = self._down, is_face_down(orientation)
        if was_down is None and not self._down:
            return []
        if self._down == was_down:
            return []
        return [("down", "was laid face down, to be quiet")] if self._down else [("up", "was turned face up again")]

    def _may_tell(self, kind: str, ticks: float) -> bool:
        if ticks - self._told.get(kind, -_QUIET_SECONDS) < _QUIET_SECONDS:
            return False
        self._told[kind] = ticks
        return True


def is_face_down(orientation: object) -> bool:
    return isinstance(orientation, str) and "down" in re.findall(r"[a-z]+", orientation.lower())
