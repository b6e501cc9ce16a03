from __future__ import annotations

import pytest

from edge_memory.observe.surprise import surprise_of


def surprise(
    text: str, *known: str, contradicts: bool = False, explicit: bool = False, previous: str = ""
) -> dict[str, float]:
    return surprise_of(text, known=known, contradicts=contradicts, explicit=explicit, said=text, previous=previous)


def test_the_five_parts_and_their_weights() -> None:
    parts = surprise("The user's aunt keeps hens", contradicts=True, explicit=True, previous="the mast broke")
    assert parts == {
        "novelty": 1.0, "contradiction": 1.0, "specificity": 0.45, "emphasis": 1.0, "context_switch": 1.0,
        "score": 0.89,
    }  # fmt: skip


def test_said_before_is_no_surprise() -> None:
    again = surprise("The aunt keeps hens", "The user's aunt keeps hens")
    assert (again["novelty"], again["score"] < 0.3) == (0.0, True)


@pytest.mark.parametrize(
    "other", ["The user's uncle keeps hens", "The user's aunt does not keep hens", "The aunt keeps geese"]
)
def test_what_only_looks_alike_is_kept(other: str) -> None:
    assert surprise("The user's aunt keeps hens", other)["score"] >= 0.3


def test_names_numbers_and_emphasis_count() -> None:
    plain, exact = surprise("The user sails"), surprise("The user always sails to Moss at nine on Friday")
    assert exact["specificity"] > plain["specificity"]
    assert exact["emphasis"] > plain["emphasis"]
