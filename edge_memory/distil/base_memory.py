"""The base memory document: who the user is and what goes on, short enough for every prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence

from edge_memory.records import Kind, Layer, Record

PROFILE, PREFERENCES, TOPICS, HISTORY = "User Profile", "Preferences", "Ongoing Topics", "Key History"
_LINE = re.compile(r"^- (.+)$", re.MULTILINE)
_PREFERRED = frozenset({Kind.PREFERENCE, Kind.POLICY})


def section_lines(document: str, title: str) -> list[str]:
    """The lines under a title of an earlier document."""
    _, _, rest = document.partition(f"{title}:\n")
    body = re.split(r"^\w[\w ]+:$", rest, maxsplit=1, flags=re.MULTILINE)[0]
    return _LINE.findall(body)


def compose(believed: Sequence[Record], topics: Sequence[str], history: Sequence[str], most_words: int) -> str:
    """Profile and preferences come from the records as they are believed now, the rest from the distillation.

    When it grows too long, history goes first (oldest first), then topics, then the least important beliefs.
    """
    beliefs = sorted(believed, key=lambda record: (-record.importance, record.id))
    live, past = list(dict.fromkeys(topics)), list(dict.fromkeys(history))
    document = _lay_out(beliefs, live, past)
    while document and len(document.split()) > most_words:
        if past:
            past.pop(0)
        elif live:
            live.pop()
        else:
            beliefs.pop()
        document = _lay_out(beliefs, live, past)
    return document


def _lay_out(beliefs: Sequence[Record], topics: Sequence[str], history: Sequence[str]) -> str:
    sections = {
        PROFILE: [r.text for r in beliefs if r.layer is Layer.PROFILE and r.kind not in _PREFERRED],
        PREFERENCES: [r.text for r in beliefs if r.kind in _PREFERRED],
        TOPICS: topics,
        HISTORY: history,
    }
    return "\n".join(
        f"{title}:\n" + "\n".join(f"- {line}" for line in lines) for title, lines in sections.items() if lines
    )
