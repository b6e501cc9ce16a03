"""What recall finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edge_memory.protocols import Vectors
from edge_memory.recall.rankers import Candidate, Ranked
from edge_memory.records import Record, RecordHit, TurnHit
from edge_memory.store.records import to_json


@dataclass(frozen=True, slots=True)
class Found:
    """A record that is among the best k by words, by vectors or of the ranking. `by_vectors` is None without any."""

    record_id: int
    by_words: bool
    by_vectors: bool | None
    by_ranking: bool


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Where the embedder of this name sees what was looked for, and `records` by their ids: vectors of length 1."""

    embedder: str
    asked: Vectors
    records: Mapping[int, Vectors]


@dataclass(frozen=True, slots=True)
class Recollection:
    """Records and turns that were found, best first; their scores can be compared. For a reply, `procedures` are apart,
    and `wide` are the best of all other records, however far they are: what a question is held against.

    `positions` are those of `wide` and of what always holds; None without vectors.
    `found` says which way each record was found, also those that came too late to be among the hits.
    `embed_ms` and `recall_ms` are what finding them took; `degraded` says what had to be left out.
    """

    hits: tuple[RecordHit, ...] = ()
    turns: tuple[TurnHit, ...] = ()
    procedures: tuple[RecordHit, ...] = ()
    wide: tuple[RecordHit, ...] = ()
    positions: Positions | None = None
    found: tuple[Found, ...] = ()
    embed_ms: float = 0.0
    recall_ms: float = 0.0
    degraded: str = ""


def hits_of(ranked: Sequence[Ranked], kept: Mapping[int, Record]) -> tuple[RecordHit, ...]:
    return tuple(RecordHit(kept[one.candidate.id], one.score, one.why) for one in ranked)


def found_of(
    candidates: Sequence[Candidate], ranked: Sequence[Ranked], limit: int, least_cosine: float, *, by_vectors: bool
) -> tuple[Found, ...]:
    """Which way each of the records was found that are among the best `limit` one way or another, or in `ranked`."""
    told = sorted((one for one in candidates if one.bm25), key=lambda one: -one.bm25)[:limit]
    near = sorted((one for one in candidates if one.cosine >= least_cosine), key=lambda one: -one.cosine)
    by_words, chosen = {one.id for one in told}, {one.candidate.id for one in ranked}
    by_cosine = {one.id for one in near[:limit]} if by_vectors else set[int]()
    return tuple(
        Found(record_id, record_id in by_words, record_id in by_cosine if by_vectors else None, record_id in chosen)
        for record_id in sorted(by_words | by_cosine | chosen)
    )


def found_json(found: Recollection) -> dict[str, Any]:
    """Hits and turns as plain JSON, each with its score and why, and what had to be left out."""
    return {
        "hits": [to_json(hit.record) | _score_json(hit) for hit in found.hits],
        "turns": [_turn_json(hit) | _score_json(hit) for hit in found.turns],
        "degraded": found.degraded,
    }


def _turn_json(hit: TurnHit) -> dict[str, Any]:
    said = hit.message
    return {
        "turn_id": said.turn_id,
        "session_id": said.session_id,
        "speaker": said.speaker,
        "heard": said.content,
        "created_at": said.created_at,
    }


def _score_json(hit: RecordHit | TurnHit) -> dict[str, Any]:
    return {"score": round(hit.score, 4), "why": {name: round(part, 4) for name, part in hit.why.items()}}
