"""Wyoming's frames: bytes in, events out. Pure.

frame = JSON object | LF | `data_length` bytes of JSON, joined to `data` | `payload_length` bytes
The library reads them, too, but as many bytes as a client announces; here every part has a cap.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from wyoming.event import Event

from firmware_bridge.errors import BadEvent

LONGEST_HEAD = 64 << 10
LONGEST_DATA = 256 << 10
LONGEST_PAYLOAD = 4 << 20  # two minutes of 16 kHz in one chunk


@dataclass(frozen=True, slots=True)
class _Head:
    type: str
    data: dict[str, Any]
    data_length: int
    payload_length: int


class EventReader:
    """Feed it what arrives, then take events until there is none. After a BadEvent nothing more can be read."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._head: _Head | None = None

    @property
    def is_between_events(self) -> bool:
        return not self._held and self._head is None

    def feed(self, data: bytes) -> None:
        self._held += data

    def take(self) -> Event | None:
        """The next whole event; None while more is needed. Raises BadEvent."""
        if self._head is None:
            end = self._held.find(b"\n")
            if max(end, len(self._held) if end < 0 else 0) > LONGEST_HEAD:
                raise BadEvent("the head of an event is too long", f"at most {LONGEST_HEAD} bytes up to the line feed")
            if end < 0:
                return None
            self._head = _parse_head(self._cut(end + 1))
        head = self._head
        if len(self._held) < head.data_length + head.payload_length:
            return None
        data = head.data | (_parse_object(self._cut(head.data_length)) if head.data_length else {})
        payload = self._cut(head.payload_length) or None
        self._head = None
        return Event(head.type, data, payload)

    def _cut(self, length: int) -> bytes:
        part = bytes(self._held[:length])
        del self._held[:length]
        return part


def member(event: Event, name: str, kind: type[str] | type[int]) -> Any:
    """A member that the event must have. Raises BadEvent."""
    value = event.data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadEvent(f"{event.type} has no {name} that is {_NAMES[kind]}", "see the Wyoming protocol")
    return value


_NAMES: dict[type, str] = {str: "a text", int: "a whole number"}


def _parse_head(line: bytes) -> _Head:
    told = _parse_object(line)
    kind, data = told.get("type"), told.get("data") or {}
    if not isinstance(kind, str) or not isinstance(data, dict):
        raise BadEvent("an event has no type, or its data is no object", 'send one such as {"type": "describe"}')
    return _Head(
        kind,
        data,
        _length(told, "data_length", LONGEST_DATA),
        _length(told, "payload_length", LONGEST_PAYLOAD),
    )


def _parse_object(raw: bytes) -> dict[str, Any]:
    try:
        told = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise BadEvent("this is no JSON", "an event begins with a line of JSON") from error
    if not isinstance(told, dict):
        raise BadEvent("this JSON is no object", 'an event begins with one such as {"type": "describe"}')
    return told


def _length(told: dict[str, Any], name: str, most: int) -> int:
    length = told.get(name) or 0
    if not isinstance(length, int) or not 0 <= length <= most:
        raise BadEvent(f"{name} is not a number of bytes that is taken", f"at most {most}")
    return length
