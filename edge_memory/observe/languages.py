"""Reading a turn in the language that is spoken with this memory: the one place that chooses between them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from edge_memory.observe import context as english_context
from edge_memory.observe.arbitrate import Related
from edge_memory.observe.context import Before
from edge_memory.observe.english import asked as english_asked
from edge_memory.observe.english import dates as english_dates
from edge_memory.observe.english import forgetting as english_forgetting
from edge_memory.observe.english import reading as english
from edge_memory.observe.english import related as english_related
from edge_memory.observe.english.forgetting import Eraser, Forgetting
from edge_memory.observe.english.people import Household
from edge_memory.observe.german import addressing as german_addressing
from edge_memory.observe.german import corrections as german_corrections
from edge_memory.observe.german import dates as german_dates
from edge_memory.observe.german import forgetting as german_forgetting
from edge_memory.observe.german import reading as german
from edge_memory.observe.german import related as german_related
from edge_memory.observe.nearness import Nearness
from edge_memory.observe.statement import Context, Statement
from edge_memory.records import Language, Relations
from edge_memory.store import Connection, words

_NO_CONTEXT = Context()
_MOST_READ = 64


def read_statements(utterance: str, context: Context = _NO_CONTEXT) -> list[Statement]:
    """In the order said; empty when the utterance states nothing, or tries to take the memory over."""
    if context.language is Language.GERMAN:
        told = german.read_statements(utterance, context)
        return [statement for statement in told if not german_addressing.addresses_hearer(statement.excerpt)]
    return english.read_statements(utterance, context)


def statement_of(sentence: str, context: Context = _NO_CONTEXT) -> Statement:
    """What the owner typed to be learned: taken as it is, and as certain."""
    if context.language is Language.GERMAN:
        return german.statement_of(sentence, context)
    return english.statement_of(sentence, context)


def put_right(utterance: str, before: Before) -> list[Statement]:
    """The statement that a fragment like "no, the blue one" makes of an earlier one; empty when it corrects nothing."""
    if before.context.language is Language.GERMAN:
        return german_corrections.put_right(utterance, before)
    return english_context.put_right(utterance, before)


def find_related(
    connection: Connection,
    user_id: str,
    statement: Statement,
    nearness: Nearness,
    twins: Sequence[int],
    turn_id: str | None,
) -> Related:
    """The records that a statement bears on, in the language of the file."""
    if words.language(connection) is Language.GERMAN:
        return german_related.find_related(connection, user_id, statement, twins)
    return english_related.find_related(connection, user_id, statement, nearness, twins, turn_id)


def event_time(text: str, said_at: float, language: Language) -> float | None:
    """The Unix time of the one moment that a text speaks of; None when it names none."""
    if language is Language.GERMAN:
        return german_dates.event_time(text, said_at)
    return english_dates.event_time(text, said_at)


@lru_cache(_MOST_READ)  # a turn is asked for it when it is heard, when it is obeyed and when it is answered
def read_forget(utterance: str, language: Language) -> str | None:
    """The words that name what is to be forgotten, LAST_STATEMENT for what was just said, None when nothing is."""
    if language is Language.GERMAN:
        return german_forgetting.read_forget(utterance)
    return english_forgetting.read_forget(utterance)


def as_looked_for(text: str, relations: Relations, language: Language) -> str:
    """What is asked, with the names behind its kin words, by which most is told of them. German stays as it is."""
    if language is Language.GERMAN:
        return text
    return english_asked.with_names(english_asked.mended(text, relations), relations)


def says_that(utterance: str, language: Language) -> bool:
    """Whether it is "forget that", which means the last statement only if there is one."""
    if language is Language.GERMAN:
        return german_forgetting.says_that(utterance)
    return english_forgetting.says_that(utterance)


async def what_to_forget(
    eraser: Eraser, utterance: str, named: str, user_id: str, household: Household, language: Language
) -> Forgetting:
    """What is meant by the words that name something to forget, and what may be if that is unclear."""
    if language is Language.GERMAN:
        return await german_forgetting.what_to_forget(eraser, utterance, named, user_id)
    return await english_forgetting.what_to_forget(eraser, utterance, named, user_id, household)
