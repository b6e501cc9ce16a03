"""How alike words sound."""

from __future__ import annotations

import pytest

from firmware_bridge.speech.sounds import phonemes, unlikeness

pytest.importorskip("piper")


def test_spellings_of_one_sound_are_alike_and_other_words_are_not() -> None:
    assert phonemes("Sersha") == phonemes("SERSHA") == phonemes("Saoirse")
    assert phonemes("") == ""
    near, far = (unlikeness(phonemes("omeprazole"), phonemes(other)) for other in ("own Brazil", "aspirin"))
    assert 0 < near < 0.22 < 0.4 < far


def test_unlikeness_is_the_same_both_ways_and_bounded() -> None:
    words = ["bat", "pat", "cat", "a", "", "Thorvald", "for vote"]
    for one in map(phonemes, words):
        for other in map(phonemes, words):
            assert unlikeness(one, other) == pytest.approx(unlikeness(other, one))
            assert (unlikeness(one, other) == 0) == (one == other)
            assert unlikeness(one, other) <= 1
    assert unlikeness(phonemes("bat"), phonemes("pat")) < unlikeness(phonemes("bat"), phonemes("cat"))
