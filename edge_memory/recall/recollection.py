"""What recall finds."""

from __future__ import annotations

from dataclasses import dataclass

from edge_memory.records import RecordHit, TurnHit


@dataclass(frozen=True, slots=True)
class Recollection:
    """Records and turns that were found, best first; their scores can be compared. For a reply, `procedures` are apart.

    `embed_ms` and `recall_ms` are what finding them took; `degraded` says what had to be left out.
    """

    hits: tuple[RecordHit, ...] = ()
    turns: tuple[TurnHit, ...] = ()
    procedures: tuple[RecordHit, ...] = ()
    embed_ms: float = 0.0
    recall_ms: float = 0.0
    degraded: str = ""
