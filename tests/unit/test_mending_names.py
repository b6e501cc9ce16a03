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
