"""What memory lets a reply say."""

from __future__ import annotations

import pytest

from edge_memory.records import Kind, Layer, Priority, Record
from firmware_bridge.turn.constraints import goes_against, touched
from firmware_bridge.turn.grounding import ground
from firmware_bridge.turn.questions import asked_words, asks_permission, covers
from firmware_bridge.turn.second_person import second_person


def told(excerpt: str, text: str, key: str | None = None, value: str | None = None) -> Record:
    return Record(Layer.PROFILE, Kind.FACT, text, key=key, value=value, source_excerpt=excerpt)


def rule(excerpt: str, text: str, key: str, value: str) -> Record:
    return Record(
        Layer.PROFILE, Kind.POLICY, text, key=key, value=value, source_excerpt=excerpt, priority=Priority.CRITICAL
    )


AUNT = told("my aunt Wilma lives in Ghent", "The user's aunt Wilma lives in Ghent", "wilma.lives_in", "Ghent")
NUTS = rule("I'm allergic to hazelnuts", "The user is allergic to hazelnuts", "user.allergy", "hazelnuts")
VEGAN = rule("I'm vegan", "The user is vegan", "user.diet", "vegan")
DRY = rule("I never drink alcohol", "The user never drinks alcohol", "user.never", "drink alcohol")
PILLS = rule("I take lithium at night", "The user takes lithium at night", "user.medicine", "lithium")


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("my aunt Wilma lives with me", "Your aunt Wilma lives with you"),
        ("I'm allergic to figs", "You're allergic to figs"),
        ("I am a plumber and we own our house", "You are a plumber and you own your house"),
        ("I was born in the US", "You were born in the US"),
        ("the ladder is in the shed", "The ladder is in the shed"),
    ],
)
def test_second_person(said: str, back: str) -> None:
    assert second_person(said) == back


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("where does my aunt live", {"aunt", "live"}),
        ("what's my name?", {"name"}),
        ("how old am I", {"age"}),
        ("what instrument does my niece play", {"niece", "play"}),
        ("do you know what my cat is called", {"cat"}),
        ("how tall am I", {"tall"}),
    ],
)
def test_what_a_question_about_oneself_looks_for(question: str, words: set[str]) -> None:
    assert asked_words(question) == words


@pytest.mark.parametrize(
    "utterance",
    [
        "my aunt Wilma lives in Ghent",
        "how tall is the Atomium",
        "what should I cook tonight",
        "can I have some figs",
        "how do I boil an egg",
        "tell me a joke",
        "what can you recommend for my birthday",
        "good morning",
    ],
)
def test_other_utterances_ask_nothing_of_memory(utterance: str) -> None:
    assert asked_words(utterance) is None


@pytest.mark.parametrize(
    ("record", "asked", "answers"),
    [
        ("The user's aunt Wilma lives in Ghent", "where does my aunt live", True),
        ("The user moved to Ghent", "where do I live", True),
        ("The user works at a bakery", "what is my job", True),
        ("The user's daughter Noor is nine", "what are my kids called", True),
        ("The user's daughter Noor is nine", "what is my son called", False),
        ("The user's aunt Wilma lives in Ghent", "where does my uncle live", False),
        ("The user has a dog called Flip", "what is my cat called", False),
        ("The user's aunt Wilma lives in Ghent", "where do I live", False),
        ("my aunt Wilma lives in Ghent", "where do I live", False),
        ("Wilma lives in Ghent", "where do I live", False),
        ("The user's car is a green Fiat", "what do I drive", True),
        ("I live in Ghent with my aunt", "where do I live", True),
    ],
)
def test_covering(record: str, asked: str, answers: bool) -> None:
    assert covers(record, asked_words(asked) or ()) is answers


def test_a_question_that_nothing_recalled_answers_is_unknown() -> None:
    assert ground("where does my uncle live", [AUNT], [], [], "").unknown
    assert not ground("where does my aunt live", [AUNT], [], [], "").unknown
    assert not ground("where does my uncle live", [AUNT], [], ["my uncle lives in Lille"], "").unknown
    assert not ground("who wrote Faust", [], [], [], "").unknown


def test_what_was_just_said_goes_before_what_memory_has_digested() -> None:
    grounds = ground(
        "where does my aunt live", [AUNT], [], ["where does my aunt live", "my aunt lives in Lille now"], ""
    )
    assert grounds.own_words() == "Your aunt lives in Lille now."
    assert not grounds.accepts("She lives in Ghent.")


@pytest.mark.parametrize(
    ("reply", "accepted"),
    [
        ("She lives in Ghent.", True),
        ("Your aunt Wilma lives in Ghent.", True),
        ("The user's aunt Wilma lives in Ghent.", False),
        ("My aunt Wilma lives in Ghent.", False),
        ("Your aunt lives in Paris.", False),
        ("I don't know.", False),
    ],
)
def test_a_reply_must_use_the_known_answer_and_speak_to_the_user(reply: str, accepted: bool) -> None:
    grounds = ground("where does my aunt live", [AUNT], [], [], "")
    assert grounds.accepts(reply) is accepted
    assert grounds.own_words() == "Your aunt Wilma lives in Ghent."


@pytest.mark.parametrize(
    ("utterance", "near"),
    [
        ("can I try the praline", [NUTS]),
        ("may I eat a beef burger", [NUTS, VEGAN]),
        ("what should I cook tonight", [NUTS, VEGAN]),
        ("pour me a beer", [DRY]),
        ("is it fine to take ibuprofen", [PILLS]),
        ("what time is it", []),
    ],
)
def test_which_constraints_an_utterance_comes_near_to(utterance: str, near: list[Record]) -> None:
    found = touched([NUTS, VEGAN, DRY, PILLS], utterance)
    assert set(map(id, near)) <= set(map(id, found))
    assert bool(found) is bool(near)


@pytest.mark.parametrize(
    ("utterance", "reply", "broken"),
    [
        ("can I have a praline", "Yes, enjoy it!", True),
        ("can I have a praline", "You can have a praline.", True),
        ("can I have a praline", "Better not, you are allergic to hazelnuts.", False),
        ("suggest a snack", "How about some hazelnuts?", True),
        ("suggest a snack", "How about an apple?", False),
        ("suggest a snack", "A cookie without hazelnuts.", False),
    ],
)
def test_what_goes_against_a_constraint(utterance: str, reply: str, broken: bool) -> None:
    assert goes_against(reply, [NUTS], utterance) is broken


def test_medicine_asks_for_caution_whatever_is_to_be_taken() -> None:
    assert goes_against("Yes, it's fine.", [PILLS], "can I take some ibuprofen")
    assert not goes_against("Better ask your doctor first.", [PILLS], "can I take some ibuprofen")


@pytest.mark.parametrize("utterance", ["can I have it", "should we go", "is it ok to eat this", "wake me at five"])
def test_permission(utterance: str) -> None:
    assert asks_permission(utterance)
