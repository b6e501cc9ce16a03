"""Readings over time, thinned out so that a chart can hold them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from edge_memory.store.sensors import Reading, SensorState

_MOST_POINTS = 400


@dataclass(frozen=True, slots=True)
class Series:
    """One reading of one device: (Unix seconds, value), oldest first."""

    device_id: str
    name: str
    points: tuple[tuple[float, Reading], ...]


def series_of(states: Iterable[SensorState], name: str | None) -> list[Series]:
    """By device and name; with `name`, that reading only."""
    found: dict[tuple[str, str], list[tuple[float, Reading]]] = {}
    for state in states:
        for one, value in state.readings.items():
            if name in (None, one):
                found.setdefault((state.device_id, one), []).append((state.at, value))
    return [Series(device_id, one, tuple(_thinned(points))) for (device_id, one), points in sorted(found.items())]


def _thinned(points: list[tuple[float, Reading]]) -> list[tuple[float, Reading]]:
    """Evenly, and always with the newest."""
    step = -(-len(points) // _MOST_POINTS)
    return points[::-1][::step][::-1]
