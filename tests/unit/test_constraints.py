"""Hard constraints: whom they bind, and what goes against them."""

from __future__ import annotations

import pytest

from edge_memory.records import Kind, Layer, Priority, Record
from firmware_bridge.turn.binding import with_kin
from firmware_bridge.turn.constraints import names

RELATIONS = {"daughter": ("Mia",), "son": ("Tom",), "brother": ("Jon Bell",)}


def rule(text: str, key: str, value: str) -> Record:
    return Record(Layer.PROFILE, Kind.POLICY, text, key=key, value=value, priority=Priority.CRITICAL)


MIA = rule("Mia is allergic to peanuts", "mia.allergy", "peanuts")


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("can I make my daughter a peanut butter sandwich", True),
        ("can my daughter have some satay", True),
        ("can my kids have some satay", True),
        ("can I give Mia some satay", True),
        ("can my son have some satay", False),
        ("can I have some satay", False),
    ],
)
def test_a_kin_word_stands_for_the_one_it_names(text: str, bound: bool) -> None:
    [known] = with_kin([MIA], RELATIONS)
    assert names(known, text) is bound


def test_without_a_relation_only_the_name_does() -> None:
    [known] = with_kin([MIA], {})
    assert not names(known, "can my daughter have some satay")
