"""What a question asks for, as far as rules can tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from edge_memory.records import words_of

_FIRST_PERSON = frozenset("i me my mine myself".split())
_WHEN = re.compile(r"\b(?:when|how long ago|(?:what|which) (?:date|day|week|month|year|time))\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow (?:many|much|old|long|often|far|tall|big|frequently)\b", re.IGNORECASE)
_WHERE = re.compile(r"\bwhere\b|\b(?:what|which) (?:city|country|place|state|town)\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"\b(?:\d[\d,.]*(?:st|nd|rd|th)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty"
    r"|fifty|hundred|thousand|once|twice|dozen|couple|few|several|pair)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|at|to|from|near) (?:the )?[A-Z][a-z]+")
_TIME_WORDS = frozenset(
    """yesterday today tonight tomorrow ago last next day days week weeks weekend month months year years monday tuesday
    wednesday thursday friday saturday sunday january february march april may june july august september october
    november december since recently soon morning night spring summer autumn fall winter""".split()
)


@dataclass(frozen=True, slots=True)
class Question:
    """`speaker` is whose words are asked for: a name, or "" for the user; None when that is open.

    `without_names` is the question without the names of those who speak: a name says who spoke, not what about.
    `tellings` find the kinds of thing that are asked for: a time, a number, a place.
    """

    text: str
    without_names: str
    words: frozenset[str]
    speaker: str | None
    tellings: tuple[Callable[[str], object], ...] = ()

    def is_met_by(self, said: str) -> bool:
        """Whether a sentence holds the kind of thing that is asked for."""
        return any(tells(said) for tells in self.tellings)


def what_is_sought(text: str, speakers: Sequence[str]) -> Question:
    """`speakers` are the names of those who speak in the dialogues that memory holds."""
    patterns = {name: re.compile(rf"\b{re.escape(name)}\b(?:['\u2019]s)?", re.IGNORECASE) for name in speakers if name}
    named = [name for name, pattern in patterns.items() if pattern.search(text)]
    rest = text
    for name in named:
        rest = patterns[name].sub("", rest)
    words = frozenset(words_of(text))
    asked = [*named, *([""] if words & _FIRST_PERSON else [])]
    return Question(
        text=text,
        without_names=" ".join(rest.split()) if words_of(rest) else text,
        words=words,
        speaker=asked[0] if len(asked) == 1 else None,
        tellings=tuple(tells for asks, tells in _KINDS if asks.search(text)),
    )


def _tells_time(said: str) -> bool:
    return not _TIME_WORDS.isdisjoint(words_of(said))


# What asks for a kind of thing, and what finds one in a sentence.
_KINDS: tuple[tuple[re.Pattern[str], Callable[[str], object]], ...] = (
    (_WHEN, _tells_time),
    (_HOW_MANY, _NUMBER.search),
    (_WHERE, _PLACE.search),
)
