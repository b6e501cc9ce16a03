"""What a change ends in other words than it was told in: what is weighed, and what no likelihood ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from edge_memory.observe.english.contradictions.likelihood import Candidate, fitted, likely_ended, may_end, signals
from edge_memory.observe.languages import read_statements
from edge_memory.observe.nearness import Nearness
from edge_memory.observe.statement import Statement
from edge_memory.protocols import Vectors
from edge_memory.records import Kind, Layer, Record


def record(text: str, key: str | None = None, id_: int = 1) -> Record:
    return replace(Record(Layer.PROFILE, Kind.FACT, text, key=key, source_excerpt=text), id=id_)


def stated(said: str) -> Statement:
    (statement,) = read_statements(said)
    return statement


def vector(cosine: float) -> Vectors:
    """A unit vector that is this near to `vector(1.0)`."""
    found = np.zeros(fitted().mean.shape, dtype=np.float32)
    found[:2] = cosine, np.sqrt(1.0 - cosine**2)
    return found


def near(said: str, cosines: Sequence[float]) -> Nearness:
    return Nearness(dict(enumerate(cosines, start=1)), vector(1.0), vector(1.0), said)


def candidates(told: Sequence[str], cosines: Sequence[float]) -> list[Candidate]:
    both = enumerate(zip(told, cosines, strict=True), start=1)
    return [Candidate(record(text, id_=id_), vector(cosine)) for id_, (text, cosine) in both]


@pytest.mark.parametrize(
    ("said", "before"),
    [
        ("Olaf has moved to Bergen", "The user's brother is called Olaf"),
        ("Olaf has quit the choir", "Olaf is allergic to kiwis"),
        ("Olaf has quit the choir", "Greta sings in the choir on Mondays"),
        ("Olaf is thinking of selling the boat", "Olaf's boat is in the harbour"),
        ("Olaf has quit the choir", "Olaf's birthday is on the ninth of May"),
        ("Olaf has also joined the choir", "Olaf sings in the band"),
        ("Olaf has sold the geese", "Olaf keeps geese and hens"),
        ("Olaf has quit the choir", "Olaf went to the fair"),
        ("The user waters the cactus on Fridays", "The user waters the ferns on Mondays"),
        ("The cellar door is blue", "The garage door is green"),
        ("The tap in the bathroom drips", "The tap in the kitchen drips"),
        ("The user bought a sledge", "The user bought a tent"),
        ("The user got the fiddle back", "The user teaches the fiddle"),
        ("The user doesn't like fennel", "The user doesn't like chard"),
        ("The user plays chess in the club", "Chess club is on Mondays"),
    ],
)
def test_what_no_likelihood_ends(said: str, before: str) -> None:
    assert not may_end(stated(said), record(before))


def test_the_nearer_and_the_more_alike_is_likelier() -> None:
    said = "the knitting circle has folded"
    told = ["The user goes to the knitting circle on Thursdays", "The piano is by the window"]
    rows = list(signals(stated(said), near(said, [0.7, 0.2]), candidates(told, [0.7, 0.2]), fitted()))
    first, second = (np.array(list(row.values())) @ fitted().weights for row in rows)
    assert first > second


def test_each_signal_has_its_weight() -> None:
    said = "Olaf has quit the choir"
    (row,) = signals(stated(said), near(said, [0.5]), candidates(["Olaf sings"], [0.5]), fitted())
    assert len(row) == len(fitted().weights)


def test_without_vectors_nothing_is_likely() -> None:
    said = "the knitting circle has folded"
    told = candidates(["The user goes to the knitting circle on Thursdays"], [0.9])
    assert list(likely_ended(stated(said), Nearness(), told)) == []
    assert list(likely_ended(stated(said), near(said, []), [])) == []
