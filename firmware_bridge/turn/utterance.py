"""Judging what was heard."""

from __future__ import annotations

import unicodedata

from edge_memory import lazy_re as re
from firmware_bridge.errors import BadText, TextTooLong

_FILLERS = frozenset("uh um er erm ah eh hm hmm hmmm mm mmm mhm huh oh uhh umm".split())
_WORD = re.compile(r"[^\W_]+")


def clean_utterance(text: str, most_characters: int) -> str:
    """The text without control characters and outer spaces. Raises BadText when nothing is left, TextTooLong."""
    kept = "".join(c for c in unicodedata.normalize("NFC", text) if c in "\n\t" or unicodedata.category(c)[0] != "C")
    kept = kept.strip()
    if not kept:
        raise BadText("the text is empty", "send what the user said as `text`")
    if len(kept) > most_characters:
        raise TextTooLong(f"the text has {len(kept)} characters, at most {most_characters} are heard", "send less")
    return kept


def is_noise(text: str) -> bool:
    """Whether nothing was said: no words at all, or only fillers such as "mm hmm"."""
    return all(word.lower() in _FILLERS for word in _WORD.findall(text))
