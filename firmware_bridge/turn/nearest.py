"""What was told that comes nearest to a question which nothing answers."""

from __future__ import annotations

from collections.abc import Sequence

from edge_memory import lazy_re as re
from edge_memory.recall import cosine
from edge_memory.records import Record, RecordHit
from firmware_bridge.turn.evidence import answers, is_about
from firmware_bridge.turn.questions import Question, Sort, read_question
from firmware_bridge.turn.sorts import is_of_the_sort
from firmware_bridge.turn.told import Told, is_kin, subjects, told_by, words_told
from firmware_bridge.turn.wordforms import family, holds

# Cosines, chosen on the lives of tests/data: of what names only whom the question is about, and of what shares a word.
_NEAR, _NEAR_BY_WORD = 0.5, 0.35
# What is told of nobody by telling something else of them.
_ATTRIBUTES = frozenset(
    """birthday colour phone number surname tall height weigh weight anniversary born cost price size maiden breed name
    salary plate password""".split()
)
_NAME = re.compile(r"(?<!^)\b[A-Z][\w-]+")


def nearest(text: str, hits: Sequence[RecordHit], believed: Sequence[Record]) -> Record | None:
    """What is to be told with a doubt; None where nothing is near.

    Of the records that were found for a question, one about whom was asked about and of the kind of thing that was
    asked for. Else one of all that is believed that answers by its words and was not found: recall saw them apart.
    """
    question = read_question(text)
    if question is None:
        return None
    near = [hit for hit in hits if _is_near(told_by(hit.record), question, cosine(hit))]
    if near:
        return max(near, key=cosine).record
    return next((record for record in believed if answers(told_by(record), question)), None)


def _is_near(told: Told, question: Question, cosine: float) -> bool:
    if cosine < _NEAR_BY_WORD or not is_about(told, question) or not is_of_the_sort(told, question):
        return False
    words, asked = words_told(told), question.words | question.category
    if not all(holds(words, word) for word in asked if family(word) in _ATTRIBUTES):
        return False
    people = {word.lower() for word in _NAME.findall(question.text)} | {word for word in asked if is_kin(word)}
    if not all(holds(words, word) for word in people & asked):
        return False
    shared = any(holds(words, word) for word in asked - people - subjects(told))
    return shared or (cosine >= _NEAR and question.sort is Sort.ANY)
