from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from clocks import NOON, YEAR, Machine, live
from disks import OnDisk
from faults import FailingDisk, Fault
from memory_house import say

from edge_memory.clock import HouseClock
from edge_memory.errors import StoreFull
from edge_memory.memory import Memory


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
    before = time.time()
    assert before - 1.0 <= HouseClock()() <= time.time() + 1.0


async def test_what_could_not_be_dated_anew_at_once_is_later(tmp_path: Path) -> None:
    disk, machine = FailingDisk(), Machine(error=-NOON, is_set=False)
    vfs = OnDisk(disk)
    try:
        clock = machine.clock()
        async with Memory(tmp_path / "memory.db", serve=True, clock=clock) as memory:
            await memory.dating.start(clock)
            await say(memory, "t1", "my sister Nora lives in Hull", at=clock())
            machine.set_clock()
            disk.fault = Fault(disk.operations, full=True, lasting=True)
            with pytest.raises(StoreFull):
                await memory.dating.settle(clock)
            disk.fault = None
            await memory.dating.settle(clock)
            (turn,) = await memory.turns(None, 1)
    finally:
        vfs.unregister()
    assert turn["created_at"] == pytest.approx(NOON)
