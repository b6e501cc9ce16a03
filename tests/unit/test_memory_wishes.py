"""What an utterance asks of memory itself."""

from __future__ import annotations

import pytest

from firmware_bridge.turn.english.memory_wishes import memory_wish
from firmware_bridge.turn.wished import Count, Doubts, Happened, Learn, Recall, TidyUp, Way


@pytest.mark.parametrize(
    ("utterance", "what"),
    [
        ("remember that the ladder is behind the garage", "the ladder is behind the garage"),
        ("Please remember: my locker code is 4471.", "my locker code is 4471"),
        ("could you keep in mind that Ida hates peas", "Ida hates peas"),
        ("don't forget my rent is due on the first", "my rent is due on the first"),
        ("learn that my ladder is behind the garage", "my ladder is behind the garage"),
        ("make a note that the boiler was serviced in May", "the boiler was serviced in May"),
    ],
)
def test_what_is_to_be_remembered(utterance: str, what: str) -> None:
    assert memory_wish(utterance) == Learn(what)


@pytest.mark.parametrize(
    ("utterance", "topic"),
    [
        ("what do you know about my sister?", "my sister"),
        ("what do you remember about me", ""),
        ("tell me everything you know about the allotment", "the allotment"),
        ("do you remember anything about Rolf", "Rolf"),
        ("what have I told you about my job", "my job"),
        ("tell me about myself", ""),
        ("what do you know about me so far", ""),
        ("who am I", ""),
        ("what have you learned about me", ""),
        ("recall my sister", "my sister"),
    ],
)
def test_what_is_to_be_told(utterance: str, topic: str) -> None:
    assert memory_wish(utterance) == Recall(topic)


@pytest.mark.parametrize(
    "utterance", ["how much do you remember", "how many things do you know about me?", "memory stats please"]
)
def test_how_much_is_remembered(utterance: str) -> None:
    assert isinstance(memory_wish(utterance), Count)


@pytest.mark.parametrize(
    "utterance",
    ["what are you not sure about", "is there anything I should confirm?", "do you have any questions for me"],
)
def test_what_waits(utterance: str) -> None:
    assert isinstance(memory_wish(utterance), Doubts)


@pytest.mark.parametrize(
    "utterance",
    [
        "remember to buy milk",
        "do you remember where I live",
        "remember when we went to Oslo",
        "what do you know",
        "how much does it cost",
        "tell me about Napoleon",
        "what do you think about it",
        "I remember that day",
        "how many days are in a year",
    ],
)
def test_other_utterances_ask_nothing_of_it(utterance: str) -> None:
    wish = memory_wish(utterance)
    assert wish is None or wish == Recall("")


@pytest.mark.parametrize(
    ("utterance", "kind"), [("stats", Count), ("stats?", Count), ("what needs confirming", Doubts)]
)
def test_short_ways_to_ask(utterance: str, kind: type) -> None:
    assert isinstance(memory_wish(utterance), kind)


@pytest.mark.parametrize(
    ("utterance", "wish"),
    [
        ("make a diary entry that we saw a heron", Happened("we saw a heron")),
        ("log an episode: the boiler broke down.", Happened("the boiler broke down")),
        ("remember how to row: first sit down, then take the oars", Way("row", ("sit down", "take the oars"))),
        (
            "here's how to make tea: boil water, warm the pot and then pour",
            Way("make tea", ("boil water", "warm the pot", "pour")),
        ),
        ("save a procedure called bins: black one out; green one in", Way("bins", ("black one out", "green one in"))),
    ],
)
def test_what_happened_and_how_things_are_done(utterance: str, wish: object) -> None:
    assert memory_wish(utterance) == wish


def test_tidying_up() -> None:
    assert isinstance(memory_wish("please tidy up your memory"), TidyUp)
    for other in ("tidy up the kitchen", "remember how we met", "remember how to row", "make a diary entry"):
        assert memory_wish(other) is None
