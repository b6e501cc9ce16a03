"""What a question about oneself looks for, and how what was told is told back: to the user, and with its date."""

from __future__ import annotations

import time

import pytest

from edge_memory.observe.absolute_dates import dated_turn
from firmware_bridge.turn.english.questions import read_question
from firmware_bridge.turn.english.second_person import second_person


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
        ("I forgot where I left my skates", {"skates"}),
        ("could you remind me of my cousin's number", {"cousin"}),
    ],
)
def test_what_a_question_about_oneself_looks_for(question: str, words: set[str]) -> None:
    asked = read_question(question)
    assert asked is not None
    assert asked.personal
    assert asked.words == words


@pytest.mark.parametrize(
    "order", ["don't put sugar in my tea", "don't ever ring my aunt", "do not let me eat after nine"]
)
def test_an_order_is_no_question(order: str) -> None:
    assert read_question(order) is None
    assert read_question("don't I have a dentist appointment") is not None


@pytest.mark.parametrize(
    ("said", "days_later", "back"),
    [
        ("my recital is tomorrow", 0, "my recital is tomorrow"),
        ("my recital is tomorrow", 1, "my recital is on 5 May"),
        ("my recital is tomorrow", 400, "my recital is on 5 May 2026"),
        ("my recital is tomorrow evening", 30, "my recital is on the evening of 5 May"),
        ("I got back the day before yesterday", 9, "I got back on 2 May"),
        ("my recital is in three days", 2, "my recital is on 7 May"),
        ("we are off until next friday", 30, "we are off until 15 May"),
        ("I moved here two years ago", 400, "I moved here in 2024"),
        ("my lease ends next month", 40, "my lease ends in June"),
        ("my bin day is friday", 30, "my bin day is friday"),
        ("my recital is on the fifth of may", 30, "my recital is on the fifth of may"),
    ],
)
def test_a_day_is_told_as_its_date_when_it_is_another_day(said: str, days_later: int, back: str) -> None:
    said_at = time.mktime((2026, 5, 4, 12, 0, 0, 0, 0, -1))
    assert dated_turn(said, said_at, said_at + days_later * 86400) == back
