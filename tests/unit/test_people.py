from __future__ import annotations

import pytest

from edge_memory.observe import read_statements
from edge_memory.observe.english.people import Household, introduced
from edge_memory.observe.statement import Context

HOUSE = Context(Household({"aunt": ("Ingrid",), "son": ("Jan", "Piotr")}, frozenset({"ingrid", "jan", "piotr"})))


@pytest.mark.parametrize(
    ("clause", "people"),
    [
        ("my aunt Ingrid keeps hens", [("Ingrid", "aunt")]),
        ("my eldest is Ingrid", [("Ingrid", "eldest")]),
        ("my aunt is Norwegian", []),
        ("my mother in law keeps hens", []),
        ("my aunt ingrid keeps hens", [("ingrid", "aunt")]),
        ("our dog's name is Trym", [("Trym", "dog")]),
        ("we have a cat called trym", [("trym", "cat")]),
        ("we have two sons, jan and piotr", [("jan", "son"), ("piotr", "son")]),
        ("we have three children jan piotr and olga", [("jan", "child"), ("piotr", "child"), ("olga", "child")]),
        ("i have a little brother jan", [("jan", "brother")]),
        ("the cleaner is called berit", [("berit", "cleaner")]),
        ("my friends bo and trym", [("bo", "friend"), ("trym", "friend")]),
        ("my friends love figs and dates", []),
        ("ingrid's boy trym mows the grass", [("trym", None)]),
        ("i met somebody called trym", [("trym", None)]),
        ("i have a friend visiting", []),
        ("my aunt keeps hens", []),
        ("my brother yesterday broke the mast", []),
        ("I had lunch with my aunt", []),
    ],
)
def test_who_is_introduced(clause: str, people: list[tuple[str, str]]) -> None:
    assert [(person.name, person.kin) for person in introduced(clause)] == people


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("my aunt moved to Moss", ["The user's aunt Ingrid moved to Moss"]),
        ("my son moved to Moss", ["The user's son moved to Moss"]),  # which of the two?
        ("ingrid keeps hens and she sells the eggs", ["Ingrid keeps hens", "Ingrid sells the eggs"]),
        # who is meant, and who is not
        ("ingrid rang, she and Bo have split up", ["Ingrid and Bo have split up"]),
        ("ingrid's brother is called Odd, he is in Voss", ["Ingrid's brother is called Odd", "Odd is in Voss"]),
        ("ingrid's mother is ill and she is in Voss", ["Ingrid's mother is ill", "Ingrid's mother is in Voss"]),
        ("ingrid is well. grunhilda rows, she sells eggs", ["Ingrid is well"]),
        (
            "my brother Odd is in Voss with his wife Liv",
            ["The user's brother Odd is in Voss", "Odd's wife is called Liv"],
        ),
        ("my brother is Bo", ["The user's brother is Bo"]),
        ("my brother used to row now he sails", ["The user's brother used to row", "The user's brother sails now"]),
        ("it's not Bo i work for now but Liv", ["The user works for Liv"]),
        ("its Piotr whos afraid of hens not Jan", ["Piotr is afraid of hens"]),
        ("my sons rowing lesson is at ten", ["The user's son's rowing lesson is at ten"]),
        ("Jan's wedding was moved to May", ["Jan's wedding was moved to May"]),
        (
            "Mrs Lund has died and her son is our landlord now",
            ["Mrs Lund has died", "Mrs Lund's son is the user's landlord now"],
        ),
        ("the cart's left wheel squeaks badly", ["The cart's left wheel squeaks badly"]),
        ("the pilot's left the harbour", ["The pilot has left the harbour"]),
        ("i do miss her", []),
        ("piotr rows but don't tell ingrid", ["Piotr rows but don't tell ingrid"]),
        ("ingrid's a piano tuner", ["Ingrid is a piano tuner"]),
        ("we have a dog, he's called trym", ["The user has a dog called trym"]),
        ("my wife and I moved to Moss", ["The user's wife and the user moved to Moss"]),
        ("our hens are old, their coop leaks", ["The user's hens are old", "The user's hens' coop leaks"]),
        ("the cleaner comes at nine her name is berit", ["The cleaner comes at nine", "The cleaner's name is berit"]),
        ("i'm getting a new dog, he's called trym", ["The user is getting a new dog called trym"]),
        ("we changed cleaner, it's berit", ["The user changed cleaner", "The user's new cleaner is berit"]),
        ("berit got a new number it's 55 12", ["Berit got a new number", "Berit's number is now 55 12"]),
        (
            "my son has a new address it's 4 Quay Road",
            ["The user's son has a new address", "The user's son's address is now 4 Quay Road"],
        ),
        (
            "mum had a fall so she's moved in with us",
            ["The user's mum had a fall", "The user's mum has moved in with the user"],
        ),
        (
            "my missus works at the mill, she's a fitter",
            ["The user's missus works at the mill", "The user's missus is a fitter"],
        ),
        ("I can't have walnuts; it tastes of soap", ["The user can't have walnuts"]),
        (
            "our midwife is on leave, so my midwife is Solveig now",
            ["The user's midwife is on leave", "The user's midwife is Solveig now"],
        ),
        ("she sings", []),
    ],
)
def test_who_is_meant(said: str, told: list[str]) -> None:
    assert [statement.text for statement in read_statements(said, HOUSE)] == told


def test_she_may_be_whom_the_turn_before_named() -> None:
    before = Context(HOUSE.household, "my aunt ingrid keeps hens")
    assert [statement.text for statement in read_statements("she also sells eggs", before)] == [
        "Ingrid also sells eggs"
    ]


def test_he_is_no_aunt_and_she_outlives_nothing() -> None:
    assert read_statements("he sells eggs", Context(HOUSE.household, "my aunt keeps hens")) == []
    assert read_statements("it tastes of soap", Context(HOUSE.household, "my aunt keeps hens")) == []


def test_one_sentence_may_hold_several_facts() -> None:
    told = [statement.text for statement in read_statements("I live in Moss with my wife Kari")]
    assert told == ["The user lives in Moss", "The user lives with the user's wife Kari"]
