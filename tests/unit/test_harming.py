"""What harms whom, and which requests come near to it."""

from __future__ import annotations

import pytest
from told_records import rule, told

from firmware_bridge.turn.english.constraints import names, touched
from firmware_bridge.turn.english.grounding import ground
from firmware_bridge.turn.english.harming import harm_in
from firmware_bridge.turn.english.holding import is_known_throughout, may_hold

WEDNESDAY_MORNING = 1_763_553_600.0


@pytest.mark.parametrize(
    ("text", "whom", "what"),
    [
        ("Thunder sets Odile off", {"odile"}, {"thunder"}),
        ("Figs make Odile's lips swell", {"odile"}, {"figs"}),
        ("Lilies are poisonous to the cat and so is ivy", {"cat"}, {"lilies", "ivy"}),
        ("Stout gives the user migraines", set(), {"stout"}),
        ("Stout triggers the user's gout", set(), {"stout"}),
        ("Pollen sets off the user's sister", {"sister"}, {"pollen"}),
    ],
)
def test_who_is_harmed_by_what(text: str, whom: set[str], what: set[str]) -> None:
    harm = harm_in(text)
    assert harm is not None
    assert harm.what >= what
    assert harm.whom == whom


@pytest.mark.parametrize("text", ["Never give Odile figs", "Odile has asthma, smoke sets it off", "Odile likes figs"])
def test_what_begins_with_whom_it_is_about_tells_no_harm_from_the_other_end(text: str) -> None:
    assert harm_in(text) is None


@pytest.mark.parametrize(
    ("text", "asked", "is_named"),
    [
        ("Figs make Odile's lips swell", "can Odile have a fig", True),
        ("Figs make Odile's lips swell", "can Odile have a pear", False),
        ("Loud noises upset Odile", "shall we take Odile to the fireworks", True),
        ("Strobe lights give Odile fits", "is a disco all right for Odile", True),
        ("Odile has asthma", "can we light a bonfire while Odile is here", True),
        ("Odile can't have wifi after eight", "may Odile watch youtube at nine tonight", True),
    ],
)
def test_what_is_asked_for_is_what_harms(text: str, asked: str, is_named: bool) -> None:
    assert names(told(text, text), asked) is is_named


@pytest.mark.parametrize(
    ("text", "asked", "is_refused"),
    [
        ("Odile is not allowed her phone after nine", "can Odile use her phone at seven tonight", False),
        ("Odile is not allowed her phone after nine", "can Odile use her phone at ten tonight", True),
        ("Don't wake me before nine", "get me up at ten", False),
        ("Don't wake me before nine", "get me up at seven", True),
        ("No company after eight o'clock", "can Nils come round at nine tonight", True),
        ("No company after eight o'clock", "can Nils come round at four in the afternoon", False),
        ("Don't ring me between four and eleven at night I'm on the line", "ring me at nine tonight", True),
        ("Don't ring me between four and eleven at night I'm on the line", "ring me at noon", False),
        ("Never tell Odile that the user is getting a harp", "tell Odile about the harp", True),
        ("Don't let Odile have more than one stout", "can I pour Odile another stout", True),
    ],
)
def test_a_ban_keeps_its_hours_and_amounts_also_when_recall_brings_it(text: str, asked: str, is_refused: bool) -> None:
    record = told(text, text, "rule.never")
    assert ground(asked, [record], [], [], "", now=WEDNESDAY_MORNING).refused is is_refused


def test_what_only_the_user_may_not_have_is_no_matter_of_another() -> None:
    mine = rule("I'm diabetic", "The user is diabetic", "user.condition", "diabetic")
    assert not touched([mine], "can Nils have a piece of cake")
    assert not touched([mine], "what should I cook for Nils")
    assert touched([mine], "can I have a piece of cake")
    assert touched([mine], "what should I cook tonight")


def test_what_holds_nothing_but_itself_is_known_throughout() -> None:
    assert is_known_throughout("make me a cup of tea")
    assert is_known_throughout("can I have an apple")
    assert not is_known_throughout("can I have an apple pie")
    assert not is_known_throughout("can I have something")


def test_a_cake_holds_no_ham() -> None:
    assert not may_hold({"cake"}, {"ham", "pork", "bacon"})
    assert may_hold({"pizza"}, {"ham", "pork", "bacon"})
    assert not may_hold({"pizza"}, {"wine", "beer"})
