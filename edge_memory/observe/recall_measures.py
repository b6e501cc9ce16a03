"""Whether a reply was told from memory, and which way of looking had found what it told. See `store.measures`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from edge_memory.observe.english.wording import telling
from edge_memory.records import Record
from edge_memory.store import Connection, conversation, measures, records


def tells(reply: str, question: str, record: Record) -> bool:
    """Whether a reply says all that a record's value, else its text, tells beyond the question's own words."""
    beyond = telling(record.value if isinstance(record.value, str) and record.value else record.text) - telling(
        question
    )
    return bool(beyond) and beyond <= telling(reply)


def note_recall(connection: Connection, turn_id: str, question: str, found: Sequence[Mapping[str, Any]]) -> None:
    """Counts a turn that was answered from memory. `found` are the fields of what recall had found for it."""
    said = conversation.reply(connection, turn_id)
    if not said or not found:
        return
    by_id = {int(one["record_id"]): one for one in found}
    known = records.get_many(connection, list(by_id))
    used = [by_id[record.id] for record in known.values() if tells(said, question, record)]
    if not used:
        return
    measures.note(connection, measures.LEXICAL_HIT, float(any(one["by_words"] for one in used)))
    if all(one["by_vectors"] is not None for one in used):
        measures.note(connection, measures.VECTOR_HIT, float(any(one["by_vectors"] for one in used)))
    measures.note(connection, measures.TOP_K_RECALL, sum(bool(one["by_ranking"]) for one in used) / len(used))
