"""The companion's own name: what is said to it, and what is said about it."""

from __future__ import annotations

import pytest

from firmware_bridge.turn.introduction import unaddressed


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Ada, what time is it", "what time is it"),
        ("hey ada what time is it", "what time is it"),
        ("Okay, Ada! Remember that I like tea", "Remember that I like tea"),
        ("ADA: my name is Bo", "my name is Bo"),
        ("what's my name, Ada?", "what's my name?"),
        ("hi Ada, thank you, ada.", "thank you."),
    ],
)
def test_a_call_by_name_is_no_part_of_what_is_said(text: str, left: str) -> None:
    assert unaddressed(text, "Ada") == left


@pytest.mark.parametrize(
    "text", ["Ada is my daughter", "my sister is Ada", "hey Adam, come", "Ada", "hey Ada!", "Adana"]
)
def test_a_name_that_may_be_somebody_elses_stays(text: str) -> None:
    assert unaddressed(text, "Ada") == text


@pytest.mark.parametrize("called", ["Lo-Bug, hello you", "lobug, hello you", "hey lo bug hello you"])
def test_however_it_is_spelled(called: str) -> None:
    assert unaddressed(called, "Lo-Bug") == "hello you"


def test_a_name_without_letters_is_never_called() -> None:
    assert unaddressed("**, hello", "**") == "**, hello"
