"""A yes is a yes only when it is nothing else."""

from __future__ import annotations

import pytest

from edge_memory.review import Reply, answers_proposal, picks

YES = """
yes|Yes!|yeah|yep that's right|that's right|correct|exactly|yes I did|yes I am|sure|of course|Yes, please do.|oh yes
yes it is|that is correct|indeed|uh yeah|ok yes|right|yes yes|go ahead|yes update it|I did|confirmed|yes thanks
it's true|that's what I said|you got it right
"""
NO = """
no|No.|nope|nah|no that's wrong|that's not right|not at all|no I didn't|I didn't say that|wrong|no, my name is Ola
no it's Ola|never|I don't think so|no don't|leave it as it is|of course not|no way|that isn't true|oh no|no thanks
it's wrong|no I still live in Bergen|no the other one|No, Kari
"""
NEITHER = """
?!|yes?|yes or no|yes but only in winter|yes what time is it|maybe|I'm not sure|I don't know|no idea|no problem
no longer|what do you mean|turn on the light|my name is Kari|no what's the weather like|no turn on the light|later|wait
yesterday I saw Ola|nobody told me|it is raining|I like jazz|right now it is cold|no one knows|🙂|sure as eggs is eggs
no cats in the kitchen|no kippers on Fridays, that's how we do it
"""


def each(table: str) -> list[str]:
    return table.strip().replace("\n", "|").split("|")


@pytest.mark.parametrize("utterance", each(YES))
def test_yes(utterance: str) -> None:
    assert answers_proposal(utterance) is Reply.YES


@pytest.mark.parametrize("utterance", each(NO))
def test_no(utterance: str) -> None:
    assert answers_proposal(utterance) is Reply.NO


@pytest.mark.parametrize("utterance", ["", *each(NEITHER)])
def test_neither(utterance: str) -> None:
    assert answers_proposal(utterance) is None


def test_a_long_utterance_is_read_at_once() -> None:
    assert answers_proposal("no that is " * 2_000) is Reply.NO
    assert answers_proposal("yes " * 5_000 + "but") is None


NUTS, BEES = "You're allergic to nuts", "You're allergic to bees"


@pytest.mark.parametrize(
    ("said", "picked"),
    [
        ("the first one", (0,)),
        ("the last one please", (1,)),
        ("number two", (1,)),
        ("bees", (1,)),
        ("the bee allergy", (1,)),
        ("I mean the nuts", (0,)),
        ("that I'm allergic to nuts", (0,)),
        ("both of them", (0, 1)),
        ("neither", ()),
        ("no", ()),
        ("never mind", ()),
        ("yes", None),
        ("nuts and bees", None),
        ("the third one", None),
        ("I ate nuts at the fair", None),
        ("which ones?", None),
        ("", None),
    ],
)
def test_which_of_two_is_picked(said: str, picked: tuple[int, ...] | None) -> None:
    assert picks(said, [NUTS, BEES]) == picked


def test_a_yes_picks_the_only_one() -> None:
    assert picks("yes please do", [NUTS]) == (0,)
    assert picks("the nuts", [NUTS]) == (0,)
    assert picks("the bees", [NUTS]) is None
