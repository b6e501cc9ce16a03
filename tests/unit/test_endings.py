"""What a change ends in other words than it was told in, by nearness and by what both are about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from edge_memory.observe.english.contradictions.likelihood import LOOKED_AT, WEIGHTS, likely_ended, may_end, signals
from edge_memory.observe.languages import read_statements
from edge_memory.observe.statement import Statement
from edge_memory.records import Kind, Layer, Record

_NEAR, _FAR = 0.62, 0.2


def record(text: str, key: str | None = None, id_: int = 1) -> Record:
    return replace(Record(Layer.PROFILE, Kind.FACT, text, key=key, source_excerpt=text), id=id_)


def stated(said: str) -> Statement:
    (statement,) = read_statements(said)
    return statement


@pytest.mark.parametrize(
    ("said", "before"),
    [
        ("my knitting circle has folded", "The user goes to the knitting circle on Thursdays"),
        ("Olaf is letting go of the paddock", "Olaf rents the user's paddock for ninety a month"),
        ("the chimney sweep has retired", "The chimney sweep comes in the first week of October"),
    ],
)
def test_a_change_ends_what_is_nearest_to_it_and_of_one_matter(said: str, before: str) -> None:
    told = record(before)
    assert list(likely_ended(stated(said), [told], {1: _NEAR})) == [told]
    others = dict.fromkeys(range(2, 2 + LOOKED_AT), _NEAR)
    assert list(likely_ended(stated(said), [record("The piano is by the window")], {**others, 1: _FAR})) == []


@pytest.mark.parametrize(
    ("said", "before"),
    [
        ("Olaf has left the choir", "Olaf is a roofer in Bergen"),  # work and singing are two matters
        ("my brother Olaf has moved to Bergen", "The user's brother Olaf"),
        ("Olaf has quit the choir", "Olaf is allergic to kiwis"),
        ("Olaf has quit the choir", "Greta sings in the choir on Mondays"),
        ("Olaf is thinking of selling the boat", "Olaf's boat is in the harbour"),
        ("Olaf has quit the choir", "Olaf's birthday is on the ninth of May"),
    ],
)
def test_what_no_nearness_ends(said: str, before: str) -> None:
    assert not may_end(stated(said), record(before))


def test_what_is_told_as_no_change_ends_nothing() -> None:
    assert list(likely_ended(stated("Olaf takes the bus"), [record("Olaf takes the train")], {1: 0.9})) == []


def test_each_signal_has_its_weight() -> None:
    assert set(signals(stated("Olaf has quit the choir"), record("Olaf sings"), 0.5, 0)) == set(WEIGHTS)
