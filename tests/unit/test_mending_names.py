"""Near-misses of known names are mended, and nothing else is touched."""

from __future__ import annotations

import pytest

from firmware_bridge.speech.names import mend_names

pytest.importorskip("jellyfish")
NAMES = ["Priya", "Bangalore", "Okonkwo", "Siobhan", "Lille", "Rex", "Metformin", "Jana"]


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("My wife Pria is here.", "My wife Priya is here."),
        ("We met in Bengalore.", "We met in Bangalore."),
        ("Call Doctor Okonko's office.", "Call Doctor Okonkwo's office."),
        ("Pria is here.", "Priya is here."),  # also at the beginning, when it sounds the same
        ("My wife Pri Ya is here.", "My wife Priya is here."),
        ("We met in Bangalore.", "We met in Bangalore."),
        ("The prior year was hard.", "The prior year was hard."),  # no capital: no name
        ("Rest is what I need.", "Rest is what I need."),
        ("I live in London.", "I live in London."),
        ("Is Jane here?", "Is Jane here?"),  # another name, not a near-miss
        ("", ""),
    ],
)
def test_mending(heard: str, meant: str) -> None:
    assert mend_names(heard, NAMES) == meant


def test_without_names_nothing_changes() -> None:
    assert mend_names("Anything At All.", []) == "Anything At All."


def test_what_sounds_the_same_is_the_name() -> None:
    pytest.importorskip("piper")
    assert mend_names("Ask Sersha, please.", ["Saoirse"]) == "Ask Saoirse, please."
    assert mend_names("Where did I put my gabba pentin?", ["gabapentin"]) == "Where did I put my gabapentin?"
    assert mend_names("They met by Anna.", ["Bianca"]) == "They met by Anna."


@pytest.mark.parametrize(
    ("heard", "names"),
    [
        ("My teacher is Mrs. Brown.", ["Bronagh", "Bronwyn"]),  # spelled alike, and sounds another way
        ("They live in Bramley Road.", ["Bramble"]),
        ("Ask Gabba Pentin's aunt.", ["gabapentin"]),  # a medicine has no aunt
        ("It is a see more.", ["Seamore"]),  # no name follows "a"
    ],
)
def test_what_sounds_another_way_or_cannot_be_a_name_stays(heard: str, names: list[str]) -> None:
    pytest.importorskip("piper")
    assert mend_names(heard, names) == heard
