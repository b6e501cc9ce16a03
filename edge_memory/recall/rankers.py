"""Named ways to order candidates. Pure: numbers in, numbers out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from edge_memory.records import Record, RecordHit

_DAY_SECONDS = 86_400.0
_RECENCY_HALF_LIFE_DAYS = 30.0


class Ranker(StrEnum):
    KNN = "knn"  # nearest vectors only
    HYBRID = "hybrid"  # 0.45 words + 0.45 vectors + 0.10 recency


@dataclass(frozen=True, slots=True)
class Candidates:
    """Record ids with their bm25 relevance (higher is better) and with their cosine similarity."""

    lexical: Mapping[int, float]
    cosine: Mapping[int, float]


def half_life_decay(age_seconds: float, half_life_days: float) -> float:
    """2^(-age / half_life): 1 now, 0.5 at the half-life. An age before zero counts as zero."""
    return float(2.0 ** (-max(age_seconds, 0.0) / (half_life_days * _DAY_SECONDS)))


def knn(record: Record, candidates: Candidates, now: float) -> dict[str, float]:
    return {"cosine": candidates.cosine.get(record.id, 0.0)}


def hybrid(record: Record, candidates: Candidates, now: float) -> dict[str, float]:
    best = max(candidates.lexical.values(), default=0.0) or 1.0
    return {
        "words": 0.45 * candidates.lexical.get(record.id, 0.0) / best,
        "cosine": 0.45 * max(candidates.cosine.get(record.id, 0.0), 0.0),
        "recency": 0.10 * half_life_decay(now - record.updated_at, _RECENCY_HALF_LIFE_DAYS),
    }


_SCORES: dict[Ranker, Callable[[Record, Candidates, float], dict[str, float]]] = {
    Ranker.KNN: knn,
    Ranker.HYBRID: hybrid,
}


def rank(ranker: Ranker, found: Sequence[Record], candidates: Candidates, now: float) -> list[RecordHit]:
    """Best first; ties go to the newer record."""
    hits = []
    for record in found:
        why = _SCORES[ranker](record, candidates, now)
        hits.append(RecordHit(record, sum(why.values()), why))
    return sorted(hits, key=lambda hit: (-hit.score, -hit.record.id))
