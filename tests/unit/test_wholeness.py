"""Words after which nobody need be waited for, and words after which more is to come."""

from __future__ import annotations

import pytest

from firmware_bridge.speech import Wholeness, wholeness


def is_whole(text: str, language: str) -> bool:
    return wholeness(text, language) >= Wholeness.WHOLE


@pytest.mark.parametrize(
    "text",
    [
        "What time does the library close?",
        "Who are you looking for?",
        "The kettle is broken again.",
        "I moved the boxes to the attic.",
        "Turn the heating up, please.",
        "My cousin lives near the harbour.",
        "If it rains tomorrow, call the plumber.",
        "Thank you.",
        "No.",
        "Good morning. What time does the library close?",
    ],
)
def test_whole(text: str) -> None:
    assert is_whole(text, "en")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "...",
        "I would like to",
        "The kettle is broken and",
        "What is the",
        "Can you tell me?",
        "Um, I",
        "My cousin's old",
        "When I get home",
        "We need bread, butter,",
        "I was going to say...",
        "My number is seven four one",
        "It was built in 1871.",
        "The neighbour with",
        "Tomorrow morning.",
        "Could you please",
        "Please",
        "I moved the boxes to the attic. Then",
        "That is not",
        "The harbour in the north",
    ],
)
def test_not_whole(text: str) -> None:
    assert not is_whole(text, "en")


def test_german_questions_are_and_nothing_else_is() -> None:
    assert is_whole("Wann macht die Bücherei zu?", "de")
    assert not is_whole("Wo ist der?", "de")
    assert not is_whole("Ich habe gestern den Schlüssel.", "de")


def test_in_a_language_without_rules_nothing_is() -> None:
    assert not is_whole("¿Qué hora es?", "es")


@pytest.mark.parametrize(
    "text",
    ["How far is the moon?", "What is the capital of Peru?", "Tell me a joke about a penguin."],
)
def test_what_sentences_end_with_is_clear(text: str) -> None:
    assert wholeness(text, "en") is Wholeness.CLEAR


@pytest.mark.parametrize("text", ["Who painted?", "What is 7?", "My number is 40.", "The neighbour is big.", "Yes."])
def test_what_may_well_go_on_is_not_clear(text: str) -> None:
    assert wholeness(text, "en") < Wholeness.CLEAR


@pytest.mark.parametrize("text", ["The kettle is broken and", "What is the", "My cousin's old", "I was going to..."])
def test_what_breaks_off_is_unfinished(text: str) -> None:
    assert wholeness(text, "en") is Wholeness.UNFINISHED


def test_nothing_is_clear_in_a_language_whose_ends_were_not_learned() -> None:
    assert wholeness("Wann macht die Bücherei zu?", "de") is Wholeness.WHOLE
