"""What is said to a plain statement: the user's own words told back, and no receipt for sorrow."""

from __future__ import annotations

import pytest

from edge_memory.records import Language
from firmware_bridge.phrases import PHRASES
from firmware_bridge.turn.english.receipts import ENGLISH

SAID = PHRASES[Language.ENGLISH]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I'm allergic to penicillin", "you're allergic to penicillin"),
        ("I don't have any allergies", "you don't have any allergies"),
        ("hi, my sister Ada can't have nuts", "your sister Ada can't have nuts"),
        ("I take ramipril every morning", "you take ramipril every morning"),
        ("Ivo is diabetic", "Ivo is diabetic"),
        ("please never wake me before nine", "I won't wake you before nine"),
        ("don't let the dog into our bedroom", "I won't let the dog into your bedroom"),
        ("no shoes in the house", "no shoes in the house"),
        ("the spare key is under my doormat", "the spare key is under your doormat"),
        ("we live in Ghent", "you live in Ghent"),
        ("my number is 0123 456", "your number is 0123 456"),
        ("the choir has been moved to Fridays", "the choir has been moved to Fridays"),
    ],
)
def test_what_memory_reads_whole_is_told_back_in_the_second_person(said: str, told: str) -> None:
    assert ENGLISH.receipt(said) in [form.format(told=told) for form in SAID.receipts]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("my dog died this morning", SAID.sorry_for_loss),
        ("my sister has cancer", SAID.sorry_to_hear),
        ("my son got engaged", SAID.glad_to_hear),
    ],
)
def test_who_tells_of_sorrow_or_joy_hears_no_receipt(said: str, kind: str) -> None:
    assert ENGLISH.receipt(said) == kind


@pytest.mark.parametrize(
    "said",
    [
        "hello",
        "I'm tired",
        "I'm hungry",
        "I love jazz",
        "don't worry",
        "what is my name",
        "I live in Ghent, what's the weather",
        "I'm no longer allergic to nuts",
        "I was born in Leeds, you know",
        "can I have a biscuit",
    ],
)
def test_what_asks_wishes_or_is_read_in_part_is_left_to_the_model(said: str) -> None:
    assert ENGLISH.receipt(said) == ""


def test_receipts_vary() -> None:
    told = {ENGLISH.receipt(f"I live at {number} Mill Lane").split()[0] for number in range(20)}
    assert len(told) > 2
