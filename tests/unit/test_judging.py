"""Answered, asked about again, or ignored."""

from __future__ import annotations

import pytest

from firmware_bridge.contracts import Action
from firmware_bridge.speech.endpointing import Ending, Utterance
from firmware_bridge.speech.judging import Reason, Situation, after_wake_phrase, judge
from firmware_bridge.speech.protocols import Transcript

SPEECH = Utterance(Ending.SILENCE, 0, 50)
CLEAR, UNCLEAR = -0.2, -1.4
REPLY = "Your dentist appointment is on Friday at ten."


def judged(
    text: str,
    confidence: float = CLEAR,
    situation: Situation | None = None,
    wake: str = "",
    utterance: Utterance = SPEECH,
) -> tuple[Action, Reason, str]:
    judgement = judge(utterance, Transcript(text, confidence), situation or Situation(), wake)
    return judgement.action, judgement.reason, judgement.text


def test_clear_speech_is_answered() -> None:
    assert judged("what time is it") == (Action.RESPOND, Reason.NONE, "what time is it")


@pytest.mark.parametrize("ending", [Ending.NO_SPEECH, Ending.TOO_SHORT, Ending.TOO_QUIET])
def test_what_is_no_speech_is_ignored(ending: Ending) -> None:
    assert judged("", utterance=Utterance(ending)) == (Action.IGNORE, Reason(ending.value), "")


@pytest.mark.parametrize(
    ("heard", "action"),
    [
        ("your dentist appointment is on Friday at ten", Action.IGNORE),
        ("dentist appointment is on Friday at", Action.IGNORE),
        ("My dentist appointment is on Friday at ten", Action.RESPOND),  # the user, in the user's own words
        ("Friday at ten", Action.RESPOND),  # too little to tell
        ("Is the dentist on Friday or on Monday at noon?", Action.RESPOND),
        ("Your dentist appointment is on Friday?", Action.RESPOND),  # it asked nothing
    ],
)
def test_the_companion_does_not_answer_itself(heard: str, action: Action) -> None:
    assert judged(heard, situation=Situation(own_reply=REPLY))[0] is action


@pytest.mark.parametrize("heard", ["who painted the lantern room", "Who painted the lantern room?"])
def test_a_question_asked_again_is_no_echo_of_not_knowing(heard: str) -> None:
    reply = "I don't know who painted the lantern room."
    assert judged(heard, situation=Situation(own_reply=reply))[0] is Action.RESPOND


def test_what_was_badly_heard_is_asked_about_once() -> None:
    assert judged("turn the power into", UNCLEAR)[:2] == (Action.CLARIFY, Reason.UNCLEAR)
    assert judged("", CLEAR)[:2] == (Action.CLARIFY, Reason.NO_WORDS)
    again = Situation(asked_again=True)
    assert judged("turn the power into", UNCLEAR, again) == (Action.RESPOND, Reason.NONE, "turn the power into")
    assert judged("", CLEAR, again)[:2] == (Action.IGNORE, Reason.NO_WORDS)


@pytest.mark.parametrize(
    ("heard", "rest"),
    [
        ("Hey Lo-Bug, what time is it?", "what time is it?"),
        ("hey low bug what time is it", "what time is it"),
        ("Hey Lobug.", ""),
        ("what time is it", None),
        ("the hay is dry", None),
        ("", None),
    ],
)
def test_the_wake_phrase_is_known_when_nearly_right(heard: str, rest: str | None) -> None:
    assert after_wake_phrase(heard, "hey lobug") == rest


def test_without_the_wake_phrase_only_a_conversation_goes_on() -> None:
    wake = "hey lobug"
    assert judged("what time is it", wake=wake)[:2] == (Action.IGNORE, Reason.NOT_ADDRESSED)
    assert judged("hey lobug, what time is it", wake=wake) == (Action.RESPOND, Reason.NONE, "what time is it")
    assert judged("and tomorrow", situation=Situation(in_conversation=True), wake=wake)[0] is Action.RESPOND
