"""Which question asks for a thing's name, and what tells it."""

from __future__ import annotations

import pytest

from firmware_bridge.turn.english.naming import names_it, thing_named
from firmware_bridge.turn.english.told import Told


@pytest.mark.parametrize(
    ("asked", "thing"),
    [
        ("what's the name of my kayak", "kayak"),
        ("what is my nephew's name", "nephew"),
        ("what are our two geese called", "geese"),
        ("what is the ferry named again", "ferry"),
        ("what is my other name", ""),
        ("what's my name", ""),
        ("who mends the kayak", ""),
    ],
)
def test_what_thing_a_question_asks_the_name_of(asked: str, thing: str) -> None:
    assert thing_named(asked) == thing


@pytest.mark.parametrize(
    ("told", "thing", "names"),
    [
        ("The kayak is called Otter", "kayak", True),
        ("Otter is the user's kayak", "kayak", True),
        ("The user's kayak, Otter, leaks", "kayak", True),
        ("The geese are Pim and Pam", "geese", True),
        ("The user's twin sister Odile sings", "twin", True),
        ("the user's nephew rollo sings", "nephew", True),
        ("Odile is having a ferry", "ferry", False),
        ("The key of the ferry is under the mat", "ferry", False),
        ("Odile's ferry captain is Rollo", "ferry", False),
        ("The user's mother lives on Quay Street", "mother", False),
        ("rollo's school rang", "school", False),
        ("Odile minds the baby", "baby", False),
    ],
)
def test_what_tells_the_name_of_a_thing(told: str, thing: str, names: bool) -> None:
    assert names_it(Told(told), thing) is names


def test_a_medicine_is_named_by_itself() -> None:
    assert names_it(Told("The user is on warfarin", key="user.medicine_warfarin"), "tablets")
