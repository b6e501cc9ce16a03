"""What the garbage collector of a running companion leaves alone."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from firmware_bridge.app import heap


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def test_what_a_companion_lives_on_is_not_looked_through_again() -> None:
    lived_on = [{"made": "at the start"}]
    heap.settle()
    assert not any(one is lived_on for one in gc.get_objects())
    assert gc.get_freeze_count() > 0


def test_what_comes_later_is_still_collected() -> None:
    heap.settle()
    circle: list[object] = []
    circle.append(circle)
    del circle
    assert gc.isenabled()
    assert gc.collect() > 0
