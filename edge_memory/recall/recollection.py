"""What recall finds."""

from __future__ import annotations

from dataclasses import dataclass

from edge_memory.records import RecordHit, TurnHit


@dataclass(frozen=True, slots=True)
class Found:
    """A record that is among the best k by words, by vectors or of the ranking. `by_vectors` is None without any."""

    record_id: int
    by_words: bool
    by_vectors: bool | None
    by_ranking: bool


@dataclass(frozen=True, slots=True)
class Recollection:
    """Records and turns that were found, best first; their scores can be compared. For a reply, `procedures` are apart.

    `found` says which way each record was found, also those that came too late to be among the hits.
    `embed_ms` and `recall_ms` are what finding them took; `degraded` says what had to be left out.
    """

    hits: tuple[RecordHit, ...] = ()
    turns: tuple[TurnHit, ...] = ()
    procedures: tuple[RecordHit, ...] = ()
    found: tuple[Found, ...] = ()
    embed_ms: float = 0.0
    recall_ms: float = 0.0
    degraded: str = ""
