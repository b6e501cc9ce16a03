"""Holding a weak model to what memory knows: what it must not forget, and what it must not make up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from edge_memory.records import Record
from firmware_bridge.turn.constraints import goes_against, touched
from firmware_bridge.turn.questions import asked_words, asks, covers, telling_words
from firmware_bridge.turn.second_person import second_person

_WRONG_PERSON = re.compile(
    r"\bthe user\b|^\W*(?:my|our|we)\b"
    r"|^\W*(?:i|i'm|i've)\s+(?!don't|do not|can't|cannot|am sorry|sorry|know|remember|think|see|will|would|have no)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Grounds:
    """What memory has to say to one utterance.

    `answer` is what answers it, in the user's own words, and `news` is the telling part of that. `constraints` are
    the hard ones that it touches. `unknown` is set when the user asks about themself and nothing tells of it.
    """

    text: str
    answer: str = ""
    news: str = ""
    constraints: tuple[Record, ...] = ()
    unknown: bool = False

    @property
    def binding(self) -> bool:
        """Whether a reply has to be checked before anybody hears it."""
        return bool(self.answer or self.constraints)

    def accepts(self, reply: str) -> bool:
        """Whether a reply uses the answer that is known, speaks to the user, and keeps to the constraints."""
        if goes_against(reply, self.constraints, self.text):
            return False
        if not self.answer:
            return True
        news = telling_words(self.news) - telling_words(self.text)
        return not _WRONG_PERSON.search(reply) and (not news or bool(news & telling_words(reply)))

    def reminder(self) -> str:
        """What stands right before the question: the constraints that it touches, as what they are."""
        told = "; ".join(_retold(record) for record in self.constraints)
        return f"[Must be kept: {told}. Say no to whatever goes against it.]" if told else ""

    def own_words(self) -> str:
        """The reply when the model's is not acceptable: what the user said, told back."""
        if self.constraints:
            return f"Better not. {'. '.join(_retold(record) for record in self.constraints)}."
        return f"{second_person(self.answer)}."


def ground(
    text: str, recalled: Sequence[Record], constraints: Sequence[Record], heard: Sequence[str], base_memory: str
) -> Grounds:
    """`recalled` is best first, `constraints` are all hard constraints of the user, `heard` is what they said in this
    conversation, oldest first: it may be newer than what memory has digested.
    """
    asked = asked_words(text)
    near = touched(constraints, text) if asked is None else ()  # asking what one may not have is no attempt at it
    if not asked:
        return Grounds(text, constraints=near)
    for said in reversed(heard):
        if not asks(said) and covers(said, asked):
            return Grounds(text, said.rstrip(" .!"), said, near)
    for record in recalled:
        if covers(_told(record), asked):
            return Grounds(text, _own_words(record), _news(record), near)
    return Grounds(text, constraints=near, unknown=not any(covers(line, asked) for line in base_memory.splitlines()))


SECOND_TRY = "[Answer again, from what you remember, in one short sentence.]"
DONT_KNOW = "I don't know that yet. Tell me, and I'll remember it."


def _news(record: Record) -> str:
    """What a record tells about its subject, as far as its slot knows it."""
    return record.value if isinstance(record.value, str) else record.text


def _told(record: Record) -> str:
    return f"{record.text} {record.source_excerpt} {(record.key or '').replace('.', ' ').replace('_', ' ')}"


def _retold(record: Record) -> str:
    return second_person(_own_words(record))


def _own_words(record: Record) -> str:
    return (record.source_excerpt or record.text).rstrip(" .")
