from __future__ import annotations

import pytest

from edge_memory.observe import statement_of
from edge_memory.observe.arbitrate import Verb, arbitrate
from edge_memory.observe.english.reading import read_statements
from edge_memory.observe.statement import Statement
from edge_memory.records import Kind, Layer, Record, Status


def said(sentence: str) -> Statement:
    (statement,) = read_statements(sentence)
    return statement


def believed(sentence: str, status: Status = Status.ACTIVE) -> Record:
    statement = said(sentence)
    slot = statement.slot
    return Record(
        Layer.PROFILE, Kind.FACT, statement.text, slot and slot.key, value=slot and slot.value, id=7, status=status
    )


@pytest.mark.parametrize(
    ("before", "now", "verb"),
    [
        ("I live in Bergen", "I moved to Oslo", Verb.SUPERSEDE),
        ("I live in Bergen", "I moved to Bergen", Verb.NOOP),
        ("I'm allergic to walnuts", "I'm allergic to bees", Verb.INSERT),
        ("I'm allergic to walnuts", "I have a walnuts allergy", Verb.NOOP),
        ("my name is Ola", "my name is Kari", Verb.MARK_PENDING),
        ("I work at the harbour", "I quit the harbour", Verb.EXPIRE),
        ("I work at the harbour", "I quit the choir", Verb.INSERT),
        ("I'm allergic to walnuts", "I'm not allergic to walnuts any more", Verb.MARK_PENDING),
        ("I live in Bergen", "I also live in Oslo", Verb.INSERT),
        ("I prefer tea over milk", "I prefer milk over tea", Verb.INSERT),
    ],
)
def test_a_statement_meets_its_slot(before: str, now: str, verb: Verb) -> None:
    mate = believed(before)
    ruling = arbitrate(said(now), [mate], [])
    assert ruling.verb is verb
    assert ruling.targets == (() if verb is Verb.INSERT else (mate,))


@pytest.mark.parametrize(
    ("before", "now", "verb"),
    [
        ("I'm allergic to walnuts", "remember that I'm not allergic to walnuts any more", Verb.MARK_PENDING),
        ("my name is Ola", "please remember my name is Kari", Verb.MARK_PENDING),
        ("I have a walnut allergy", "I don't have a walnut allergy", Verb.MARK_PENDING),
        ("I live in Bergen", "remember that I live in Oslo", Verb.SUPERSEDE),
    ],
)
def test_what_is_heard_ends_nothing_of_health_unasked(before: str, now: str, verb: Verb) -> None:
    assert arbitrate(said(now), [believed(before)], []).verb is verb


def test_what_the_owner_typed_needs_no_confirmation() -> None:
    assert arbitrate(statement_of("my name is Kari"), [believed("my name is Ola")], []).verb is Verb.SUPERSEDE


@pytest.mark.parametrize(
    ("before", "now", "same"),
    [
        ("the hens need grit", "the hens really need grit", True),
        ("the hens need grit", "the hens do not need grit", False),
        ("we have a dog named Trym", "we have a cat named Trym", False),
        ("the ferry leaves at nine", "the ferry leaves at ten", False),
    ],
)
def test_nearness_alone_never_makes_two_statements_one(before: str, now: str, same: bool) -> None:
    ruling = arbitrate(said(now), [], [believed(before)])
    assert ruling.verb is (Verb.NOOP if same else Verb.INSERT)


def test_a_record_that_is_no_longer_believed_is_no_twin() -> None:
    old = believed("the hens need grit", Status.PENDING)
    assert arbitrate(said("the hens need grit"), [], [old]).verb is Verb.INSERT
