"""What is asked for in other words than "can I", and what by rule is said to it."""

from __future__ import annotations

import pytest
from told_records import rule

from firmware_bridge.turn.english.grounding import ground
from firmware_bridge.turn.english.ideas import idea_for
from firmware_bridge.turn.english.requests import asks_leave, asks_suggestion

NED = rule("Ned is allergic to sesame", "Ned is allergic to sesame", "ned.allergy", "sesame")
UNA = rule("Una is vegan", "Una is vegan", "una.diet", "vegan")
USER = rule("I can't have ibuprofen", "The user can't have ibuprofen", "user.cannot_have", "ibuprofen")
OATS = rule("Never feed Bo oats", "Never feed Bo oats", "rule.never", "feed Bo oats")
LATE = rule("Never ring Una after nine", "Never ring Una after nine", "rule.never", "ring Una after nine")
ALL = (NED, UNA, USER, OATS, LATE)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            "what can I pack Ned for the museum",
            "Careful: Ned is allergic to sesame. How about apple slices and carrot sticks?",
        ),
        ("what would Una like for supper", "Careful: Una is vegan. How about baked potatoes with beans?"),
        ("which cheese shall I get for Una", "Better not: Una is vegan."),
        ("is houmous alright for Ned", "Better not: Ned is allergic to sesame."),
        ("Una, could she have an omelette", "Better not: Una is vegan."),
        ("my knee aches, what can I take", "Careful: You can't have ibuprofen."),
        ("is Nurofen fine for me", "Better not: You can't have ibuprofen."),
        ("what treat can I give Bo", 'You told me: "Never feed Bo oats".'),
        ("what'll I make when Una comes over", "Careful: Una is vegan. How about baked potatoes with beans?"),
        ("what time can I ring Una", 'You told me: "Never ring Una after nine".'),
    ],
)
def test_a_wish_that_comes_near_a_constraint_is_told_of_it_by_rule(asked: str, told: str) -> None:
    assert ground(asked, [], ALL, [], "").without_model() == told


@pytest.mark.parametrize(
    "asked",
    ["what can I wear to the match", "can Ned watch the match", "how was your day", "shall I take Ned to the zoo"],
)
def test_what_touches_nothing_is_left_to_the_model(asked: str) -> None:
    assert not ground(asked, [], ALL, [], "").constraints


def test_what_binds_one_is_not_held_against_another() -> None:
    dry = rule("Ned doesn't drink", "Ned doesn't drink", "ned.never", "drink")
    assert ground("shall we get Ned a few cans", [], [dry], [], "").refused
    assert not ground("can Granny have a brandy", [], [dry], [], "").constraints


def test_what_somebodys_doctor_says_binds_them() -> None:
    told = rule("Aunt Una's doctor says no liver", "Aunt Una's doctor says no liver", "una.never", "liver")
    assert ground("Aunt Una wants some liver, can I give her that", [], [told], [], "").refused
    assert not ground("can I have some liver", [], [told], [], "").constraints


def test_playing_is_no_music_and_putting_no_play() -> None:
    orders = [
        rule(text, text, "rule.never", text)
        for text in ("Never let Ned play by the road", "Don't play polka when Una is here")
    ]
    assert not ground("what can I put in Ned's school bag", [], orders, [], "").constraints
    assert ground("can Ned play by the road", [], orders, [], "").constraints == (orders[0],)
    assert ground("Una is here, put some polka on", [], orders, [], "").constraints == (orders[1],)


def test_a_loan_is_money_by_any_name() -> None:
    order = rule("don't lend Ivo money", "Don't lend Ivo money", "rule.never", "lend Ivo money")
    assert ground("Ivo wants fifty pounds, can I give him that", [], [order], [], "").refused
    assert not ground("can I give Ivo the ladder", [], [order], [], "").constraints


def test_nobody_is_given_an_idea_that_one_of_several_may_not_have() -> None:
    assert idea_for("what shall I cook", [frozenset({"rice"}), frozenset({"potatoes"})]) == "a vegetable soup"
    assert not idea_for("what shall I cook", [frozenset({"rice", "baked", "vegetable"})])
    assert not idea_for("what shall I wear", [])


def test_an_unknown_kind_of_food_gets_no_idea() -> None:
    additives = rule("Ned can't have additives", "Ned can't have additives", "ned.cannot_have", "additives")
    told = ground("what can I cook for Ned", [], [additives], [], "").without_model()
    assert told == "Careful: Ned can't have additives."


@pytest.mark.parametrize("asked", ["what time does the shop close", "what did we cook last week", "I made soup"])
def test_what_asks_for_nothing_is_no_request(asked: str) -> None:
    assert not asks_leave(asked)
    assert not asks_suggestion(asked)
