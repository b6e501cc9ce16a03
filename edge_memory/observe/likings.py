"""Likings that turn round: what was hated is liked now, and the other way."""

from __future__ import annotations

from edge_memory.observe import frames
from edge_memory.observe.reading import Statement
from edge_memory.observe.wording import telling
from edge_memory.records import Record


def _liking(text: str) -> tuple[bool, frozenset[str]] | None:
    """Whether it is liked, and the words of what."""
    again = frames.LIKED_AGAIN.search(text)
    if again:
        return True, telling(again["object"] or again["grown"])
    for liked, pattern in ((False, frames.DISLIKES), (True, frames.LIKES)):
        match = pattern.search(text)
        if match:
            return liked, telling(frames.REST.sub("", match["object"])) - {"not"}
    return None


def turns_liking(statement: Statement, record: Record) -> bool:
    """Whether the statement says so of what the record likes or dislikes, whoever does."""
    now, before = _liking(statement.text), _liking(record.text)
    if now is None or before is None or now[0] == before[0] or not now[1] or not frames.TURNED.search(statement.text):
        return False
    return now[1] <= telling(record.text)
