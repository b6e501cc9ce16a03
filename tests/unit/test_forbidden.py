"""What constraints let a reply say: what is refused, what is warned of, what asks for leave."""

from __future__ import annotations

import time

import pytest
from told_records import DRY, NO_CALLS, NUTS, PILLS, VEGAN, rule, told

from edge_memory.records import Record
from firmware_bridge.turn.english.constraints import asks_permission, goes_against, in_force, names, touched
from firmware_bridge.turn.english.grounding import ground


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("can I have the zabaglione", "You're allergic to walnuts. Better check what is in it first."),
        (
            "can I have some sudafed",
            "You take warfarin. Better ask your doctor or pharmacist first.",
        ),
        (
            "is it ok if I take clarithromycin",
            "You take warfarin. Better ask your doctor or pharmacist first.",
        ),
        ("can Signe have the gado gado", "Signe is allergic to sesame. Better check what is in it first."),
    ],
)
def test_what_nobody_knows_to_be_safe_is_not_allowed(asked: str, told: str) -> None:
    constraints = [
        rule("I take warfarin", "The user takes warfarin", "user.medicine_warfarin", "warfarin"),
        rule("I'm allergic to walnuts", "The user is allergic to walnuts", "user.allergy", "walnuts"),
        rule("Signe is allergic to sesame", "Signe is allergic to sesame", "signe.allergy", "sesame"),
    ]
    grounds = ground(asked, [], constraints, [], "")
    assert not grounds.refused
    assert not grounds.accepts("Yes, of course, enjoy.")
    assert grounds.accepts("I don't know what is in it, so better ask.")
    assert grounds.own_words() == f"I can't tell whether that is all right. {told}"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("what am I allergic to", "You're allergic to walnuts."),
        ("what can't Signe eat", "Signe is allergic to sesame."),
        ("what are my allergies", "You're allergic to walnuts."),
        ("what is my son allergic to", ""),
        ("what can I eat", ""),
    ],
)
def test_what_somebody_may_not_have_is_told(asked: str, answer: str) -> None:
    constraints = [
        rule("I take warfarin", "The user takes warfarin", "user.medicine_warfarin", "warfarin"),
        rule("I'm allergic to walnuts", "The user is allergic to walnuts", "user.allergy", "walnuts"),
        rule("Signe is allergic to sesame", "Signe is allergic to sesame", "signe.allergy", "sesame"),
        rule("never wake me before seven", "Never wake the user before seven", "rule.never", "wake me before seven"),
    ]
    grounds = ground(asked, [], constraints, [], "")
    assert (grounds.own_words() if grounds.answer else "") == answer


def test_what_is_plain_is_left_to_the_model() -> None:
    walnuts = rule("I'm allergic to walnuts", "The user is allergic to walnuts", "user.allergy", "walnuts")
    for asked in ("can I have an apple", "can I take the dog out", "could I have a glass of water"):
        assert ground(asked, [], [walnuts], [], "").accepts("Yes, of course, enjoy.")


@pytest.mark.parametrize(
    ("utterance", "near"),
    [
        ("can I try the praline", [NUTS]),
        ("may I eat a beef burger", [NUTS, VEGAN]),
        ("what should I cook tonight", [NUTS, VEGAN]),
        ("pour me a beer", [DRY]),
        ("is it fine to take ibuprofen", [PILLS]),
        ("what time is it", []),
        ("ring my uncle Bert please", [NO_CALLS]),
        ("ring the doctor", []),
    ],
)
def test_which_constraints_an_utterance_comes_near_to(utterance: str, near: list[Record]) -> None:
    found = touched([NUTS, VEGAN, DRY, PILLS, NO_CALLS], utterance)
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


def test_a_request_behind_what_is_the_matter_is_refused_too() -> None:
    grounds = ground("I miss Bert, ring my uncle", [], [NO_CALLS], [], "")
    assert grounds.refused


def test_the_very_thing_that_is_forbidden_is_refused_in_the_users_words() -> None:
    grounds = ground("shall I have a praline?", [], [NUTS], [], "")
    assert grounds.refused
    assert grounds.own_words() == "Better not: You're allergic to hazelnuts."
    assert ground("ring my uncle Bert", [], [NO_CALLS], [], "").own_words() == (
        'I won\'t, you told me: "never ring my uncle Bert".'
    )
    pills = ground("can I take aspirin with my lithium", [], [PILLS], [], "")
    assert "doctor" in pills.own_words()


def test_a_suggestion_is_told_by_rule_with_what_is_to_be_kept() -> None:
    grounds = ground("suggest a cake", [], [NUTS], [], "")
    assert not grounds.refused
    told = "Careful: You're allergic to hazelnuts. How about a baked apple with cinnamon?"
    assert grounds.without_model() == told
    assert not grounds.accepts("A praline cake.")


def test_what_was_told_as_a_plain_fact_forbids_too() -> None:
    hives = told("latex gives me a rash", "Latex gives the user a rash")
    assert ground("can I wear latex gloves?", [hives], [], [], "").refused
    assert not ground("where are the latex gloves", [hives], [], [], "").refused


def test_what_a_doctor_said_and_a_slot_of_the_users_bind_the_user() -> None:
    ladders = told("my doctor told me to avoid ladders", "The doctor told the user to avoid ladders")
    assert ground("shall I climb the ladder", [ladders], [], [], "").refused
    heart = rule("my heart pill is bisoprolol", "The user's heart pill is bisoprolol", "user.medicine_b", "bisoprolol")
    assert ground("could I skip the bisoprolol", [], [heart], [], "").refused


def test_whether_a_dish_would_be_nice_asks_for_leave() -> None:
    assert ground("would a hazelnut cake be nice", [], [NUTS], [], "").refused


def test_what_was_given_is_no_suggestion() -> None:
    assert ground("what did my aunt get me for my birthday", [], [NUTS], [], "").unknown


def test_what_binds_somebody_else_binds_what_is_for_them() -> None:
    lena = rule("Lena is coeliac", "Lena is coeliac", "lena.diet", "coeliac")
    assert ground("can Lena have a croissant", [], [lena], [], "").refused
    assert not ground("can I have a croissant", [], [lena], [], "").refused
    assert names(lena, "a pizza for everybody")


@pytest.mark.parametrize(
    ("text", "hour", "holds"),
    [
        ("play some loud music", 12, False),
        ("play some loud music", 23, True),
        ("play some loud music", 1, True),
        ("play loud music at eleven at night", 12, True),
        ("play loud music tonight", 12, True),
    ],
)
def test_an_order_with_an_hour_holds_at_that_hour(text: str, hour: int, holds: bool) -> None:
    order = rule(
        "never play loud music after ten at night", "Never play loud music after ten at night", "rule.never", ""
    )
    said_at = time.mktime((2026, 5, 4, hour, 0, 0, 0, 0, -1))
    found = [record for record in in_force([order], text, said_at) if names(record, text)]
    assert bool(found) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("wake me at ten", True),
        ("wake me at half one", True),
        ("wake me at four", False),
        ("wake me at ten pm", False),
        ("wake me up", True),
    ],
)
def test_an_order_between_two_hours_holds_between_them(text: str, *, holds: bool) -> None:
    order = rule("never wake me between nine and two", "Never wake the user between nine and two", "rule.never", "")
    found = [record for record in in_force([order], text, 0.0) if names(record, text)]
    assert bool(found) is holds


def test_a_ban_with_an_hour_holds_at_that_hour() -> None:
    ban = rule("no telly for Lena after ten", "Lena can't have telly after ten", "lena.cannot_have", "telly after ten")
    assert in_force([ban], "can Lena watch cartoons at half ten", 0.0) == (ban,)
    assert in_force([ban], "can Lena watch cartoons at five pm", 0.0) == ()


def test_what_somebody_is_not_to_do_is_refused() -> None:
    hip = told("I'm not to bend down with the new hip", "The user is not to bend down with the new hip")
    grounds = ground("can I bend down and weed the bed", [hip], [], [], "")
    assert grounds.without_model() == "Better not: You're not to bend down with the new hip."
