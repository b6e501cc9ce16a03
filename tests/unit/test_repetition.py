"""What nobody can have said twice in the time was said once."""

from __future__ import annotations

import pytest

from firmware_bridge.speech.repetition import said_once

TWICE = "Put the lamp over there. Put a lamp over there."


@pytest.mark.parametrize(
    ("text", "seconds", "once"),
    [
        (TWICE, 2.0, "Put the lamp over there."),
        (f"{TWICE} Put the lamp over there!", 3.0, "Put the lamp over there."),
        (TWICE, 4.0, TWICE),
        ("Put the lamp over there. The cat sleeps on it.", 1.5, "Put the lamp over there. The cat sleeps on it."),
        ("No. No. No.", 0.4, "No. No. No."),
        ("", 1.0, ""),
    ],
)
def test_a_sentence_is_said_twice_only_in_the_time_for_it(text: str, seconds: float, once: str) -> None:
    assert said_once(text, seconds) == once
