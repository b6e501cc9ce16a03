"""How likely a wish goes against what was told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from edge_memory.recall import Positions
from edge_memory.records import Kind, Layer, Priority, Record
from firmware_bridge.turn.english.touching import FITTED_TO, chances, fitted, is_wish, may_bind, signals

FAR, NEAR = np.eye(384, dtype=np.float32)[:2]


def told(number: int, text: str, *, is_hard: bool = False) -> Record:
    priority = Priority.HIGH if is_hard else Priority.NORMAL
    return replace(Record(Layer.PROFILE, Kind.POLICY, text, priority=priority), id=number)


BAN, FACT = told(1, "The harp must not be moved", is_hard=True), told(2, "The user lives in Moss")
LAID = Positions(FITTED_TO, NEAR, {1: NEAR, 2: FAR})


@pytest.mark.parametrize(
    ("text", "wished"),
    [
        ("shall I carry the harp upstairs", True),
        ("a bowl of figs for me", True),
        ("Odile wants to borrow the harp", True),
        ("give Odile the harp", True),
        ("where is the harp", False),
        ("who plays the harp", False),
        ("my niece Odile plays the harp", False),
        ("never let anyone move the harp", False),
    ],
)
def test_what_is_wanted_is_told_from_what_is_told_and_asked(text: str, wished: bool) -> None:
    assert is_wish(text) is wished


@pytest.mark.parametrize(
    ("record", "bans"),
    [(BAN, True), (FACT, False), (told(3, "The blue cup is only for Odile"), True), (told(4, "Odile plays"), False)],
)
def test_what_may_bind_is_hard_or_tells_what_is_not_to_be(record: Record, bans: bool) -> None:
    assert may_bind(record) is bans


def test_the_weights_are_of_the_signals_and_of_the_traits_of_both_texts() -> None:
    found = [list(row) for row in signals("shall I move the harp", (BAN, FACT), NEAR, LAID.records)]
    assert found[0] == found[1]
    assert len(fitted().weights) == len(found[0]) + 2 * len(fitted().axes)


def test_a_ban_that_is_near_is_likelier_than_a_fact_that_is_far() -> None:
    ban, fact = chances("shall I move the harp", (BAN, FACT), LAID)
    assert 1 > ban > 0.5 > fact > 0


def test_what_has_no_vector_counts_as_far() -> None:
    near, _ = chances("shall I move the harp", (BAN, FACT), LAID)
    far, _ = chances("shall I move the harp", (BAN, FACT), replace(LAID, records={2: FAR}))
    assert far < near


def test_nothing_is_likely_where_nothing_was_told() -> None:
    assert chances("shall I move the harp", (), LAID) == []
