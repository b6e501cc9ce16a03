"""One TOML table, read key by key: whatever is wrong with it is said with its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from firmware_bridge.errors import WeightsError

T = TypeVar("T")


class Table:
    """Each key is taken once; `close` refuses those that nobody took."""

    def __init__(self, value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise fault(place, "must be a table")
        self._left = dict(value)
        self.place = place

    def text(self, key: str, default: str | None = None) -> str:
        value = self._left.pop(key, default)
        if not isinstance(value, str):
            raise fault(self.place, f"{key} must be text")
        return value

    def matching(self, key: str, pattern: str, meaning: str) -> str:
        value = self.text(key)
        if not re.fullmatch(pattern, value):
            raise fault(self.place, f"{key} must be {meaning}, not {value!r}")
        return value

    def count(self, key: str) -> int:
        value = self._left.pop(key, None)
        if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            raise fault(self.place, f"{key} must be a whole number above zero")
        return value

    def each(self, key: str, read: Callable[[object, str], T]) -> tuple[T, ...]:
        """Every item of a list, read by `read(item, place)`; a missing key is an empty list."""
        items = self._left.pop(key, [])
        if not isinstance(items, list):
            raise fault(self.place, f"{key} must be a list")
        return tuple(read(item, f"{self.place}, {key} {number}") for number, item in enumerate(items, 1))

    def within(self, key: str) -> Table:
        return Table(self._left.pop(key, None), f"{self.place}, {key}")

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def close(self) -> None:
        if self._left:
            raise fault(self.place, f"unknown key {', '.join(sorted(self._left))}")


def fault(place: str, what: str) -> WeightsError:
    return WeightsError(f"{place}: {what}", "models/README.md says what each key of the catalogue means")
