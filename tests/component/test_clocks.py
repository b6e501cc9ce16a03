from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from clocks import NOON, YEAR, Machine, live

from edge_memory.clock import HouseClock


def test_a_wrong_clock_does_no_harm(tmp_path: Path) -> None:
    outcome = asyncio.run(live(tmp_path / "memory.db", sessions=12, seed=3))
    assert outcome.turns == 12 * 8
    assert outcome.is_clean, outcome


def test_a_new_file_on_a_machine_without_a_clock_begins_when_this_was_released() -> None:
    machine = Machine(error=-NOON, is_set=False)
    clock = machine.clock()
    assert clock.start(None, None) is not None
    assert 1_767_000_000.0 < clock() < NOON
    machine.error = 80 * YEAR
    assert clock.settle() is None
    machine.set_clock()
    shift = clock.settle()
    assert shift is not None
    assert clock() == pytest.approx(NOON)
    assert shift.until + shift.by == pytest.approx(NOON)


def test_a_machine_without_network_is_believed_within_a_year() -> None:
    machine = Machine(error=0.9 * YEAR, is_set=False)
    clock = machine.clock()
    clock.start(NOON, None)
    assert clock() == pytest.approx(NOON + 0.9 * YEAR)


def test_the_real_clock_is_the_one_of_this_machine() -> None:
    assert abs(HouseClock()() - time.time()) < 1.0
