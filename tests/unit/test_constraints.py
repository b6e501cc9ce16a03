"""Hard constraints: whom they bind, and what goes against them."""

from __future__ import annotations

import time

import pytest

from edge_memory.records import Kind, Layer, Priority, Record
from firmware_bridge.turn.english.binding import with_kin
from firmware_bridge.turn.english.constraints import in_force, names, touched

RELATIONS = {"daughter": ("Mia",), "son": ("Tom",), "brother": ("Jon Bell",)}


def rule(text: str, key: str, value: str) -> Record:
    return Record(Layer.PROFILE, Kind.POLICY, text, key=key, value=value, priority=Priority.CRITICAL)


MIA = rule("Mia is allergic to peanuts", "mia.allergy", "peanuts")


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("can I make my daughter a peanut butter sandwich", True),
        ("can my daughter have some satay", True),
        ("can my kids have some satay", True),
        ("can I give Mia some satay", True),
        ("can my son have some satay", False),
        ("can I have some satay", False),
    ],
)
def test_a_kin_word_stands_for_the_one_it_names(text: str, bound: bool) -> None:
    [known] = with_kin([MIA], RELATIONS)
    assert names(known, text) is bound


def test_without_a_relation_only_the_name_does() -> None:
    [known] = with_kin([MIA], {})
    assert not names(known, "can my daughter have some satay")


def order(text: str) -> Record:
    return rule(text, "rule.never", text)


@pytest.mark.parametrize(
    ("told", "asked", "kept"),
    [
        ("Never wake the user before seven", "wake me at six", True),
        ("Never wake the user before seven", "set an alarm for 6 am", True),
        ("Never wake the user before seven", "wake me up at 6:30 tomorrow morning", True),
        ("Never wake the user before seven", "wake me at a quarter to seven", True),
        ("Never wake the user before seven", "wake me at half past six", True),
        ("Never wake the user before seven", "wake me at seven thirty", False),
        ("Never wake the user before seven", "set an alarm for 6 pm", False),
        ("Never wake the user before seven", "remind me to feed the cat at six", False),
        ("Never play music after ten at night", "play some jazz at eleven tonight", True),
        ("Never play music after ten at night", "play some jazz at nine tonight", False),
        ("Don't ever call the user's mother", "call my mum", True),
        ("Don't ever call the user's mother", "ring my mother please", True),
        ("Don't ever call the user's mother", "call my brother", False),
        ("Never turn the heating above 20", "set the heating to 23", True),
        ("Never turn the heating above 20", "set the thermostat to twenty-five degrees", True),
        ("Never turn the heating above 20", "set the heating to 18", False),
        ("Never turn the heating above 20", "turn the heating off", False),
        ("Never order from amazon", "order me a pizza", False),
        ("Never order from amazon", "order a lamp from amazon", True),
        ("Don't let the user eat after nine", "can I have a snack at ten tonight", True),
        ("Don't let the user eat after nine", "can I have a sandwich at noon", False),
        ("Never let Carlos have figs", "can Carlos have figs", True),
        ("Never let Carlos have figs", "can he have figs", True),
        ("Never let Carlos have figs", "can I give him figs", True),
        ("Never let Carlos have figs", "can I have figs for Carlos", True),
        ("Never let Carlos have figs", "can I have figs", False),
        ("Never let Carlos have figs", "can I sit here", False),
        ("Never give the user's nephew figs", "can I have a fig", False),
        ("Never let the user have figs", "can I have figs", True),
    ],
)
def test_an_order_holds_for_its_action_and_within_its_limit(told: str, asked: str, kept: bool) -> None:
    assert names(order(told), asked) is kept


@pytest.mark.parametrize(
    ("asked", "hour", "holds"),
    [("wake me in two hours", 2, True), ("wake me in two hours", 9, False), ("wake me tomorrow", 10, False)],
)
def test_the_hour_of_a_wish_is_compared_with_the_orders(asked: str, hour: int, holds: bool) -> None:
    said_at = time.mktime((2026, 5, 4, hour, 0, 0, 0, 0, -1))
    assert bool(in_force([order("Never wake the user before seven")], asked, said_at)) is holds


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("The user is allergic to shellfish", "can I have the seafood platter"),
        ("The user is allergic to shellfish", "can I have some calamari"),
        ("The user is vegan", "shall I order the bouillabaisse"),
        ("The user is vegan", "can I have clam chowder"),
        ("The user never drinks alcohol", "pour me a shandy"),
        ("The user never drinks alcohol", "can I have a glass of rioja"),
        ("The user doesn't drink alcohol", "I'd like a spritz"),
        ("The user eats no pork", "can I have a hot dog"),
        ("The user is coeliac", "can I have naan with it"),
        ("The user has a nut allergy", "can I have pad thai"),
        ("The user is allergic to penicillin", "can I take co-amoxiclav"),
    ],
)
def test_what_belongs_to_the_forbidden_is_named(told: str, asked: str) -> None:
    assert names(rule(told, "user.diet", ""), asked)


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("can I have the zarzuela", True),
        ("shall we try the new one", True),
        ("what should I have", True),
        ("can I have a word with you", False),
        ("is it warm outside", False),
        ("can I skip my dose", True),
    ],
)
def test_what_one_cannot_have_stands_before_any_question_about_having(asked: str, near: bool) -> None:
    allergy = rule("The user is allergic to shellfish", "user.allergy", "shellfish")
    assert bool(touched([allergy], asked)) is near
