"""Holding a weak model to what memory knows: what it must not forget, and what it must not make up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from edge_memory.records import Record
from firmware_bridge.turn.constraints import goes_against, touched
from firmware_bridge.turn.questions import asked_words, covers, telling_words
from firmware_bridge.turn.second_person import second_person

_WRONG_PERSON = re.compile(
    r"\bthe user\b|^\W*(?:my|our|we)\b"
    r"|^\W*(?:i|i'm|i've)\s+(?!don't|do not|can't|cannot|am sorry|sorry|know|remember|think|see|will|would|have no)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Grounds:
    """What memory has to say to one utterance.

    `answers` are the records that answer it, `constraints` the hard ones that it touches. `unknown` is set when
    the user asks about themself and nothing that was recalled tells of it.
    """

    text: str
    answers: tuple[Record, ...] = ()
    constraints: tuple[Record, ...] = ()
    unknown: bool = False

    @property
    def binding(self) -> bool:
        """Whether a reply has to be checked before anybody hears it."""
        return bool(self.answers or self.constraints)

    def accepts(self, reply: str) -> bool:
        """Whether a reply uses the answer that is known, speaks to the user, and keeps to the constraints."""
        if goes_against(reply, self.constraints, self.text):
            return False
        if not self.answers:
            return True
        news = telling_words(" ".join(_news(record) for record in self.answers)) - telling_words(self.text)
        return not _WRONG_PERSON.search(reply) and (not news or bool(news & telling_words(reply)))

    def reminder(self) -> str:
        """What stands right before the question: the constraints that it touches, as what they are."""
        told = "; ".join(_retold(record) for record in self.constraints)
        return f"[Must be kept: {told}. Say no to whatever goes against it.]" if told else ""

    def own_words(self) -> str:
        """The reply when the model's is not acceptable: what the user said, told back."""
        if self.constraints:
            return f"Better not. {'. '.join(_retold(record) for record in self.constraints)}."
        return f"{_retold(self.answers[0])}."


def ground(text: str, recalled: Sequence[Record], constraints: Sequence[Record], shown: Sequence[str]) -> Grounds:
    """`recalled` is best first, `constraints` are all hard constraints of the user, `shown` is what else of the user's
    own the model sees: base memory and what they said in this conversation.
    """
    asked = asked_words(text)
    near = touched(constraints, text) if asked is None else ()  # asking what one may not have is no attempt at it
    if not asked:
        return Grounds(text, constraints=near)
    answers = tuple(record for record in recalled if covers(_told(record), asked))
    return Grounds(text, answers[:1], near, unknown=not answers and not any(covers(told, asked) for told in shown))


SECOND_TRY = "[Answer again, from what you remember, in one short sentence.]"
DONT_KNOW = "I don't know that yet. Tell me, and I'll remember it."


def _news(record: Record) -> str:
    """What a record tells about its subject, as far as its slot knows it."""
    return record.value if isinstance(record.value, str) else record.text


def _told(record: Record) -> str:
    return f"{record.text} {record.source_excerpt} {(record.key or '').replace('.', ' ').replace('_', ' ')}"


def _retold(record: Record) -> str:
    return second_person(record.source_excerpt or record.text).rstrip(".")
