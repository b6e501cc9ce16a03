"""Named ways to order candidates. Pure: numbers in, numbers out."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from edge_memory.records import Ranker
from edge_memory.store.vectors import Source

_DAY_SECONDS = 86_400.0
_MANY_WORDS = 5.0  # e^5 - 1 = 147 words count as a long turn

Parts = dict[str, float]


# What a ranker does not look for: "words" or "cosine".
BLIND_TO: Mapping[Ranker, frozenset[str]] = {
    Ranker.KNN: frozenset({"words"}),
    Ranker.SIGNALS: frozenset({"cosine"}),
    Ranker.DETERMINISTIC: frozenset({"cosine"}),
}

# The weights of FUSED, fitted on three conversations of LoCoMo (see scripts/bench_recall.py): those under which a
# softmax of the scores makes what answers most likely. They do not sum to 1.
# No recency: what is asked about the past is as often long ago.
FUSED_WEIGHTS: Mapping[str, float] = {
    "words": 0.30,
    "cosine": 0.45,
    "both": -0.16,
    "near": 0.07,
    "asked": 0.13,
    "speaker": 0.06,
    "length": 0.15,
    "question": -0.05,
    "kind": 0.11,
    "session": 0.38,
}


_SIGNALS = ("both", "near", "asked", "speaker", "length", "question", "kind")  # those that most candidates lack


class Candidate(NamedTuple):
    """What a ranker may know about a record or a turn.

    `bm25` and `cosine` are 0 where it was not found by words or has no vector. `near` is the mean cosine of the turns
    right before and after; what has none stands in its own. `asked` is the cosine of the question that it answers.
    `recency` is 1 for what is new, halved at each half-life. `overlap` and `tag_overlap` are the shares of the
    question's words that are in the text, and in tags, scope, slot and kind. `session` is None for what belongs to no
    session.
    """

    source: Source
    id: int
    bm25: float = 0.0
    cosine: float = 0.0
    near: float = 0.0
    asked: float = 0.0
    words: int = 0
    is_question: bool = False
    is_of_the_kind: bool = False  # that is asked for: a time, a number, a place
    is_asked_speaker: bool = False
    session: str | None = None
    recency: float = 1.0
    importance: float = 0.0
    is_active: bool = True
    is_procedure: bool = False
    is_exact: bool = False
    overlap: float = 0.0
    tag_overlap: float = 0.0


class Ranked(NamedTuple):
    """`why` names each signal and what it added to `score`."""

    candidate: Candidate
    score: float
    why: Parts


def half_life_decay(age_seconds: float, half_life_days: float) -> float:
    """2^(-age / half_life): 1 now, 0.5 at the half-life. An age before zero counts as zero."""
    return float(2.0 ** (-max(age_seconds, 0.0) / (half_life_days * _DAY_SECONDS)))


def rank(ranker: Ranker, candidates: Sequence[Candidate], without: Collection[str] = ()) -> list[Ranked]:
    """Best first; ties go to records, then to what is newer. Signals named in `without` are left out."""
    best, score = {source: _best_bm25(candidates, source) for source in Source}, _SCORES[ranker]
    scored = [score(candidate, candidate.bm25 / best[candidate.source]) for candidate in candidates]
    for why in scored if without else ():
        for name in without:
            why.pop(name, None)
    if ranker is Ranker.FUSED and "session" not in without:
        _add_session(candidates, scored)
    ranked = [Ranked(candidate, sum(why.values()), why) for candidate, why in zip(candidates, scored, strict=True)]
    return sorted(ranked, key=lambda one: (-one.score, one.candidate.source, -one.candidate.id))


def _best_bm25(candidates: Sequence[Candidate], source: Source) -> float:
    """bm25 of two indices cannot be compared, shares of the best of each can."""
    return max((one.bm25 for one in candidates if one.source is source), default=0.0) or 1.0


def _knn(candidate: Candidate, words: float) -> Parts:
    """Seed LB: cosine nearness."""
    return {"cosine": candidate.cosine}


def _hybrid(candidate: Candidate, words: float) -> Parts:
    """Seed MS: 0.45 words, 0.45 vectors, 0.10 recency."""
    return {
        "words": 0.45 * words,
        "cosine": 0.45 * max(candidate.cosine, 0.0),
        "recency": 0.10 * candidate.recency,
    }


def _signals(candidate: Candidate, words: float) -> Parts:
    """Seed LY: 0.30 recency, 0.40 importance, 0.30 relevance, which is bm25."""
    return {"recency": 0.30 * candidate.recency, "importance": 0.40 * candidate.importance, "words": 0.30 * words}


def _deterministic(candidate: Candidate, words: float) -> Parts:
    """Seed SK: exact match, shared words, shared metadata, active before stale, recency; each outweighs the next."""
    return {
        "exact": 16.0 * candidate.is_exact,
        "overlap": 8.0 * candidate.overlap,
        "metadata": 2.0 * candidate.tag_overlap,
        "active": 1.0 * candidate.is_active,
        "recency": 0.1 * candidate.recency,
    }


def _fused(candidate: Candidate, words: float) -> Parts:
    """Ours. A question states nothing, a longer sentence more, and what was said around it tells what it is about. What
    the words found and the vectors as well was not found twice: most of it is the same.
    """
    why = {"words": FUSED_WEIGHTS["words"] * words, "cosine": FUSED_WEIGHTS["cosine"] * candidate.cosine}
    signals = (
        words * max(candidate.cosine, 0.0),
        candidate.near,
        candidate.asked,
        candidate.is_asked_speaker,
        min(math.log1p(candidate.words) / _MANY_WORDS, 1.0),
        candidate.is_question,
        candidate.is_of_the_kind,
    )
    for name, value in zip(_SIGNALS, signals, strict=True):
        if value:
            why[name] = FUSED_WEIGHTS[name] * value
    return why


def _add_session(candidates: Sequence[Candidate], scored: Sequence[Parts]) -> None:
    """Raises everything in a session by a share of its best: what was talked about there is what is asked about."""
    best: dict[str, float] = {}
    for candidate, why in zip(candidates, scored, strict=True):
        if candidate.session is not None:
            best[candidate.session] = max(best.get(candidate.session, 0.0), sum(why.values()))
    for candidate, why in zip(candidates, scored, strict=True):
        if candidate.session is not None:
            why["session"] = FUSED_WEIGHTS["session"] * best[candidate.session]


_SCORES: dict[Ranker, Callable[[Candidate, float], Parts]] = {
    Ranker.KNN: _knn,
    Ranker.HYBRID: _hybrid,
    Ranker.SIGNALS: _signals,
    Ranker.DETERMINISTIC: _deterministic,
    Ranker.FUSED: _fused,
}
