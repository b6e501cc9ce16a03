"""Forgetting: the words of a record leave every place in the file where they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from edge_memory.records import Record, Status, words_of
from edge_memory.store import (
    Connection,
    conversation,
    finding,
    jobs,
    lineage,
    profiles,
    records,
    reminders,
    summaries,
    vectors,
)
from edge_memory.store.records import Cause
from edge_memory.store.words import stop_words

_PIECE = re.compile(r"[^\n]+?(?:[.!?]+(?=\s|$)|\n|$)\s*")
_NAME_OR_NUMBER = re.compile(r"\b(?:[A-Z][\w-]*|[\w-]*\d[\w-]*)")  # gives a fact away wherever it stands
_LONG_WORD = re.compile(r"[^\W\d_]{6,}")  # so do the long words of what was told, unlike those that tell it ("called")
_STEM_LETTERS = 6


@dataclass(frozen=True, slots=True)
class _Secret:
    """The telling words of an erased record, and which of them no other record holds or give it away alone."""

    words: frozenset[str]
    own: frozenset[str]
    marks: frozenset[str]

    def is_told_by(self, piece: str) -> bool:
        told = _stems(words_of(piece)) & self.words
        half = bool(self.own) and 2 * len(told & self.own) >= len(self.own)
        return bool(told & self.marks) or half or (bool(told) and told == self.words)


def erase(connection: Connection, doomed: Sequence[Record], now: float) -> None:
    """Blanks records with their history and vectors, every turn that told them, and retellings of them."""
    doomed = with_retellings(connection, doomed)
    _bring_back(connection, doomed, now)
    turns = set[str]()
    for record in doomed:
        turns |= records.turns_of(connection, record.id)
        vectors.remove(connection, record.id)
        records.blank(connection, record.id, now)
    for turn_id in turns:
        conversation.blank(connection, turn_id)
    jobs.renew(connection)
    for user_id in {record.user_id for record in doomed}:
        secrets = [_secret(connection, record) for record in doomed if record.user_id == user_id]
        reminders.erase_told(connection, user_id, turns, _without(secrets))
        conversation.rewrite(connection, user_id, _without(secrets))
        summaries.rewrite(connection, user_id, _without(secrets))
        profiles.forget(connection, user_id)
    jobs.enqueue(connection, jobs.JobKind.EMBED, "records", {}, now)  # what was said beside them is embedded anew


def with_sources(connection: Connection, doomed: Sequence[Record]) -> list[Record]:
    """Also what these records were made of and stand for now, so that no word of them is left."""
    ids = {record.id for record in doomed}
    sources = finding.in_order(connection, [source for record in doomed for source in lineage.sources_of(record)])
    ids |= {source.id for source in sources if source.status is Status.SUPERSEDED}
    return with_retellings(connection, finding.in_order(connection, sorted(ids)))


def with_retellings(connection: Connection, doomed: Sequence[Record]) -> list[Record]:
    """Also what was made of these records."""
    ids = {record.id for record in doomed}
    while more := {made.record_id for made in lineage.compactions(connection, ids)} - ids:
        ids |= more
    return finding.in_order(connection, sorted(ids))


def _bring_back(connection: Connection, doomed: Sequence[Record], now: float) -> None:
    """The records that stay are believed again when one that stood for them goes."""
    ids = {record.id for record in doomed}
    for record in doomed:
        for old in lineage.replaced_by(connection, record.id) if lineage.sources_of(record) else ():
            if old.record.id not in ids:
                cause = Cause("restore", f"record {record.id}, which stood for it, was erased")
                records.change(connection, old.record.id, cause, now, status=old.was, valid_to=old.valid_to)
                jobs.enqueue(connection, jobs.JobKind.EMBED, "records", {}, now)


def _secret(connection: Connection, record: Record) -> _Secret:
    """To be called when the record is blank already, so that only the others are asked."""
    text = f"{record.text} {record.source_excerpt} {record.value or ''}"
    telling = set(words_of(text)) - stop_words(connection)
    own = {word for word in telling if not records.holding_words(connection, record.user_id, word)}
    value = record.value if isinstance(record.value, str) else text
    marks = {word for mark in (*_NAME_OR_NUMBER.findall(text), *_LONG_WORD.findall(value)) for word in words_of(mark)}
    return _Secret(_stems(telling), _stems(own), _stems(own & marks))


def _without(secrets: Sequence[_Secret]) -> Callable[[str], str]:
    """Takes out the sentences and lines that tell one of the secrets."""

    def change(text: str) -> str:
        pieces = _PIECE.findall(text)
        kept = [piece for piece in pieces if not any(secret.is_told_by(piece) for secret in secrets)]
        return text if len(kept) == len(pieces) else "".join(kept)

    return change


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:_STEM_LETTERS] for word in words)
