"""How likely it is that something which was told answers a question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from edge_memory import lazy_re as re
from firmware_bridge.turn.english.evidence import answers, goes_there
from firmware_bridge.turn.english.kinds import is_named, kind_of
from firmware_bridge.turn.english.orders import is_told_as_order
from firmware_bridge.turn.english.questions import Question
from firmware_bridge.turn.english.sorts import is_of_the_sort
from firmware_bridge.turn.english.told import Told, is_kin, subjects, words_told
from firmware_bridge.turn.english.wordforms import family, holds

# What is told of somebody only by its own name: nothing else that is told of them answers for it.
_ATTRIBUTES = frozenset(
    family(word)
    for word in """birthday colour phone number tall height weigh weight anniversary born cost price size maiden breed
    name salary plate password position surname registration reg email postcode zip wage blood middle
    airline employer charge dose dosage strength website mortgage""".split()
)
_MOST_ASKED = 64  # questions; one is held against many tellings
_NAME = re.compile(r"(?<!^)\b[A-Z][\w-]+")
_OWNER = re.compile(r"\b(?!what|who|where|when|how|that|there|it|let)([\w-]+)'s (?!\w+ing\b)", re.IGNORECASE)

# Fitted by scripts/fit_answers.py: those under which what answers is likeliest. NOTHING is what none of it weighs.
WEIGHTS: Mapping[str, float] = {
    "cosine": 6.1,
    "share": 0.4,
    "any": 1.8,
    "strict": 3.6,
    "sort": 2.7,
    "attribute": 2.2,
    "people": 1.4,
    "owner": 1.0,
    "order": 0.9,
}
NOTHING = 8.9


@dataclass(frozen=True, slots=True)
class _Sought:
    """What a question asks of: `people`, by name or kin word, other `things`, what is told only by its own name
    (`attributes`), and whose it is (`owners`).
    """

    people: frozenset[str]
    things: frozenset[str]
    attributes: frozenset[str]
    owners: frozenset[str]


@lru_cache(_MOST_ASKED)
def _sought(question: Question) -> _Sought:
    asked = question.words | question.category | question.loose
    named = {word.lower() for word in _NAME.findall(question.text)}
    people = frozenset(word for word in asked if word in named or is_kin(word))
    return _Sought(
        people,
        question.words - people,
        frozenset(word for word in asked if family(word) in _ATTRIBUTES),
        frozenset(match[1].lower() for match in _OWNER.finditer(question.text)),
    )


def likelihoods(question: Question, tellings: Sequence[Told], cosines: Sequence[float]) -> list[float]:
    """Of each telling, that it is the answer: a softmax over all of them and that none is. `cosines` say how near each
    is to the question. They sum to 1 less the share of "none".
    """
    scores = [score(signals(question, told, near)) for told, near in zip(tellings, cosines, strict=True)]
    highest = max([NOTHING, *scores])
    shares = [math.exp(one - highest) for one in scores]
    whole = sum(shares) + math.exp(NOTHING - highest)
    return [share / whole for share in shares]


def score(found: Mapping[str, float]) -> float:
    return sum(WEIGHTS[name] * value for name, value in found.items())


def signals(question: Question, told: Told, cosine: float) -> dict[str, float]:
    """What a telling has of an answer, by the names of `WEIGHTS`; what speaks against it is below 0."""
    words, sought = words_told(told, question), _sought(question)
    held = [holds(words, word) for word in sought.things]
    return {
        "cosine": cosine,
        "share": sum(held) / len(held) if held else 0.5,
        "any": float(any(held) or any(_is_of_kind(told, words, word) for word in question.category)),
        "strict": float(answers(told, question)),
        "sort": float(is_of_the_sort(told, question)),
        "attribute": -float(not all(holds(words, word) for word in sought.attributes)),
        "people": sum(holds(words, word) for word in sought.people) / len(sought.people) if sought.people else 1.0,
        "owner": -float(_is_anothers(sought.owners, told)),
        "order": -float(is_told_as_order(told.text)),
    }


def _is_of_kind(told: Told, words: Sequence[str], category: str) -> bool:
    kind = kind_of(category)
    named = holds(words, category) and not goes_there(told, category)
    return named or bool(kind and is_named(kind, words))


def _is_anothers(owners: Set[str], told: Told) -> bool:
    """ "Becky's children" are not whoever is told of without her having them."""
    if not owners:
        return False
    has = {match[1].lower() for match in _OWNER.finditer(told.text)} | subjects(told) | told.known_as
    return not any(holds(has, owner) for owner in owners)
