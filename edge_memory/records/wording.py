"""What counts as a word, everywhere in memory."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, in order: letters and digits, without marks."""
    return _WORD.findall(text.lower())
