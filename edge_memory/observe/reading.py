"""What a turn states, read by rule at no cost."""

from __future__ import annotations

import re
from dataclasses import dataclass

from edge_memory.observe.clauses import split_clauses, strip_lead_in
from edge_memory.observe.slots import Slot, find_slot
from edge_memory.observe.statements import is_statement, takes_over
from edge_memory.observe.third_person import third_person

_REMEMBER = re.compile(
    r"^(?:please )?(?:remember|don't forget|do not forget|make a note|note|keep in mind|write down)(?: that|:|,)?\s+"
    r"(?!to\b|when\b|what\b|how\b)",
    re.IGNORECASE,
)
_FIRST_MENTION, _ASKED_TO_REMEMBER, _TYPED_BY_OWNER = 0.4, 0.9, 1.0


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that the user stated.

    `text` is told in the third person and in the user's own words, `excerpt` is what they said.
    """

    text: str
    excerpt: str
    slot: Slot | None
    confidence: float

    @property
    def explicit(self) -> bool:
        """Whether the user asked for it to be remembered."""
        return self.confidence >= _ASKED_TO_REMEMBER


def read_statements(utterance: str) -> list[Statement]:
    """In the order said; empty when the utterance states nothing, or tries to take the memory over."""
    if takes_over(utterance):
        return []
    spoken = strip_lead_in(utterance.strip())
    asked = _REMEMBER.match(spoken)
    if asked:
        told = spoken[asked.end() :].strip(" .!")
        return [_statement(told, _ASKED_TO_REMEMBER)] if _tells_something(told) else []
    clauses = [strip_lead_in(clause) for clause in split_clauses(utterance)]
    return [_statement(clause, _FIRST_MENTION) for clause in clauses if is_statement(clause)]


def statement_of(sentence: str) -> Statement:
    """What the owner typed to be learned: taken as it is, and as certain."""
    asked = _REMEMBER.match(sentence.strip())
    return _statement((sentence.strip()[asked.end() :] if asked else sentence).strip(" .!"), _TYPED_BY_OWNER)


def _tells_something(told: str) -> bool:
    """ "Remember this" and "remember the milk?" do not."""
    return len(told.split()) > 1 and not told.endswith("?")


def _statement(clause: str, confidence: float) -> Statement:
    return Statement(third_person(clause), clause, find_slot(clause), confidence)
