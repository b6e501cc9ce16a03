from __future__ import annotations

import pytest

from edge_memory.recall.rankers import FUSED_WEIGHTS, Candidate, Ranker, half_life_decay, rank
from edge_memory.store.vectors import Source

DAY = 86_400.0


@pytest.mark.parametrize("half_life", [1.0, 30.0, 90.0])
def test_half_is_left_at_the_half_life(half_life: float) -> None:
    assert half_life_decay(0.0, half_life) == 1.0
    assert half_life_decay(half_life * DAY, half_life) == pytest.approx(0.5)
    assert half_life_decay(2 * half_life * DAY, half_life) == pytest.approx(0.25)


def test_an_age_is_never_negative() -> None:
    assert half_life_decay(-56 * 365 * DAY, 30.0) == 1.0


def record(record_id: int, **more: object) -> Candidate:
    return Candidate(Source.RECORD, record_id, **more)


def said(turn_id: int, session: str = "kitchen", **more: object) -> Candidate:
    return Candidate(Source.TURN, turn_id, session=session, **more)


def order(ranker: Ranker, *candidates: Candidate) -> list[int]:
    return [one.candidate.id for one in rank(ranker, candidates)]


@pytest.mark.parametrize("ranker", list(Ranker))
def test_every_ranker_explains_its_score(ranker: Ranker) -> None:
    candidates = [record(1, bm25=3.0, cosine=0.2, overlap=0.5), said(2, cosine=0.9, near=0.4, words=9)]
    for one in rank(ranker, candidates):
        assert one.score == pytest.approx(sum(one.why.values()))
        assert one.score > 0


@pytest.mark.parametrize("ranker", list(Ranker))
def test_ties_go_to_records_and_then_to_what_is_newer(ranker: Ranker) -> None:
    assert order(ranker, record(1), record(3), record(2)) == [3, 2, 1]
    alone = said(9)._replace(session=None)
    assert order(ranker, alone, record(1)) == [1, 9]


@pytest.mark.parametrize("ranker", list(Ranker))
def test_nothing_to_rank(ranker: Ranker) -> None:
    assert rank(ranker, []) == []


def test_knn_goes_by_nearness_alone() -> None:
    assert order(Ranker.KNN, record(1, cosine=0.1, bm25=9.0), record(2, cosine=0.2)) == [2, 1]


def test_hybrid_weighs_words_vectors_and_recency() -> None:
    best, old = rank(Ranker.HYBRID, [record(1, bm25=4.0, cosine=1.0), record(2, bm25=2.0, cosine=-0.5, recency=0.5)])
    assert best.why == pytest.approx({"words": 0.45, "cosine": 0.45, "recency": 0.10})
    assert old.why == pytest.approx({"words": 0.225, "cosine": 0.0, "recency": 0.05})


def test_signals_weigh_recency_importance_and_words() -> None:
    (one,) = rank(Ranker.SIGNALS, [record(1, bm25=4.0, importance=0.5, recency=0.5, cosine=1.0)])
    assert one.why == pytest.approx({"recency": 0.15, "importance": 0.20, "words": 0.30})


def test_deterministic_goes_by_one_thing_after_the_other() -> None:
    wanted = [
        record(1, is_exact=True, is_active=False, recency=0.0),
        record(2, overlap=1.0, is_active=False, recency=0.0),
        record(3, tag_overlap=1.0, is_active=False, recency=0.0),
        record(4),
        record(5, recency=0.98),
        record(6, is_active=False),
    ]
    assert order(Ranker.DETERMINISTIC, *reversed(wanted)) == [1, 2, 3, 4, 5, 6]


def test_words_of_two_indices_are_weighed_as_shares_of_the_best_of_each() -> None:
    turn, fact = rank(Ranker.HYBRID, [said(1, bm25=20.0), record(2, bm25=2.0, recency=0.98)])
    assert turn.why["words"] == fact.why["words"] == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"bm25": 2.0}, {"bm25": 1.0}),
        ({"cosine": 0.6}, {"cosine": 0.5}),
        ({"near": 0.6}, {"near": 0.5}),
        ({"asked": 0.6}, {"asked": 0.5}),
        ({"words": 12}, {"words": 3}),
        ({"is_of_the_kind": True}, {}),
        ({"is_asked_speaker": True}, {}),
        ({}, {"is_question": True}),
    ],
)
def test_each_signal_of_fused_counts(better: dict[str, object], worse: dict[str, object]) -> None:
    assert order(Ranker.FUSED, said(1, **better), said(2, **worse)) == [1, 2]


def test_fused_knows_no_age() -> None:
    old, new = said(1, cosine=0.5, recency=0.0), said(2, cosine=0.4)
    assert order(Ranker.FUSED, old, new) == [1, 2]


def test_a_session_is_raised_by_its_best() -> None:
    near = said(1, "attic", cosine=0.9)
    beside, elsewhere = said(2, "attic", cosine=0.2), said(3, "kitchen", cosine=0.3)
    assert order(Ranker.FUSED, near, beside, elsewhere) == [1, 2, 3]
    first, second, _ = rank(Ranker.FUSED, [near, beside, elsewhere])
    assert (
        first.why["session"]
        == second.why["session"]
        == pytest.approx(FUSED_WEIGHTS["session"] * FUSED_WEIGHTS["cosine"] * 0.9)
    )
    assert "session" not in rank(Ranker.FUSED, [record(1, cosine=0.9)])[0].why


@pytest.mark.parametrize("signal", FUSED_WEIGHTS)
def test_a_signal_can_be_left_out(signal: str) -> None:
    full = said(
        1,
        bm25=1.0,
        cosine=0.5,
        near=0.5,
        asked=0.5,
        words=5,
        is_question=True,
        is_of_the_kind=True,
        is_asked_speaker=True,
    )
    (everything,), (without,) = rank(Ranker.FUSED, [full]), rank(Ranker.FUSED, [full], [signal])
    assert set(everything.why) == set(FUSED_WEIGHTS)
    assert set(without.why) == set(FUSED_WEIGHTS) - {signal}
