"""How likely something is the answer, and what is made of it."""

from __future__ import annotations

import pytest

from edge_memory.records import Kind, Layer, Record
from firmware_bridge.turn.english.grounding import Grounds
from firmware_bridge.turn.english.knowing import Weighed, settled, with_what_came_later
from firmware_bridge.turn.english.likelihood import likelihoods
from firmware_bridge.turn.english.questions import read_question
from firmware_bridge.turn.english.told import Told


@pytest.mark.parametrize(
    ("asked", "record", "cosine", "least", "most"),
    [
        ("what day does Wilma have her pottery course", "Wilma teaches pottery on Mondays", 0.7, 0.6, 1.0),
        ("what day does Wilma have her pottery course", "Wilma teaches pottery in Ghent", 0.7, 0.0, 0.3),
        ("what day does Wilma have her pottery course", "Wilma teaches pottery on Mondays", 0.2, 0.0, 0.3),
        ("what sport does Wilma do", "Wilma does fencing on Mondays", 0.5, 0.6, 1.0),
        ("what's Wilma's hobby", "Wilma is mad about kites", 0.6, 0.6, 1.0),
        ("what's Wilma's secret", "Wilma is mad about kites", 0.6, 0.05, 0.6),
        ("what's Wilma's birthday", "Wilma is mad about kites", 0.6, 0.0, 0.05),
        ("how tall is Wilma", "Wilma has two geese", 0.6, 0.0, 0.05),
        ("where is Wilma's cellar key", "Wilma lives in Ghent", 0.6, 0.0, 0.3),
        ("what do I do for work", "The user runs a plum orchard", 0.3, 0.6, 1.0),
        ("what do I do for work", "The user has a plum tree", 0.1, 0.0, 0.05),
        ("what did my uncle die of", "The user's uncle died when the user was six", 0.6, 0.0, 0.3),
        ("what did my uncle die of", "The user's uncle died of a stroke", 0.6, 0.6, 1.0),
        ("what time is the viewing", "The viewing is on the ninth of May", 0.6, 0.0, 0.3),
        ("what time is the viewing", "The viewing is at half past four", 0.6, 0.6, 1.0),
    ],
)
def test_how_likely_something_is_the_answer(asked: str, record: str, cosine: float, least: float, most: float) -> None:
    question = read_question(asked)
    assert question is not None
    [share] = likelihoods(question, [Told(record)], [cosine])
    assert least <= share <= most


def test_the_shares_of_what_may_answer_leave_one_for_nothing() -> None:
    question = read_question("where does Wilma live")
    assert question is not None
    shares = likelihoods(question, [Told("Wilma lives in Ghent"), Told("Wilma has two geese")], [0.8, 0.3])
    assert shares[0] > shares[1] > 0
    assert sum(shares) < 1
    assert likelihoods(question, [], []) == []


@pytest.mark.parametrize(
    ("later", "told"),
    [
        ("Wilma is a judge now", True),
        ("Bo is a judge now", False),  # somebody else
        ("Wilma is a judge", False),  # no word of a change
    ],
)
def test_what_was_said_later_as_how_it_is_now_is_told_beside_an_answer(later: str, told: bool) -> None:
    records = [
        Record(Layer.PROFILE, Kind.FACT, text, source_excerpt=text, id=number)
        for number, text in enumerate(("Wilma teaches pottery", later), start=1)
    ]
    found = [Weighed(record, 0.5, True, 0.6, Told(record.text)) for record in records]
    question = read_question("what does Wilma do")
    assert question is not None
    grounds = Grounds("?", "Wilma teaches pottery", "pottery", source=records[0])
    reply = with_what_came_later(grounds, found, question, 0.0).without_model()
    assert reply.startswith("Wilma teaches pottery.")
    assert ("said later" in reply) is told


def weighed(*shares: tuple[str, float]) -> list[Weighed]:
    return [
        Weighed(Record(Layer.PROFILE, Kind.FACT, text, id=number), share) for number, (text, share) in enumerate(shares)
    ]


@pytest.mark.parametrize(
    ("shares", "reply"),
    [
        ((("Wilma lives in Ghent", 0.8), ("Wilma has a car", 0.1)), "Wilma lives in Ghent."),
        (
            (("Wilma has two geese", 0.3), ("Wilma has a car", 0.05)),
            "I'm not sure, but you told me this: Wilma has two geese.",
        ),
        (
            (("Wilma has two geese", 0.3), ("Wilma has a car", 0.2)),
            "I'm not sure, but you told me this: Wilma has two geese. Wilma has a car.",
        ),
        (
            (("Wilma has two geese", 0.04),),
            "I don't know that. The nearest to it that you told me is this: Wilma has two geese.",
        ),
        ((("Wilma has two geese", 0.004),), "I don't know that yet. Tell me, and I'll remember it."),
    ],
)
def test_what_is_likely_is_told_and_what_may_be_is_told_with_a_doubt(
    shares: tuple[tuple[str, float], ...], reply: str
) -> None:
    assert settled(Grounds("?", unknown=True), weighed(*shares), 0.0).without_model() == reply


def test_what_answers_by_its_words_yields_to_what_is_far_likelier() -> None:
    found = weighed(("Wilma has two geese", 0.7), ("Wilma is mad about kites", 0.1))
    by_words = Grounds("?", "Wilma is mad about kites", source=found[1].record)
    assert settled(by_words, found, 0.0).without_model().endswith("Wilma has two geese.")
    assert settled(by_words, [Weighed(found[1].record, 0.5)], 0.0) == by_words


def test_who_wants_more_than_what_was_told_is_answered_by_the_model() -> None:
    known = Grounds("what's my aunt's name and write her a poem", "my aunt is Wilma", "Wilma")
    assert known.without_model() == ""
    assert Grounds("what's my aunt's name", "my aunt is Wilma", "Wilma").without_model() == "Your aunt is Wilma."
