"""Holding a model's retelling to what the user said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from edge_memory.records import words_of

_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAIM = re.compile(r"\b(?:[A-Z][\w'-]+|\d[\d:.,]*)")  # names and numbers are what must not be made up
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|nicht|nie|niemals|kein\w*)\b|n['\u2019]t\b", re.IGNORECASE
)
# A statement backs a sentence only as a whole: "The user works in Ghent" is not what "the user's aunt Wilma works
# in Ghent" says. A sentence may join several statements.
_LEAST_OF_A_STATEMENT, _LEAST_OF_THE_SENTENCE = 0.6, 0.7
_NARRATION = frozenset(
    """the a an user assistant lo bug he she they their his her it its this that these in on at to of and or for
    with was were had has have is are be been did do does don doesn didn isn wasn not s t said asked told
    mentioned stated talked discussed about also then conversation summary wanted during after before from as by
    when who which""".split()
)


def backed_sentences(text: str, said: Sequence[str]) -> list[str]:
    """The sentences of `text`, without repeats, that retell one or several of the things `said`.

    Names and numbers must all be in what was said, and a sentence that denies something needs one that denies.
    """
    kept: list[str] = []
    for sentence in (part.strip() for part in _BETWEEN_SENTENCES.split(text)):
        if sentence and sentence not in kept and _is_backed(sentence, said):
            kept.append(sentence)
    return kept


def uncovered(said: Iterable[str], sentences: Sequence[str]) -> list[str]:
    """The things said that none of the sentences retells."""
    told = [_telling(sentence) for sentence in sentences]
    return [text for text in said if not any(_covers(words, _telling(text)) for words in told)]


def _is_backed(sentence: str, said: Sequence[str]) -> bool:
    telling = _telling(sentence)
    backing = [text for text in said if _covers(telling, _telling(text))]
    claims = _stems(word for claim in _CLAIM.findall(sentence) for word in words_of(claim)) - _NARRATION_STEMS
    if not telling or not claims <= _stems(word for text in said for word in words_of(text)):
        return False
    if _NEGATION.search(sentence) and not any(_NEGATION.search(text) for text in backing):
        return False
    backed = frozenset[str]().union(*map(_telling, backing))
    return len(telling & backed) >= _LEAST_OF_THE_SENTENCE * len(telling)


def _covers(sentence: frozenset[str], statement: frozenset[str]) -> bool:
    return bool(statement) and len(sentence & statement) >= _LEAST_OF_A_STATEMENT * len(statement)


def _telling(text: str) -> frozenset[str]:
    return frozenset(_stems(words_of(text)) - _NARRATION_STEMS)


def _stems(words: Iterable[str]) -> set[str]:
    return {word if word.isdigit() else word[:4] for word in words}


_NARRATION_STEMS = _stems(_NARRATION)
