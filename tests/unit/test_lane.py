"""The compute lane: who goes first, streams of steps, and who leaves early."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Generator
from contextlib import aclosing

import pytest
from lane_works import Gate, busy, collect, counting, settle

from firmware_bridge.errors import InferenceError
from firmware_bridge.lane import ComputeLane, Priority


@pytest.fixture
async def lane() -> AsyncIterator[ComputeLane]:
    async with ComputeLane() as lane:
        yield lane


async def test_work_runs_in_the_lane_thread_and_its_result_comes_back(lane: ComputeLane) -> None:
    assert await lane.run(Priority.LIVE, lambda: threading.current_thread().name) == "lobug-lane"


@pytest.mark.parametrize("error", [ValueError("no"), StopIteration("odd"), KeyboardInterrupt()])
async def test_an_exception_reaches_the_caller_and_the_lane_goes_on(lane: ComputeLane, error: BaseException) -> None:
    def fail() -> None:
        raise error

    expected = RuntimeError if isinstance(error, StopIteration) else type(error)
    with pytest.raises(expected):
        await lane.run(Priority.LIVE, fail)
    assert await lane.run(Priority.LIVE, lambda: 1) == 1


async def test_the_most_urgent_goes_first_and_equals_in_the_order_of_asking(lane: ComputeLane) -> None:
    gate, blocker = await busy(lane)
    done: list[str] = []
    wanted = [(Priority.MEMORY, "m"), (Priority.PREFILL, "p"), (Priority.LIVE, "l1"), (Priority.LIVE, "l2")]
    wanted.append((Priority.SPEECH, "s"))
    async with asyncio.TaskGroup() as group:
        for priority, name in wanted:
            group.create_task(lane.run(priority, lambda name=name: done.append(name)))
        await settle()
        gate.open()
    await blocker
    assert done == ["l1", "l2", "s", "p", "m"]


async def test_a_stream_gives_way_between_steps_and_goes_on_where_it_was(lane: ComputeLane) -> None:
    gate = Gate()
    trace: list[str] = []

    def background() -> Generator[str, None, None]:
        for number in range(4):
            trace.append(f"b{number}")
            if number == 1:
                gate.hold()
            yield f"b{number}"

    slow = asyncio.create_task(collect(lane, Priority.MEMORY, background))
    await asyncio.to_thread(gate.entered.wait)
    live = asyncio.create_task(collect(lane, Priority.LIVE, counting("l", 3, trace)))
    await settle()
    gate.open()
    assert await live == ["l0", "l1", "l2"]
    assert await slow == ["b0", "b1", "b2", "b3"]
    assert trace == ["b0", "b1", "l0", "l1", "l2", "l closed", "b2", "b3"]


async def test_equal_streams_run_one_after_the_other(lane: ComputeLane) -> None:
    gate, blocker = await busy(lane)
    trace: list[str] = []
    first = asyncio.create_task(collect(lane, Priority.MEMORY, counting("a", 2, trace)))
    second = asyncio.create_task(collect(lane, Priority.MEMORY, counting("b", 2, trace)))
    await settle()
    gate.open()
    await asyncio.gather(blocker, first, second)
    assert trace == ["a0", "a1", "a closed", "b0", "b1", "b closed"]


async def test_none_marks_a_step_and_is_not_delivered(lane: ComputeLane) -> None:
    def steps() -> Generator[int | None, None, None]:
        yield None
        yield 0
        yield None
        yield 2

    assert [piece async for piece in lane.stream(Priority.LIVE, steps)] == [0, 2]


async def test_pieces_before_an_exception_arrive_before_it(lane: ComputeLane) -> None:
    def steps() -> Generator[int, None, None]:
        yield 1
        raise ValueError("half way")

    async with aclosing(lane.stream(Priority.LIVE, steps)) as stream:
        assert await anext(stream) == 1
        with pytest.raises(ValueError, match="half way"):
            await anext(stream)


async def test_closing_a_stream_cleans_up_in_the_lane_before_anything_else(lane: ComputeLane) -> None:
    gate = Gate()
    trace: list[str] = []

    def steps() -> Generator[str, None, None]:
        try:
            yield "first"
            gate.hold()
            yield "second"
            trace.append("a step too many")
        finally:
            trace.append(f"closed in {threading.current_thread().name}")

    async with aclosing(lane.stream(Priority.MEMORY, steps)) as stream:
        assert await anext(stream) == "first"
        await asyncio.to_thread(gate.entered.wait)
        urgent = asyncio.create_task(lane.run(Priority.LIVE, lambda: trace.append("urgent")))
        asyncio.get_running_loop().call_later(0.05, gate.open)
    assert trace[0] == "closed in lobug-lane"
    await urgent
    assert trace == ["closed in lobug-lane", "urgent"]


async def test_a_consumer_that_left_before_the_failure_hears_nothing_of_it(lane: ComputeLane) -> None:
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context))

    def steps() -> Generator[int, None, None]:
        yield 1
        raise ValueError("nobody asked")

    async with aclosing(lane.stream(Priority.LIVE, steps)) as stream:
        assert await anext(stream) == 1
        await lane.run(Priority.MEMORY, lambda: None)
    await settle()
    assert complaints == []


async def test_failing_cleanup_is_logged_and_hurts_nobody(lane: ComputeLane, caplog: pytest.LogCaptureFixture) -> None:
    def steps() -> Generator[int | None, None, None]:
        try:
            yield 1
            while True:
                yield None
        finally:
            raise ValueError("in cleanup")

    async with aclosing(lane.stream(Priority.LIVE, steps)) as stream:
        await anext(stream)
    assert "abandoned computation" in caplog.text
    assert await lane.run(Priority.LIVE, lambda: 1) == 1


async def test_cancelling_the_consumer_closes_the_generator(lane: ComputeLane) -> None:
    trace: list[str] = []

    def endless() -> Generator[str | None, None, None]:
        try:
            yield "begun"
            while True:
                yield None
        finally:
            trace.append("closed")

    begun = asyncio.Event()

    async def consume() -> None:
        async with aclosing(lane.stream(Priority.MEMORY, endless)) as stream:
            async for _ in stream:
                begun.set()

    task = asyncio.create_task(consume())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert trace == ["closed"]


async def test_a_call_cancelled_while_it_waits_never_runs(lane: ComputeLane) -> None:
    gate, blocker = await busy(lane)
    ran: list[str] = []
    waiting = asyncio.create_task(lane.run(Priority.LIVE, lambda: ran.append("it ran")))
    await settle()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    gate.open()
    await blocker
    await lane.run(Priority.MEMORY, lambda: None)
    assert ran == []


async def test_a_call_cancelled_while_it_runs_ends_unobserved(lane: ComputeLane) -> None:
    gate, running = await busy(lane)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    gate.open()
    assert await lane.run(Priority.MEMORY, lambda: 1) == 1


async def test_leaving_the_lane_fails_all_who_wait_and_closes_what_has_begun() -> None:
    trace: list[str] = []
    gate = Gate()

    def held_back() -> Generator[str, None, None]:
        try:
            yield "begun"
            gate.hold()
            yield "never delivered"
        finally:
            trace.append("closed")

    async with ComputeLane() as lane:
        begun = asyncio.create_task(collect(lane, Priority.MEMORY, held_back))
        await asyncio.to_thread(gate.entered.wait)
        waiting = asyncio.create_task(lane.run(Priority.LIVE, lambda: trace.append("ran")))
        await settle()
        asyncio.get_running_loop().call_later(0.05, gate.open)
    for task in (begun, waiting):
        with pytest.raises(InferenceError, match="lane is closed"):
            await task
    assert trace == ["closed"]
    assert not any(thread.name == "lobug-lane" for thread in threading.enumerate())


async def test_a_closed_lane_takes_nothing() -> None:
    lane = ComputeLane()
    with pytest.raises(InferenceError, match="lane is closed"):
        await lane.run(Priority.LIVE, lambda: None)
    async with lane:
        pass
    with pytest.raises(InferenceError, match="lane is closed"):
        await anext(lane.stream(Priority.LIVE, counting("x", 1, [])))


async def test_the_sound_of_a_reply_goes_before_its_rest_and_other_first_words_before_both(lane: ComputeLane) -> None:
    gate = Gate()
    trace: list[str] = []

    def reply() -> Generator[str, None, None]:
        for number in range(4):
            trace.append(f"word {number}")
            if number == 1:
                gate.hold()
            yield f"word {number}"

    async def listen() -> None:
        async with aclosing(lane.stream(Priority.LIVE, reply, then=Priority.REST)) as stream:
            async for _ in stream:
                pass

    first = asyncio.create_task(listen())
    await asyncio.to_thread(gate.entered.wait)
    sound = asyncio.create_task(lane.run(Priority.SPEECH, lambda: trace.append("sound")))
    other = asyncio.create_task(lane.run(Priority.LIVE, lambda: trace.append("other")))
    await settle()
    gate.open()
    await asyncio.gather(first, sound, other)
    assert trace == ["word 0", "word 1", "other", "sound", "word 2", "word 3"]


async def test_it_tells_what_waits(lane: ComputeLane) -> None:
    gate, blocker = await busy(lane)
    waiting = asyncio.create_task(lane.run(Priority.PREFILL, lambda: None))
    await settle()
    assert lane.waiting() == {Priority.MEMORY: 1, Priority.PREFILL: 1}
    gate.open()
    await asyncio.gather(blocker, waiting)
    await lane.run(Priority.LIVE, lambda: None)
