"""The named ways to order what was found."""

from __future__ import annotations

from enum import StrEnum


class Ranker(StrEnum):
    KNN = "knn"  # nearest vectors only
    HYBRID = "hybrid"  # 0.45 words + 0.45 vectors + 0.10 recency
    SIGNALS = "signals"  # 0.30 recency + 0.40 importance + 0.30 words
    DETERMINISTIC = "deterministic"  # exact match, then shared words, then what is active and new; no model
    FUSED = "fused"  # words, vectors, their surroundings and what kind of sentence it is
