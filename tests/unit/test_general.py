"""A question about the world is told from one about what was told."""

from __future__ import annotations

import pytest

from firmware_bridge.turn.english.general import is_general
from firmware_bridge.turn.english.questions import read_question
from firmware_bridge.turn.english.told import Told

TELLINGS = [
    Told(text)
    for text in (
        "The user's cousin Odile wrote the user a postcard",
        "The user lives in Bruges",
        "The kayak is under the porch",
        "Rollo eats hay and carrots",
        "The user's barber opens at eight",
    )
]


@pytest.mark.parametrize(
    ("asked", "general"),
    [
        ("Who wrote The Trial?", True),
        ("who wrote war and peace", True),
        ("Where do koalas live?", True),
        ("What do bears eat?", True),
        ("What does a walrus eat?", True),
        ("When did Napoleon live?", True),
        ("Who wrote the postcard?", False),
        ("Where does Odile live?", False),
        ("What does Rollo eat?", False),
        ("what does rollo eat", False),
        ("Where is the canoe?", False),  # the kayak, in other words
        ("When does the barber open?", False),
        ("Where do I live?", False),
        ("Where does grandma live?", False),
        ("Who is Boris?", False),
        ("What is Boris's surname?", False),
        ("When is Boris due?", False),
        ("which airline does rollo fly with", False),
    ],
)
def test_what_is_about_the_world(asked: str, general: bool) -> None:
    question = read_question(asked)
    assert question is not None
    assert is_general(question, TELLINGS) is general
