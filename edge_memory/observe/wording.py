"""Comparing texts by their words: which tell something, and whom a sentence is about."""

from __future__ import annotations

import re

from edge_memory.observe.lexicon import KIN_OR_PET, VERB_WORDS
from edge_memory.records import words_of

_SMALL = frozenset(
    """the a an of in on at to is are was were be been being am my our his her their its i we he she it they you and or
    but so if as than then that this these those there for with from by into about between up out off over user s t
    ve re ll d m
    has have had do does did will would can could should may just really very also still now too quite actually
    currently
    usually already again get got gets who which what when where some any more much many one ones thing
    things""".split()
)
_NEGATIVE = re.compile(
    r"\b(?:not|never|no longer|no more|without|stopped|quit|gave up|cannot|sold|died|used to|ended|lost)\b|n't\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:bought|went|saw|sold|got|gave|took|made|met|found|lost|broke|ate|drank|came|left|had|was|were|did|said"
    r"|told|paid"
    r"|wrote|sent|won|fell|flew|drove|caught|built|brought|began|(?!need\b|feed\b|speed\b|used\b)\w{2,}ed)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    rf"^(?:the )?user's (?:\w+ )?(?P<kin>{KIN_OR_PET})\b(?: (?P<name>[\w-]+))?|^(?P<user>the user)(?!'s)\b"
    rf"|^(?P<first>[\w-]+)",
    re.IGNORECASE,
)
_ENDINGS = re.compile(r"(?:ing|ed|es|s|e)$")
_SHORTEST_STEM = 3


def stem(word: str) -> str:
    """Without its ending, so that "runs", "running" and "run" are one."""
    cut = _ENDINGS.sub("", word)
    cut = cut if len(cut) >= _SHORTEST_STEM else word
    doubled = len(cut) > _SHORTEST_STEM and cut[-1] == cut[-2] and cut[-1] not in "lsz"
    return cut[:-1] if doubled else cut


def telling(text: str) -> frozenset[str]:
    """The stems of the words that tell something. A "not" tells."""
    found = {stem(word) for word in words_of(text) if word not in _SMALL}
    return frozenset(found | {"not"}) if re.search(r"n't\b", text) else frozenset(found)


def is_negative(text: str) -> bool:
    """Whether a text denies or ends something."""
    return bool(_NEGATIVE.search(text))


def is_past(text: str) -> bool:
    """Whether a text tells what happened once, not how things are."""
    return bool(_PAST.search(text))


def subjects_of(text: str) -> frozenset[str]:
    """The names of whom or what a sentence of the third person is about: "user", a kin word and a name, or a word."""
    match = _SUBJECT.match(text.strip())
    if not match:
        return frozenset()
    if match["user"]:
        return frozenset({"user"})
    first = (match["first"] or "").lower()
    if first in ("the", "a", "an"):
        return frozenset(words_of(text)[1:4]) - _SMALL
    name = match["name"] or ""
    if not name[:1].isupper() and (name in VERB_WORDS or name.endswith(("s", "ed"))):
        name = ""  # "the user's sister sings"
    named = (first or match["kin"], name)
    return frozenset(name.lower() for name in named if name)
