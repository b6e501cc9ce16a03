"""Keeping a sentence that was not said in a turn: typed by the owner, or told by a program on their behalf."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from edge_memory.config import MemoryConfig
from edge_memory.errors import BadQuery
from edge_memory.observe import Context, Source, Statement, apply_statements, statement_of
from edge_memory.observe.languages import event_time
from edge_memory.observe.unconfirmed import lowered, must_wait
from edge_memory.records import Kind, Language, Layer, Origin, Record, words_of
from edge_memory.review import Marks
from edge_memory.store import Connection

_TOLD_BY_PROGRAM = 0.8  # confidence; below what may overwrite identity, health and money
_WAITS = "a program told it: needs a confirmation"


def learning(
    text: str, user_id: str, marks: Marks, language: Language, *, by_program: bool
) -> Callable[[Connection, MemoryConfig, float], list[Record]]:
    """The transaction that keeps it, as `Memory.learn` says. Raises BadQuery for a sentence without words."""
    statement = statement_of(text, Context(language=language))
    if not words_of(statement.text):
        raise BadQuery("nothing to learn", "give a sentence")
    source, waits = Source(user_id, None, Origin.OWNER), ""
    if by_program:
        statement = replace(statement, confidence=_TOLD_BY_PROGRAM)
        source = replace(source, origin=Origin.IMPORT)
        waits = _WAITS if _must_wait(statement, text, marks) else ""
        if not waits and marks.priority is not None:
            marks = replace(marks, priority=lowered(marks.priority, statement.text))

    def write(connection: Connection, config: MemoryConfig, now: float) -> list[Record]:
        told = replace(statement, event_time=event_time(statement.text, now, language))
        kept = apply_statements(connection, [told], source, {}, config, now, waits)
        if by_program:
            return [marks.put_on_by_program(connection, record, now) for record in kept]
        return [marks.put_on(connection, record, now) for record in kept]

    return write


def _must_wait(statement: Statement, text: str, marks: Marks) -> bool:
    slot = statement.slot
    kind, layer = (slot.kind, slot.layer) if slot else (Kind.FACT, Layer.SEMANTIC)
    return marks.kind is Kind.POLICY or must_wait(statement.text, text, kind, layer)
