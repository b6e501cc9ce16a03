from __future__ import annotations

import pytest

from edge_memory.recall.rankers import Candidates, Ranker, half_life_decay, rank
from edge_memory.records import Kind, Layer, Record

DAY = 86_400.0
NOW = 2_000_000_000.0


@pytest.mark.parametrize("half_life", [1.0, 30.0, 90.0])
def test_half_is_left_at_the_half_life(half_life: float) -> None:
    assert half_life_decay(0.0, half_life) == 1.0
    assert half_life_decay(half_life * DAY, half_life) == pytest.approx(0.5)
    assert half_life_decay(2 * half_life * DAY, half_life) == pytest.approx(0.25)


def test_an_age_is_never_negative() -> None:
    assert half_life_decay(-56 * 365 * DAY, 30.0) == 1.0


def record(record_id: int, age_days: float = 0.0) -> Record:
    return Record(Layer.SEMANTIC, Kind.FACT, "text", id=record_id, updated_at=NOW - age_days * DAY)


@pytest.mark.parametrize("ranker", list(Ranker))
def test_every_ranker_explains_its_score(ranker: Ranker) -> None:
    for hit in rank(ranker, [record(1), record(2)], Candidates({1: 3.0}, {1: 0.2, 2: 0.9}), NOW):
        assert hit.score == pytest.approx(sum(hit.why.values()))
        assert hit.score > 0


def test_hybrid_weighs_words_vectors_and_recency() -> None:
    best, old = rank(Ranker.HYBRID, [record(1), record(2, age_days=30)], Candidates({1: 4.0, 2: 2.0}, {1: 1.0}), NOW)
    assert best.why == pytest.approx({"words": 0.45, "cosine": 0.45, "recency": 0.10})
    assert old.why == pytest.approx({"words": 0.225, "cosine": 0.0, "recency": 0.05})


def test_ties_go_to_the_newer_record() -> None:
    hits = rank(Ranker.KNN, [record(1), record(3), record(2)], Candidates({}, {1: 0.5, 2: 0.5, 3: 0.5}), NOW)
    assert [hit.record.id for hit in hits] == [3, 2, 1]
