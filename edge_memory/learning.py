"""Keeping a sentence that was not said in a turn: typed by the owner, or told by a program on their behalf."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from edge_memory.config import MemoryConfig
from edge_memory.errors import BadQuery
from edge_memory.observe import Context, Source, apply_statements, statement_of
from edge_memory.observe.instructions import is_instruction
from edge_memory.observe.languages import event_time
from edge_memory.records import Language, Origin, Record, words_of
from edge_memory.review import Marks
from edge_memory.store import Connection

_TOLD_BY_PROGRAM = 0.8  # confidence; below what may overwrite identity, health and money


def learning(
    text: str, user_id: str, marks: Marks, language: Language, *, by_program: bool
) -> Callable[[Connection, MemoryConfig, float], list[Record]]:
    """The transaction that keeps it, as `Memory.learn` says. Raises BadQuery for a sentence without words."""
    statement = statement_of(text, Context(language=language))
    if by_program:
        statement = replace(statement, confidence=_TOLD_BY_PROGRAM)
    if not words_of(statement.text):
        raise BadQuery("nothing to learn", "give a sentence")
    put_on = partial(marks.put_on_by_program, instructs=is_instruction(text)) if by_program else marks.put_on

    def write(connection: Connection, config: MemoryConfig, now: float) -> list[Record]:
        told = replace(statement, event_time=event_time(statement.text, now, language))
        kept = apply_statements(connection, [told], Source(user_id, None, Origin.OWNER), {}, config, now)
        return [put_on(connection, record, now) for record in kept]

    return write
