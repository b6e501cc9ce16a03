"""What is forbidden in few words."""

from __future__ import annotations

import pytest

from edge_memory.observe import Context, read_statements
from edge_memory.observe.english.people import Household


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("no figs for Odile", ["Odile can't have figs"]),
        ("no figs for odile please", ["Odile can't have figs"]),
        ("no figs for Carlos after half eight", ["Carlos can't have figs after half eight"]),
        ("no figs for Odile past nine pm", ["Odile can't have figs past nine pm"]),
        ("no harp after nine o'clock", ["No harp after nine o'clock"]),
        ("no harp for Odile before nursery", ["Odile can't have harp before nursery"]),
        (
            "no cartoons for Odile after six on a school night",
            ["Odile can't have cartoons after six on a school night"],
        ),
        ("no buses after nine", []),
        ("no more stout for me", ["The user can't have stout"]),
        ("No figs and no plums for my nephew", ["The user's nephew can't have figs or plums"]),
        ("no, stout for me", ["Stout for the user"]),
        ("no boots in the hall", ["No boots in the hall"]),
        ("no visitors during the match, that is the rule here", ["No visitors during the match"]),
        ("nobody is allowed to touch the harp", ["Never let anyone touch the harp"]),
        ("we don't allow snoring in the house", ["No snoring in the house"]),
        ("nobody smokes in our shed", ["Never let anyone smoke in the user's shed"]),
        ("I don't let anyone use my harp", ["Never let anyone use the user's harp"]),
        ("book club switched to Fridays", ["Book club switched to Fridays"]),
        ("the mower takes petrol, never put oil in it", ["The mower takes petrol", "Never put oil in the mower"]),
        ("the midwife said no figs", ["The midwife said no figs"]),
        ("no my nephew lives in Moss", ["The user's nephew lives in Moss"]),
        ("nothing with figs goes into our boat", ["Nothing with figs goes into the user's boat"]),
        ("nobody touches my niece's harp", ["Never let anyone touch the user's niece's harp"]),
        ("keep the harp away from the radiator", ["Keep the harp away from the radiator"]),
        ("guests must leave by ten", ["Guests must leave by ten"]),
        ("figs are poison to the dog", ["Figs are poison to the dog"]),
        ("no harps on the balcony", ["No harps on the balcony"]),
        ("neither of the twins is allowed to light it", ["Neither of the twins is allowed to light it"]),
        ("figs are not eaten in this family", ["Figs are not eaten in this family"]),
        ("nobody knows the way to Moss", []),
        ("figs are poison to dogs", []),
        ("no figs for dinner", []),
        ("no school for the kids today", []),
    ],
)
def test_what_a_prohibition_tells(said: str, kept: list[str]) -> None:
    assert [statement.text.capitalize() for statement in read_statements(said)] == [one.capitalize() for one in kept]


def test_a_prohibition_takes_no_word_back() -> None:
    assert not any(statement.restated for statement in read_statements("no figs for Odile"))


@pytest.mark.parametrize(
    ("before", "said", "kept"),
    [
        ("my nephew Carlos is six", "never let him have figs", ["Never let Carlos have figs"]),
        ("my nephew Carlos is six", "don't let him near the harp", ["Don't let Carlos near the harp"]),
        ("my nephew Carlos is six", "no figs for him", ["Carlos can't have figs"]),
        ("my nephew Carlos is six", "never ring her", ["Never ring her"]),
        ("my niece Odile is on nights", "never wake her before noon", ["Never wake Odile before noon"]),
        ("my niece Odile is on nights", "always ask her first", ["Always ask Odile first"]),
        ("my niece Odile is on nights", "never feed her goat", ["Never feed her goat"]),
        ("my goat Figaro is old", "never let him on the sofa", ["Never let Figaro on the sofa"]),
        ("we have a new harp", "never let him in", ["Never let him in"]),
        ("", "never let him in", ["Never let him in"]),
        (
            "",
            "my nephew Carlos is six and never let him have figs",
            ["The user's nephew Carlos is six", "Never let Carlos have figs"],
        ),
        (
            "",
            "my gran naps at two and please don't ring her before three",
            ["The user's gran naps at two", "Don't ring the user's gran before three"],
        ),
        (
            "",
            "I don't trust Bo and never lend him money",
            ["The user doesn't trust Bo", "The user never lends him money"],
        ),
    ],
)
def test_whom_an_order_means(before: str, said: str, kept: list[str]) -> None:
    assert [one.text for one in read_statements(said, Context(previous=before))] == kept


def test_of_two_who_are_known_an_order_means_the_one_whom_its_word_fits() -> None:
    household = Household({"nephew": ("Carlos",), "niece": ("Odile",)}, frozenset({"carlos", "odile"}))
    told = Context(household, previous="Carlos is here and so is Odile")
    assert [one.text for one in read_statements("never give him figs", told)] == ["Never give Carlos figs"]
