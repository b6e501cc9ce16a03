"""What a device shows of a turn."""

from __future__ import annotations

import pytest

from firmware_bridge.contracts import (
    Action,
    Expression,
    Heard,
    Notice,
    ReplySentence,
    ReplyText,
    Said,
    ShowFace,
    TurnBegun,
    TurnEvent,
)
from firmware_bridge.turn.announcer import Announcer
from firmware_bridge.turn.expression import expression_of

HEARD = Heard("hi", "desk", "desk")


def said(text: str, action: Action = Action.RESPOND) -> Said:
    return Said(action, text, "t1", "desk")


def shown(*events: TurnEvent | Exception, heard: Heard = HEARD) -> list[Notice]:
    told: list[Notice] = []
    announcer = Announcer(lambda notice, device_id: told.append(notice))
    for event in events:
        announcer(heard, event)
    return told


@pytest.mark.parametrize(
    ("text", "face"),
    [
        ("Hello! What can I do for you?", Expression.HAPPY),
        ("A kite, how nice!", Expression.HAPPY),
        ("Better not: You're allergic to nuts.", Expression.ALERT),
        ("I don't know that yet. Tell me, and I'll remember it.", Expression.SAD),
        ("It is half past four.", Expression.NEUTRAL),
        ("", Expression.NEUTRAL),
    ],
)
def test_the_face_goes_with_the_words(text: str, face: Expression) -> None:
    assert expression_of(said(text)) is face


def test_what_was_ignored_leaves_the_face_neutral() -> None:
    assert expression_of(said("hello", Action.IGNORE)) is Expression.NEUTRAL


def test_a_reply_is_told_by_sentence_as_it_is_written() -> None:
    pieces = ["It is 3.5 km", " away. Take", " the bus! 好。", "Or wal", "k"]
    told = shown(TurnBegun("t1", "desk"), *map(ReplyText, pieces), said("".join(pieces)))
    assert told[0] == ShowFace(Expression.THINKING)
    assert told[-1] == ShowFace(Expression.NEUTRAL)
    sentences = ["It is 3.5 km away.", "Take the bus!", "好。", "Or walk"]
    assert told[1:-1] == [ReplySentence("t1", number, text) for number, text in enumerate(sentences)]


def test_a_reply_that_came_in_one_piece_or_from_the_log_is_told_too() -> None:
    assert shown(TurnBegun("t1", "desk"), said("Good."))[1] == ReplySentence("t1", 0, "Good.")
    assert shown(said("Good."))[0] == ReplySentence("t1", 0, "Good.")


def test_a_turn_that_fails_ends_with_a_sad_face_and_the_next_begins_anew() -> None:
    told = shown(
        TurnBegun("t1", "desk"), ReplyText("Half a"), ValueError(), TurnBegun("t2", "desk"), ReplyText("New. ")
    )
    faces = [notice.expression for notice in told if isinstance(notice, ShowFace)]
    assert faces == [Expression.THINKING, Expression.SAD, Expression.THINKING]
    assert told[-1] == ReplySentence("t2", 0, "New.")


def test_a_turn_without_a_device_is_announced_to_nobody() -> None:
    assert shown(TurnBegun("t1", "desk"), said("Good."), heard=Heard("hi", "desk")) == []
