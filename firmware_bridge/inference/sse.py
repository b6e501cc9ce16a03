"""Server-sent events: feed bytes, get the data of whole events.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
"""

from __future__ import annotations

_MAX_EVENT = 1_000_000  # bytes; whoever sends more at once is no chat server


class EventTooLong(ValueError):
    """More than 1 MB came without the end of an event."""


class EventDecoder:
    """Joins the `data:` lines of each event; comments (keep-alives) and other fields are dropped."""

    def __init__(self) -> None:
        self._buffer = b""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[str]:
        """The data of every event that `chunk` completes. Raises EventTooLong."""
        *lines, self._buffer = (self._buffer + chunk).split(b"\n")
        events = [event for line in lines if (event := self._line(line.removesuffix(b"\r"))) is not None]
        if len(self._buffer) + sum(map(len, self._data)) > _MAX_EVENT:
            raise EventTooLong("an event of more than 1 MB")
        return events

    def _line(self, line: bytes) -> str | None:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" ").decode("utf-8", "replace"))
        if line or not self._data:
            return None
        event = "\n".join(self._data)
        self._data.clear()
        return event
