"""Named ways to order candidates. Pure: numbers in, numbers out."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from edge_memory.records import Ranker
from edge_memory.store.vectors import Source

_DAY_SECONDS = 86_400.0
_MANY_WORDS = 5.0  # e^5 - 1 = 147 words count as a long turn

Parts = tuple[float, ...]

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


# What each ranker weighs, in the order of the parts that it returns.
_NAMES: Mapping[Ranker, tuple[str, ...]] = {
    Ranker.KNN: ("cosine",),
    Ranker.HYBRID: ("words", "cosine", "recency"),
    Ranker.SIGNALS: ("recency", "importance", "words"),
    Ranker.DETERMINISTIC: ("exact", "overlap", "metadata", "active", "recency"),
    Ranker.FUSED: tuple(FUSED_WEIGHTS),
}
DATING = frozenset(ranker for ranker, names in _NAMES.items() if "recency" in names)
_WORDS, _COSINE, _BOTH, _NEAR, _ASKED, _SPEAKER, _LENGTH, _QUESTION, _KIND, _SESSION = FUSED_WEIGHTS.values()
_MOSTLY_LACKED = frozenset(FUSED_WEIGHTS) - {"words", "cosine"}  # not told of what lacks them


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
    """`parts` is what each signal of `names` added to `score`."""

    candidate: Candidate
    score: float
    names: Sequence[str]
    parts: Parts

    @property
    def why(self) -> dict[str, float]:
        """Each signal and what it added."""
        told = zip(self.names, self.parts, strict=True)
        return {name: part for name, part in told if part or name not in _MOSTLY_LACKED}


def half_life_decay(age_seconds: float, half_life_days: float) -> float:
    """2^(-age / half_life): 1 now, 0.5 at the half-life. An age before zero counts as zero."""
    return float(2.0 ** (-max(age_seconds, 0.0) / (half_life_days * _DAY_SECONDS)))


def rank(ranker: Ranker, candidates: Sequence[Candidate], without: Collection[str] = ()) -> list[Ranked]:
    """Best first; ties go to records, then to what is newer. Signals named in `without` are left out."""
    best, weigh, names = {source: _best_bm25(candidates, source) for source in Source}, _SCORES[ranker], _NAMES[ranker]
    parts = [weigh(candidate, candidate.bm25 / best[candidate.source]) for candidate in candidates]
    kept = [place for place, name in enumerate(names) if name not in without]
    if len(kept) < len(names):
        names, parts = tuple(names[place] for place in kept), [tuple(one[place] for place in kept) for one in parts]
    if "session" in names:
        parts = _with_sessions(candidates, parts)
    ranked = [Ranked(candidate, sum(one), names, one) for candidate, one in zip(candidates, parts, strict=True)]
    return sorted(ranked, key=lambda one: (-one.score, one.candidate.source, -one.candidate.id))


def _best_bm25(candidates: Sequence[Candidate], source: Source) -> float:
    """bm25 of two indices cannot be compared, shares of the best of each can."""
    return max((one.bm25 for one in candidates if one.source is source), default=0.0) or 1.0


def _knn(candidate: Candidate, words: float) -> Parts:
    """Seed LB: cosine nearness."""
    return (candidate.cosine,)


def _hybrid(candidate: Candidate, words: float) -> Parts:
    """Seed MS: 0.45 words, 0.45 vectors, 0.10 recency."""
    return 0.45 * words, 0.45 * max(candidate.cosine, 0.0), 0.10 * candidate.recency


def _signals(candidate: Candidate, words: float) -> Parts:
    """Seed LY: 0.30 recency, 0.40 importance, 0.30 relevance, which is bm25."""
    return 0.30 * candidate.recency, 0.40 * candidate.importance, 0.30 * words


def _deterministic(candidate: Candidate, words: float) -> Parts:
    """Seed SK: exact match, shared words, shared metadata, active before stale, recency; each outweighs the next."""
    return (
        16.0 * candidate.is_exact,
        8.0 * candidate.overlap,
        2.0 * candidate.tag_overlap,
        1.0 * candidate.is_active,
        0.1 * candidate.recency,
    )


def _fused(candidate: Candidate, words: float) -> Parts:
    """Ours. A question states nothing, a longer sentence more, and what was said around it tells what it is about. What
    the words found and the vectors as well was not found twice: most of it is the same.
    """
    cosine = candidate.cosine
    return (
        _WORDS * words,
        _COSINE * cosine,
        _BOTH * (words * cosine if cosine > 0.0 else 0.0),
        _NEAR * candidate.near,
        _ASKED * candidate.asked,
        _SPEAKER * candidate.is_asked_speaker,
        _LENGTH * _length(candidate.words),
        _QUESTION * candidate.is_question,
        _KIND * candidate.is_of_the_kind,
        0.0,
    )


@cache
def _length(words: int) -> float:
    return min(math.log1p(words) / _MANY_WORDS, 1.0)


def _with_sessions(candidates: Sequence[Candidate], parts: Sequence[Parts]) -> list[Parts]:
    """Raises everything in a session by a share of its best: what was talked about there is what is asked about."""
    best: dict[str, float] = {}
    for candidate, one in zip(candidates, parts, strict=True):
        if candidate.session is not None:
            best[candidate.session] = max(best.get(candidate.session, 0.0), sum(one))
    return [
        one if candidate.session is None else (*one[:-1], _SESSION * best[candidate.session])
        for candidate, one in zip(candidates, parts, strict=True)
    ]


_SCORES: dict[Ranker, Callable[[Candidate, float], Parts]] = {
    Ranker.KNN: _knn,
    Ranker.HYBRID: _hybrid,
    Ranker.SIGNALS: _signals,
    Ranker.DETERMINISTIC: _deterministic,
    Ranker.FUSED: _fused,
}
