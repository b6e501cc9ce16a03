"""Holding a model's retelling to what was said."""

from __future__ import annotations

import re
from collections.abc import Iterable

from edge_memory.records import words_of

_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAIM = re.compile(r"\b(?:[A-Z][\w'-]+|\d[\d:.,]*)")  # names and numbers are what must not be made up
_NEGATION = re.compile(r"\b(?:not|never|no|none|nobody|nothing)\b|n['\u2019]t\b", re.IGNORECASE)
_LEAST_OVERLAP = 0.4
_NARRATION = frozenset(
    """the a an user user's assistant lo bug he she they their his her it its this that these in on at to of and or for
    with was were had has have is are be been did said asked told mentioned stated talked discussed about also then
    conversation summary wanted during after before from as by when who which not""".split()
)


def backed_sentences(text: str, source: str) -> list[str]:
    """The sentences of `text`, without repeats, whose names, numbers and most other words are in `source`.

    A sentence that denies something needs a source that denies something.
    """
    said = _stems(words_of(source))
    denies = bool(_NEGATION.search(source))
    kept: list[str] = []
    for sentence in (part.strip() for part in _BETWEEN_SENTENCES.split(text)):
        if sentence not in kept and _is_backed(sentence, said) and (denies or not _NEGATION.search(sentence)):
            kept.append(sentence)
    return kept


def _is_backed(sentence: str, said: set[str]) -> bool:
    claims = _stems(word for claim in _CLAIM.findall(sentence) for word in words_of(claim))
    telling = _stems(words_of(sentence)) - _NARRATION_STEMS
    if not telling or not claims - _NARRATION_STEMS <= said:
        return False
    return len(telling & said) >= _LEAST_OVERLAP * len(telling)


def _stems(words: Iterable[str]) -> set[str]:
    return {word if word.isdigit() else word[:5] for word in words}


_NARRATION_STEMS = _stems(_NARRATION)
