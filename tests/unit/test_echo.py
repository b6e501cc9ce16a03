from __future__ import annotations

import pytest

from firmware_bridge.turn.echo import EchoGuard


def told(said: str, *pieces: str) -> list[str]:
    guard = EchoGuard(said)
    return [text for text in [*map(guard.feed, pieces), guard.end()] if text]


@pytest.mark.parametrize(
    ("said", "pieces", "heard"),
    [
        ("my favourite colour is green", ["My", " favourite", " colour", " is", " green", "."],
         ["Okay. Your favourite colour is green."]),
        ("we have a boat, it leaks", ["We have a boat"], ["Okay. You have a boat"]),
        ("never ring the bell, the girls are asleep", ["The girls", " are asleep."], ["Okay. The girls are asleep."]),
        ("my favourite colour is green", ["My favourite colour", " is nice too."],
         ["My favourite colour is nice too."]),
        ("my name is Al and I work here", ["Your name", " is Al", " and I", " work", " here."],
         ["Okay. Your name is Al and you work here."]),
        ("my favourite colour is green", ["Green", " suits you."], ["Green suits you."]),
        ("i like tea", ["Tea", "pots are fine."], ["Teapots are fine."]),
        ("good night", ["Good night!"], ["Good night!"]),
        ("hello there", ["Hello there! How are you?"], ["Hello there! How are you?"]),
        ("what is the time now", ["What is", " the time now?"], ["What is", " the time now?"]),
        ("!!", ["Yes."], ["Yes."]),
    ],
)  # fmt: skip
def test_what_only_repeats_the_user_is_told_as_theirs(said: str, pieces: list[str], heard: list[str]) -> None:
    assert told(said, *pieces) == heard


def test_a_reply_of_before_is_no_answer_to_what_is_told_now() -> None:
    before = ["Okay. You live in Leeds.", "Nice to meet you."]

    def reply(said: str, *pieces: str) -> str:
        guard = EchoGuard(said, before)
        return "".join([*map(guard.feed, pieces), guard.end()])

    assert reply("my cat is called Tom", "Nice to ", "meet you.") == "Okay. Your cat is called Tom"
    assert reply("my cat is called Tom", "You live", " in Leeds.") == "Okay. Your cat is called Tom"
    assert reply("my cat is called Tom", "Nice to ", "meet Tom.") == "Nice to meet Tom."
    assert reply("tell me my name", "Nice to meet you.") == "Nice to meet you."


def test_a_reply_that_says_something_is_not_held_longer_than_it_repeats() -> None:
    guard = EchoGuard("my dog is called Rex")
    assert guard.feed("My dog") == ""
    assert guard.feed(" sends") == "My dog sends"
    assert guard.feed(" love") == " love"
    assert guard.end() == ""
