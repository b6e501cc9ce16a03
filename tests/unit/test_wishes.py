"""Sentences that ask for reminders and timers, and those that only look like it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from firmware_bridge.turn.english.moments import duration_in, is_moment, moment_in
from firmware_bridge.turn.english.wishes import wish_in
from firmware_bridge.turn.moment import Moment
from firmware_bridge.turn.wished import AskWaiting, CallOff, Remind, Time

SAID = datetime(2026, 11, 18, 10, 20, tzinfo=timezone(timedelta(hours=1)))  # a Wednesday


def local(day: int, hour: int, minute: int = 0, month: int = 11, past: bool = False) -> Moment:
    return Moment(local=datetime.fromisoformat(f"2026-{month:02}-{day:02}T{hour:02}:{minute:02}"), past=past)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("ten minutes", 600),
        ("10 min", 600),
        ("a minute", 60),
        ("half an hour", 1_800),
        ("a quarter of an hour", 900),
        ("an hour and a half", 5_400),
        ("two and a half hours", 9_000),
        ("one hour and ten minutes", 4_200),
        ("twenty-five minutes", 1_500),
        ("twenty five minutes", 1_500),
        ("ninety seconds", 90),
        ("1.5 hours", 5_400),
        ("a 10-minute", 600),
        ("45s", 45),
        ("zero minutes", None),
        ("0 minutes", None),
        ("a while", None),
        ("minutes", None),
    ],
)
def test_durations(text: str, seconds: float | None) -> None:
    assert duration_in(text) == seconds


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("at six", local(18, 18)),
        ("at eight", local(18, 20)),
        ("at 11", local(18, 11)),
        ("at 6 am", local(19, 6)),
        ("at six in the morning", local(19, 6)),
        ("at 6pm", local(18, 18)),
        ("for 6:30 pm", local(18, 18, 30)),
        ("at 18:05", local(18, 18, 5)),
        ("at half past ten", local(18, 10, 30)),
        ("at quarter to eleven", local(18, 10, 45)),
        ("at quarter to one", local(18, 12, 45)),
        ("at noon", local(18, 12)),
        ("at midnight", local(19, 0)),
        ("at twelve", local(18, 12)),
        ("six", local(18, 18)),
        ("18:30", local(18, 18, 30)),
        ("this evening", local(18, 19)),
        ("tonight", local(18, 20)),
        ("tonight at eleven", local(18, 23)),
        ("in the afternoon", local(18, 15)),
        ("tomorrow", local(19, 9)),
        ("tomorrow morning", local(19, 9)),
        ("tomorrow at three", local(19, 15)),
        ("tomorrow at eight", local(19, 8)),
        ("tomorrow evening at seven", local(19, 19)),
        ("on Friday at 5 pm", local(20, 17)),
        ("on the 3rd of December at 9", local(3, 9, month=12)),
        ("in two days at six", local(20, 18)),
        ("in two days", local(20, 9)),
        ("in ten minutes", Moment(seconds=600)),
        ("ten minutes from now", Moment(seconds=600)),
        ("in half an hour", Moment(seconds=1_800)),
        ("today at 9 am", local(18, 9, past=True)),
        ("yesterday at six", local(17, 18, past=True)),
        ("this morning", local(18, 9, past=True)),
        ("soon", None),
        ("at home", None),
        ("", None),
    ],
)
def test_moments(text: str, moment: Moment | None) -> None:
    assert moment_in(text, SAID) == moment
    if moment is not None:
        assert is_moment(text)


def test_at_eight_in_the_evening_six_is_tomorrow_morning() -> None:
    assert moment_in("at six", SAID.replace(hour=20)) == local(19, 6)


def test_no_time_of_day_is_known_before_the_clock_is_set() -> None:
    unset = SAID.replace(year=1970)
    assert moment_in("at six", unset) is None
    assert moment_in("in ten minutes", unset) == Moment(seconds=600)


@pytest.mark.parametrize(
    "text", ["at home", "the third floor", "mum at six", "for the cat", "a cake in the oven", "may"]
)
def test_what_says_more_than_when_is_no_moment(text: str) -> None:
    assert not is_moment(text)


SIX, CAT = local(18, 18), "feed the cat"


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("remind me at six to feed the cat", Remind(CAT, "to", SIX)),
        ("Remind me to feed the cat at six.", Remind(CAT, "to", SIX)),
        ("please remind me to feed the cat at six o'clock", Remind(CAT, "to", SIX)),
        ("Hey Lo-Bug, can you remind me at quarter to six to feed the cat?", Remind(CAT, "to", local(18, 17, 45))),
        ("set a reminder for 6 pm to feed the cat", Remind(CAT, "to", SIX)),
        ("remind me tomorrow about the dentist", Remind("the dentist", "about", local(19, 9))),
        ("remind me about the dentist tomorrow at nine", Remind("the dentist", "about", local(19, 9))),
        ("remind me that the bins go out on Friday morning", Remind("the bins go out", "that", local(20, 9))),
        ("remind me in ten minutes to check the oven", Remind("check the oven", "to", Moment(seconds=600))),
        (
            "remind me to call the plumber about the third floor at six",
            Remind("call the plumber about the third floor", "to", SIX),
        ),
        ("remind me to drive to Rome tomorrow at six in the morning", Remind("drive to Rome", "to", local(19, 6))),
        ("remind me to feed the cat", Remind(CAT, "to", None)),
        (
            "remind me today at nine am to feed the cat",
            Remind(CAT, "to", local(18, 9, past=True)),
        ),
        ("wake me up at seven", Remind("wake up", "to", local(18, 19))),
        ("wake me tomorrow at seven", Remind("wake up", "to", local(19, 7))),
        ("remind me every day at six to feed the cat", Remind(CAT, "to", SIX, True)),
        ("remind me to feed the cat every day at six", Remind(CAT, "to", SIX, True)),
        ("remind me to feed the cat every Friday morning", Remind(CAT, "to", local(20, 9), True)),
        ("remind me every day to feed the cat", Remind(CAT, "to", None, True)),
        ("remind me at 25:00 to feed the cat", Remind(CAT, "to", None)),
        ("remind me on 30 February to feed the cat", Remind(CAT, "to", None)),
        ("remind me in 0 minutes to feed the cat", Remind(CAT, "to", None)),
        ("remind me the story about the fox", None),
        ("timer -5 minutes", Time("", None)),
        ("set a timer for -5 minutes", Time("", None)),
        ("timer for zero minutes", Time("", None)),
        ("set a timer for a while", Time("", None)),
        ("remind me at six", Remind("your reminder", "of", SIX)),
        ("timer ten minutes", Time("", 600)),
        ("set a timer for 10 minutes", Time("", 600)),
        ("Start a ten minute timer, please", Time("", 600)),
        ("set a pasta timer for eight minutes", Time("pasta", 480)),
        ("timer", Time("", None)),
        ("set a timer", Time("", None)),
        ("cancel the timer", CallOff("timer", frozenset(), False)),
        ("stop the pasta timer", CallOff("timer", frozenset({"pasta"}), False)),
        ("cancel my reminder about the cat", CallOff("reminder", frozenset({"cat"}), False)),
        ("delete all my reminders", CallOff("reminder", frozenset(), True)),
        ("what are my reminders", AskWaiting("reminder")),
        ("do I have any reminders?", AskWaiting("reminder")),
        ("how long is left on the timer", AskWaiting("timer")),
        ("remind me of my sister's name", None),
        ("remind me what I said about the cat", None),
        ("you remind me of my father", None),
        ("I set a timer for ten minutes and it never rang", None),
        ("the ten minute timer is loud", None),
        ("my timer broke yesterday", None),
        ("the timer in my kitchen is red", None),
        ("I bought an egg timer for ten euros", None),
        ("she reminded me to eat at six", None),
        ("what time is it", None),
        ("at six", None),
        ("forget that I like olives", None),
    ],
)
def test_wishes(text: str, wish: object) -> None:
    assert wish_in(text, "", SAID) == wish


def test_an_answer_to_the_question_when_may_be_no_more_than_a_time() -> None:
    asked = "When shall I remind you to feed the cat?"
    for text in ("at six", "six", "6 pm", "at 6 please", "around six"):
        assert wish_in(text, asked, SAID) == Remind(CAT, "to", SIX), text
    assert wish_in("in ten minutes", f"That time has passed already. {asked}", SAID) == Remind(
        CAT, "to", Moment(seconds=600)
    )
    for text in ("never mind", "I had six cats", "what's the weather at six in Rome"):
        assert wish_in(text, asked, SAID) is None, text
    assert wish_in("ten minutes", "For how long shall the timer run?", SAID) == Time("", 600)
    assert wish_in("ten minutes", "How are you?", SAID) is None
