"""What counts as said, and where a reply can first be spoken."""

from __future__ import annotations

import pytest

from firmware_bridge.clauses import has_clause
from firmware_bridge.errors import BadText, TextTooLong
from firmware_bridge.turn.utterance import clean_utterance, is_noise


def test_control_characters_and_outer_spaces_go() -> None:
    assert clean_utterance("  he\x00llo \ud800wörld\u200b \n", 100) == "hello wörld"


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\x00\x07", "\u200b"])
def test_nothing_said(text: str) -> None:
    with pytest.raises(BadText):
        clean_utterance(text, 100)


def test_too_much_said() -> None:
    assert clean_utterance("x" * 100, 100)
    with pytest.raises(TextTooLong):
        clean_utterance("x" * 101, 100)


@pytest.mark.parametrize("text", ["mm hmm", "Uh...", "um, er", "...", "?!", "🙂"])
def test_noise(text: str) -> None:
    assert is_noise(text)


@pytest.mark.parametrize("text", ["yes", "no", "um yes", "42", "你好", "hm what"])
def test_not_noise(text: str) -> None:
    assert not is_noise(text)


@pytest.mark.parametrize(
    ("reply", "speakable"),
    [
        ("", False),
        ("Hello", False),
        ("Yes.", False),
        ("Yes. I think so", True),  # said before all else
        ("Dr. Lee is", False),
        ("Good morning to you, Alex", True),
        ("It weighs 3.5", False),
        ("It is Tuesday today.", True),
    ],
)
def test_first_clause(reply: str, speakable: bool) -> None:
    assert has_clause(reply) is speakable
