"""What introduces somebody or something by name."""

from __future__ import annotations

import pytest

from edge_memory.observe.english.entities import named_entity
from edge_memory.observe.languages import read_statements


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("Ravi is a plumber", "Ravi"),
        ("Mrs Okoye is the headteacher", "Mrs Okoye"),
        ("Norm is our neighbour across the road", "Norm"),
        ("Rex is a beagle", "Rex"),
        ("Biscuit was an old ginger cat", "Biscuit"),
        ("Ashby is a village near the coast", "Ashby"),
        ("the Blue Heron is a pub on the canal", "Blue Heron"),
        ("the Isle of Wight is an island", "Isle of Wight"),
        ("Dolphin is our boat", "Dolphin"),
        ("Football is a religion here", ""),
        ("Water is a danger", ""),
        ("Bingo is a treat with my neighbour", ""),
        ("the boiler is a car of a thing", ""),
        ("Ravi is tall", ""),
        ("I am a plumber", ""),
        ("My cat is a menace", ""),
        ("Monday is a good day for the gym", ""),
    ],
)
def test_a_name_and_what_it_is_of(told: str, name: str) -> None:
    assert {named_entity(statement.text) for statement in read_statements(told)} <= {name}
    assert not name or read_statements(told)
