"""Reminders: kept, rung once, right whatever happens to clock, zone and process."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from memory_house import Clock
from reminder_house import CAT, NOON, Boot, due, remember

from edge_memory.clock import boot_time
from edge_memory.errors import TooManyReminders
from edge_memory.reminders import Wish


@pytest.fixture(autouse=True)
def zone() -> Iterator[None]:
    """Berlin, and back to what was."""
    before = os.environ.get("TZ")
    set_zone("Europe/Berlin")
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


def set_zone(name: str) -> None:
    os.environ["TZ"] = name
    time.tzset()


def local(text: str) -> datetime:
    return datetime.fromisoformat(text)


async def test_an_alarm_rings_at_its_time_also_after_a_restart(tmp_path: Path) -> None:
    clock, boot = Clock(NOON), Boot()  # 13:00 in Berlin
    async with remember(tmp_path, clock, boot) as memory:
        reminder = await memory.reminders.at(CAT, local("2026-10-31T18:00"))
        assert reminder.due_at == NOON + 5 * 3_600
    boot.reboot()
    clock.now += 5 * 3_600 - 1
    async with remember(tmp_path, clock, boot) as memory:
        assert await due(memory) == []
        clock.now += 1
        assert await due(memory) == ["feed the cat"]
        await memory.reminders.rung(reminder)
        assert await due(memory) == []
        assert [(one.state, one.rung_at) for one in await memory.reminders.all()] == [("rung", clock.now)]


async def test_six_stays_six_where_the_user_goes_and_when_summer_time_ends(tmp_path: Path) -> None:
    clock = Clock(NOON)
    async with remember(tmp_path, clock, Boot()) as memory:
        await memory.reminders.at(CAT, local("2026-11-01T06:00"))  # the clocks go back in the night before
        (reminder,) = await memory.reminders.waiting("owner")
        assert reminder.due_at == NOON + 17 * 3_600  # 05:00 UTC, after the change
        set_zone("America/New_York")  # there, it changes in that night, too
        (moved,) = await memory.reminders.waiting("owner")
        assert moved.due_at == reminder.due_at + 6 * 3_600
        clock.now = reminder.due_at
        assert await due(memory) == []
        clock.now = moved.due_at
        assert await due(memory) == ["feed the cat"]


async def test_a_time_that_summer_time_skips_comes_right_after_the_gap(tmp_path: Path) -> None:
    clock = Clock(NOON)
    async with remember(tmp_path, clock, Boot()) as memory:
        reminder = await memory.reminders.at(CAT, local("2027-03-28T02:30"))
        shown = datetime.fromtimestamp(reminder.due_at).isoformat()  # noqa: DTZ006 - local time is what is meant
        assert shown == "2027-03-28T03:30:00"


async def test_a_timer_counts_the_seconds_of_its_boot_whatever_the_clock_does(tmp_path: Path) -> None:
    clock, boot = Clock(NOON), Boot()
    async with remember(tmp_path, clock, boot) as memory:
        await memory.reminders.after(CAT, 600)
        for jump in (3_600.0, -14 * 86_400.0, 1.8e9, -NOON):  # NTP, a Pi's stale clock, far ahead, 1970
            clock.now = NOON + jump
            assert await due(memory) == []
    async with remember(tmp_path, clock, boot) as memory:  # restarted, not rebooted
        boot.passes(599)
        assert await due(memory) == []
        boot.passes(1)
        assert await due(memory) == ["feed the cat"]


async def test_after_a_reboot_a_timer_goes_by_the_clock(tmp_path: Path) -> None:
    clock, boot = Clock(NOON), Boot()
    async with remember(tmp_path, clock, boot) as memory:
        await memory.reminders.after(CAT, 600)
        boot.reboot()
        clock.now = 30.0  # 1970, until the network tells the time
        assert await due(memory) == []
        clock.now = NOON + 700
        assert await due(memory) == ["feed the cat"]


async def test_a_clock_that_jumps_neither_rings_nor_loses_what_is_far_away(tmp_path: Path) -> None:
    clock = Clock(NOON)
    async with remember(tmp_path, clock, Boot()) as memory:
        await memory.reminders.at(CAT, local("2026-11-05T18:00"))
        clock.now += 56 * 365 * 86_400
        assert await due(memory) == []
        assert [one.state for one in await memory.reminders.waiting("owner")] == ["missed"]
        clock.now = NOON
        assert [one.state for one in await memory.reminders.waiting("owner")] == ["waiting"]
        clock.now += 6 * 86_400  # the companion was off at the time, and is late by less than a day
        assert await due(memory) == ["feed the cat"]


async def test_the_machine_has_a_boot() -> None:
    first, second = boot_time(), boot_time()
    assert first.boot_id == second.boot_id
    assert 0 < first.seconds <= second.seconds


async def test_nobody_needs_more_than_two_hundred(tmp_path: Path) -> None:
    async with remember(tmp_path, Clock(NOON), Boot()) as memory:
        for _ in range(200):
            await memory.reminders.after(CAT, 60)
        with pytest.raises(TooManyReminders):
            await memory.reminders.after(CAT, 60)
        await memory.reminders.after(Wish("sam", "sleep"), 60)


async def test_what_is_forgotten_is_not_reminded_of(tmp_path: Path) -> None:
    async with remember(tmp_path, Clock(NOON), Boot()) as memory:
        await memory.learn("my cat is called Mitzi")
        await memory.reminders.after(Wish("owner", "feed Mitzi"), 60)
        await memory.reminders.after(Wish("owner", "call mum"), 60)
        await memory.forget(await memory.find_to_forget("Mitzi"))
        assert [one.text for one in await memory.reminders.waiting("owner")] == ["call mum"]
    assert b"Mitzi" not in b"".join(file.read_bytes() for file in sorted(tmp_path.iterdir()))
