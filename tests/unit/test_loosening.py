"""What loosens what somebody may not have, or alters what they take or pay: asked about, whatever words tell it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from edge_memory.observe.english.contradictions.risks import endangers
from edge_memory.observe.english.people import Household, introduced
from edge_memory.observe.languages import read_statements
from edge_memory.observe.statement import Context
from edge_memory.records import Kind, Layer, Record

HOUSE = Household().joined_by(introduced("my daughter Jana, my brother Olaf and my wife Berit"))


def record(told: str) -> Record:
    """The record of the last statement that `told` makes."""
    statement = read_statements(told, Context(HOUSE))[-1]
    key = statement.slot.key if statement.slot else None
    value = statement.slot.value if statement.slot else None
    return replace(Record(Layer.PROFILE, Kind.FACT, statement.text, key=key, value=value, source_excerpt=told), id=1)


def asks(said: str, told: str) -> bool:
    return any(endangers(one, record(told), said) for one in read_statements(said, Context(HOUSE)))


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("my daughter Jana is allergic to sesame", "Jana wolfed down a sesame bun at the fair"),
        ("my daughter Jana is allergic to sesame", "we let Jana try a bit of sesame and nothing came of it"),
        ("my brother Olaf is allergic to shellfish", "Olaf had a crab roll with no bother"),
        ("Olaf can't have dairy", "Olaf has been on ordinary milk since Easter"),
        ("Olaf must never have salt", "Olaf is allowed a pinch of salt again"),
        ("my wife Berit is coeliac", "Berit has been eating ordinary bread for a month"),
        ("my wife Berit is diabetic", "Berit's diabetes is in remission"),
        ("I'm allergic to latex", "I wore latex gloves all day and not a mark on me, so that allergy is finished"),
        ("wasp stings make my lip swell", "I was stung by a wasp and it was nothing"),
        ("I take ramipril every morning", "I have the ramipril at night"),
        ("Berit is on insulin, twelve units at night", "Berit is on sixteen units at night"),
        ("Olaf takes warfarin", "we are trying Olaf without the warfarin"),
        ("our rent is nine hundred a month", "our rent is nine fifty from June"),
        ("Olaf is on a low salt diet", "Olaf is back on salt"),
    ],
)
def test_what_loosens_is_asked_about(told: str, said: str) -> None:
    assert asks(said, told)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("my daughter Jana is allergic to sesame", "Jana came out in hives after a sesame bun"),
        ("my daughter Jana is allergic to sesame", "Olaf eats sesame every day"),
        ("my daughter Jana is allergic to sesame", "Jana has swimming on Fridays"),
        ("my daughter Jana is allergic to sesame", "we got Jana a sesame-free cake"),
        ("Olaf can't have dairy", "Olaf has oat milk on his porridge"),
        ("Olaf can't have dairy", "Olaf can't have eggs either"),
        ("Olaf must never have salt", "Olaf's salt lamp is in the hall"),
        ("Olaf can't have dairy", "Olaf sells cheese at the market"),
        ("my wife Berit is diabetic", "Berit has her diabetes check on Tuesday"),
        ("I'm allergic to latex", "Berit wears latex gloves at work"),
        ("I take ramipril every morning", "I go running every morning"),
        ("I take ramipril every morning", "I collect my ramipril on Fridays"),
        ("Olaf takes warfarin", "Olaf's warfarin is in the drawer"),
        ("our rent is nine hundred a month", "our rent is due on the first"),
    ],
)
def test_what_is_as_strict_or_of_another_matter_is_not(told: str, said: str) -> None:
    assert not asks(said, told)
