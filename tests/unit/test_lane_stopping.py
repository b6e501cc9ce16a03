"""Work in the lane that is stopped in the middle, given up, or over its limits."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Generator
from contextlib import aclosing

import pytest
from lane_works import busy, collect, counting, settle

from firmware_bridge.errors import ModelBusy, ModelTooSlow
from firmware_bridge.lane import ComputeLane, Limits, Priority


@pytest.fixture
async def lane() -> AsyncIterator[ComputeLane]:
    async with ComputeLane() as lane:
        yield lane


class Stoppable:
    """A native computation that looks at a flag, as llama.cpp does, and goes on until it is `over`."""

    def __init__(self) -> None:
        self.flag = threading.Event()
        self.over = threading.Event()
        self.begun = self.stopped = 0

    def steps(self) -> Generator[str | None, None, None]:
        while True:
            self.begun += 1
            while not self.flag.wait(0.01):
                if self.over.is_set():
                    yield "done"
                    return
            self.stopped += 1
            yield None

    async def has_begun(self, times: int = 1) -> None:
        while self.begun < times:
            await asyncio.sleep(0.005)


async def background(lane: ComputeLane, work: Stoppable, kin: str = "") -> list[str]:
    return [piece async for piece in lane.stream(Priority.MEMORY, work.steps, interrupt=work.flag, kin=kin)]


async def test_urgent_work_stops_a_step_in_the_middle_and_the_step_is_run_again(lane: ComputeLane) -> None:
    work = Stoppable()
    task = asyncio.create_task(background(lane, work))
    await work.has_begun()
    await lane.run(Priority.LIVE, lambda: None)
    await work.has_begun(2)
    work.over.set()
    assert await task == ["done"]
    assert work.stopped == 1


async def test_urgent_work_lets_a_step_of_its_kin_end(lane: ComputeLane) -> None:
    work = Stoppable()
    task = asyncio.create_task(background(lane, work, "kitchen"))
    await work.has_begun()
    live = asyncio.create_task(collect(lane, Priority.LIVE, counting("l", 1, []), kin="kitchen"))
    await settle()
    work.over.set()
    assert await live == ["l0"]
    assert await task == ["done"]
    assert work.stopped == 0


async def test_work_that_is_always_stopped_is_left_alone_in_the_end(lane: ComputeLane) -> None:
    work = Stoppable()
    task = asyncio.create_task(background(lane, work))
    for times in (1, 2, 3, 4):
        await work.has_begun(times)
        await lane.run(Priority.LIVE, lambda: None)
    await work.has_begun(5)
    waiting = asyncio.create_task(lane.run(Priority.LIVE, lambda: None))
    await settle()
    work.over.set()
    assert await task == ["done"]
    await waiting
    assert work.stopped == 4


async def test_nothing_of_idle_time_begins_while_the_lane_is_reserved(lane: ComputeLane) -> None:
    work = Stoppable()
    with lane.reserved():
        task = asyncio.create_task(background(lane, work))
        await lane.run(Priority.REST, lambda: None)
        await lane.run(Priority.LIVE, lambda: None)
        assert work.begun == 0
        leaving = asyncio.create_task(background(lane, work))
        await settle()
        leaving.cancel()
        await asyncio.wait([leaving])
    work.over.set()
    assert await task == ["done"]


async def test_what_nobody_wants_any_more_is_stopped_in_the_middle(lane: ComputeLane) -> None:
    work = Stoppable()

    async def live() -> None:
        async for _ in lane.stream(Priority.LIVE, work.steps, interrupt=work.flag):
            pass

    task = asyncio.create_task(live())
    await work.has_begun()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await lane.run(Priority.LIVE, lambda: work.stopped) == 1


async def test_the_wait_for_the_lane_has_an_end(lane: ComputeLane) -> None:
    gate, blocker = await busy(lane)
    with pytest.raises(ModelBusy):
        await lane.run(Priority.MEMORY, lambda: None, limits=Limits(wait=0.05))
    gate.open()
    await blocker
    assert await lane.run(Priority.MEMORY, lambda: 1) == 1


async def test_work_has_an_end_even_within_a_step_and_the_lane_goes_on(lane: ComputeLane) -> None:
    work = Stoppable()
    with pytest.raises(ModelTooSlow):
        async for _ in lane.stream(Priority.LIVE, work.steps, interrupt=work.flag, limits=Limits(work=0.1)):
            pass
    assert await lane.run(Priority.MEMORY, lambda: work.stopped) == 1


async def test_time_spent_waiting_for_others_does_not_count_as_work(lane: ComputeLane) -> None:
    def short() -> Generator[str, None, None]:
        yield "one"
        yield "two"

    async def pause() -> list[str]:
        pieces = []
        async with aclosing(lane.stream(Priority.MEMORY, short, limits=Limits(work=2.0))) as stream:
            async for piece in stream:
                pieces.append(piece)
                await lane.run(Priority.LIVE, lambda: time.sleep(1.1))
        return pieces

    assert await pause() == ["one", "two"]
