"""What a decoder that misses the end of the speech says again."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_FASTEST = 4.0  # words a second, with the silence around them; who says a sentence twice does not hurry so
_LEAST_WORDS = 4
_ALIKE = 0.7


def said_once(text: str, seconds: float) -> str:
    """The first sentence where all others say nearly the same, and nobody can have spoken them all in `seconds`."""
    first, *others = (sentence.casefold().split() for sentence in _SENTENCE_END.split(text.strip()))
    if len(first) < _LEAST_WORDS or not others or len(text.split()) <= _FASTEST * seconds:
        return text
    again = all(SequenceMatcher(None, first, other).ratio() >= _ALIKE for other in others)
    return _SENTENCE_END.split(text.strip())[0] if again else text
