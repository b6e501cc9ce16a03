from __future__ import annotations

import pytest

from edge_memory.observe.english.contradictions.expiry import is_bare_end, plans_given_up, things_ended
from edge_memory.observe.english.wording import telling


@pytest.mark.parametrize(
    ("told", "over"),
    [
        ("Otto is done with judo, he wants to dance", ["judo"]),
        ("The user has chucked in the evening class because of the bus", ["evening class"]),
        ("The user tore a tendon so the regatta is off", ["regatta"]),
        ("The kayak got nicked from the shed", ["kayak"]),
        ("No more bingo for the user", ["bingo"]),
        ("The user is done with work for today", []),
        ("The user finished eating", []),
        ("The kayak is in the shed", []),
    ],
)
def test_what_is_over(told: str, over: list[str]) -> None:
    assert list(things_ended(told)) == [telling(words) for words in over]


def test_what_is_not_done_after_all() -> None:
    assert list(plans_given_up("The user is not doing the regatta")) == [telling("regatta")]
    assert list(plans_given_up("The user is not tall")) == []


def test_an_end_without_an_owner() -> None:
    assert is_bare_end("norway is off")
    assert not is_bare_end("my leg is off")
    assert not is_bare_end("norway is far")
