"""Reading the rows of a document that anybody may have edited. What cannot be taken in is named by row and field."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from edge_memory.errors import BadDocument

E = TypeVar("E", bound=StrEnum)
_MOST_WHOLE = 2**63 - 1
_DEEPEST = 50


@dataclass(frozen=True, slots=True)
class Row:
    """`where` is like "records[3]", counted from 0. Each reader raises BadDocument."""

    where: str
    fields: Mapping[str, Any]

    def text(self, name: str) -> str:
        value = self._value(name)
        if not isinstance(value, str) or not _is_whole_text(value):
            self.refuse(name, "is not a text")
        return value

    def name(self, name: str) -> str:
        """A text that is not empty."""
        value = self.text(name)
        if not value.strip():
            self.refuse(name, "is empty")
        return value

    def text_or_none(self, name: str) -> str | None:
        return None if self.fields.get(name) is None else self.text(name)

    def number(self, name: str, low: float = -math.inf, high: float = math.inf) -> float:
        value = self._value(name)
        if not _is_number(value):
            self.refuse(name, "is not a number")
        if not low <= value <= high:
            self.refuse(name, f"is {value}, not {low:g} to {high:g}")
        return float(value)

    def number_or_none(self, name: str) -> float | None:
        return None if self.fields.get(name) is None else self.number(name)

    def whole(self, name: str, low: int = 0) -> int:
        value = self._value(name)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= _MOST_WHOLE:
            self.refuse(name, f"is not a whole number from {low}")
        return value

    def flag(self, name: str) -> bool:
        value = self._value(name)
        if not isinstance(value, bool):
            self.refuse(name, "is neither true nor false")
        return value

    def one_of(self, name: str, kind: type[E]) -> E:
        value = self._value(name)
        if not isinstance(value, str) or value not in set(kind):
            self.refuse(name, f"is {str(value)[:40]!r}, none of {', '.join(kind)}")
        return kind(value)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._value(name)
        if not isinstance(value, list) or not all(isinstance(item, str) and _is_whole_text(item) for item in value):
            self.refuse(name, "is not a list of texts")
        return tuple(value)

    def numbers(self, name: str) -> dict[str, float]:
        """An object whose values are numbers."""
        value = self.thing(name)
        if value is None or not all(map(_is_number, value.values())):
            self.refuse(name, "is not an object of numbers")
        return value

    def anything(self, name: str) -> Any:
        """Any JSON that can be stored and read again; None when it is missing."""
        value = self.fields.get(name)
        if not _is_storable(value, _DEEPEST):
            self.refuse(name, f"holds half characters, numbers without end, or more than {_DEEPEST} levels")
        return value

    def thing(self, name: str) -> dict[str, Any] | None:
        """An object, or None."""
        value = self.anything(name)
        if value is not None and not isinstance(value, dict):
            self.refuse(name, "is not an object")
        return value

    def rows(self, name: str) -> list[Row]:
        """The objects of a list."""
        value = self._value(name)
        if not isinstance(value, list):
            self.refuse(name, "is not a list")
        found = []
        for number, item in enumerate(value):
            where = f"{self.where}.{name}[{number}]" if self.where else f"{name}[{number}]"
            if not isinstance(item, dict):
                raise BadDocument(f"{where} is not an object", "nothing was imported; correct or remove that row")
            found.append(Row(where, item))
        return found

    def refuse(self, name: str, problem: str) -> NoReturn:
        field = f"{self.where}.{name}" if self.where else name
        raise BadDocument(f"{field} {problem}", "nothing was imported; correct or remove that row")

    def _value(self, name: str) -> Any:
        if name not in self.fields:
            self.refuse(name, "is missing")
        return self.fields[name]


def _is_number(value: Any) -> bool:
    """Whether it is one that a float can hold: JSON's whole numbers have no end."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _is_storable(value: Any, depth: int) -> bool:
    if isinstance(value, str):
        return _is_whole_text(value)
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return depth > 0 and all(_is_whole_text(k) and _is_storable(v, depth - 1) for k, v in value.items())
    if isinstance(value, list):
        return depth > 0 and all(_is_storable(item, depth - 1) for item in value)
    return True


def _is_whole_text(text: str) -> bool:
    """Not with half characters, which no file can hold."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
