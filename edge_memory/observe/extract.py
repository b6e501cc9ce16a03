"""Asking the model which slot a statement fills, when no rule knew, and believing only what was said."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from edge_memory import lazy_re as re
from edge_memory.errors import NonsenseAnswer
from edge_memory.observe.english.lexicon import KIN_SET, PET_SET
from edge_memory.observe.english.slots import normal_key
from edge_memory.observe.risk import is_high_risk
from edge_memory.protocols import ChatModel
from edge_memory.records import Kind, Message, Role, words_of

_INSTRUCTION = """Sort one sentence that a user said. Answer with JSON only.
subject: whom or what the sentence is about, "user" for the speaker, else the word from the sentence.
attribute: one or two words that name what is told about the subject.
value: the words of the sentence that tell it, copied.
kind: preference, decision, relationship, event or fact.

Sentence: I usually cycle to the office
{"subject":"user","attribute":"commute","value":"cycle to the office","kind":"preference"}
Sentence: the boiler makes a noise at night
{"subject":"boiler","attribute":"problem","value":"makes a noise at night","kind":"fact"}"""
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "subject": {"type": "string", "maxLength": 40},
        "attribute": {"type": "string", "maxLength": 30},
        "value": {"type": "string", "maxLength": 160},
        "kind": {"enum": ["preference", "decision", "relationship", "event", "fact"]},
    },
    "required": ["subject", "attribute", "value", "kind"],
    "additionalProperties": False,
}
_MOST_TOKENS = 120
_MOST_ATTRIBUTE_WORDS = 3
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|my|we|our|me|us)\b", re.IGNORECASE)
_WHO_IS_WHO = frozenset({f"user.{normal_key(kin)}" for kin in KIN_SET | PET_SET} | {"user.pet"})
_OWN_THING = re.compile(r"(?:my|our)\s+\w", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sorted:
    key: str
    value: str
    kind: Kind


async def sort_statement(model: ChatModel, sentence: str) -> Sorted:
    """The slot of a sentence, in its own words. Raises NonsenseAnswer and ModelUnavailable."""
    answer = await model.complete(
        [Message(Role.SYSTEM, _INSTRUCTION), Message(Role.USER, f"Sentence: {sentence}")],
        max_tokens=_MOST_TOKENS,
        schema=_SCHEMA,
        cache_key="extract",
    )
    return check_evidence(answer, sentence)


def check_evidence(answer: str, sentence: str) -> Sorted:
    """Raises NonsenseAnswer unless subject and value are in the sentence, no word more often than it was said.

    Nor does a model decide about identity, health, money and who is who: rules know those slots.
    """
    subject, attribute, value, kind = _fields_of(answer)
    is_user = subject.lower() in ("user", "the user", "i", "me", "speaker")
    if is_user != bool(_FIRST_PERSON.match(sentence)) and not (_OWN_THING.match(sentence) and not is_user):
        raise NonsenseAnswer(f"the sentence is not about {subject!r}")
    if not is_user and not _was_said(subject, sentence):
        raise NonsenseAnswer(f"{subject!r} was not said")
    if not _was_said(value, sentence):
        raise NonsenseAnswer(f"{value!r} was not said")
    if not words_of(attribute) or len(attribute.split()) > _MOST_ATTRIBUTE_WORDS:
        raise NonsenseAnswer(f"{attribute!r} names nothing")
    key = normal_key(f"{'user' if is_user else subject}.{attribute}")
    if is_high_risk(key) or key in _WHO_IS_WHO or not all(key.partition(".")[::2]):
        raise NonsenseAnswer(f"{key!r} is no slot that a model may fill")
    return Sorted(key, value, kind)


def _fields_of(answer: str) -> tuple[str, str, str, Kind]:
    """The first JSON object of an answer, whatever stands around it. Raises NonsenseAnswer."""
    try:
        fields, _ = json.JSONDecoder().raw_decode(answer, max(answer.find("{"), 0))
        subject, attribute, value = (fields[name].strip() for name in ("subject", "attribute", "value"))
        return subject, attribute, value, Kind(fields["kind"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise NonsenseAnswer(f"not the JSON that was asked for: {answer[:80]!r}") from error


def _was_said(words: str, sentence: str) -> bool:
    claimed = Counter(words_of(words))
    return bool(claimed) and claimed <= Counter(words_of(sentence))
