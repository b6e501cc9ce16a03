"""The compute lane: one thread runs all heavy native work, the most urgent first.

Native model code keeps every core busy and waits by spinning, so two heavy calls at once are many times slower
than one after the other. Whatever computes for longer than a few milliseconds therefore runs here, in steps. Between
two steps the lane turns to more urgent work, and later goes on where it was.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from enum import IntEnum
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from firmware_bridge.errors import InferenceError

T = TypeVar("T")
R = TypeVar("R")

log = logging.getLogger(__name__)


class Priority(IntEnum):
    """How urgent a piece of work is; the lowest number goes first."""

    LIVE = 0  # somebody waits for an answer
    SPEECH = 1  # the sound of that answer
    PREFILL = 2  # reading ahead for the next turn
    MEMORY = 3  # digesting earlier turns


class ComputeLane:
    """Async context manager around the lane's thread. Equal priorities are served in the order of asking.

    Leaving the context ends the step that is running, fails all other work with InferenceError and joins the thread.
    """

    def __init__(self) -> None:
        self._jobs: list[_Job[Any, Any]] = []
        self._changed = threading.Condition()
        self._open = False
        self._numbers = itertools.count()
        self._thread = threading.Thread(target=self._work, name="lobug-lane", daemon=False)

    async def __aenter__(self) -> Self:
        self._open = True
        self._thread.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._open = False
            self._changed.notify()
        await asyncio.to_thread(self._thread.join)

    async def run(self, priority: Priority, fn: Callable[[], T]) -> T:
        """What `fn` returns or raises; it runs in the lane thread, in one step.

        If the caller is cancelled, a call not yet begun never runs; one that has begun ends unobserved. Raises
        InferenceError when the lane is closed.
        """

        def once() -> Generator[None, None, T]:
            yield from ()
            return fn()

        job: _Job[None, T] = self._admit(priority, once)
        try:
            return await job.ended
        finally:
            self._abandon(job)

    async def stream(
        self, priority: Priority, make_steps: Callable[[], Generator[T | None, None, None]]
    ) -> AsyncGenerator[T]:
        """What the generator yields, except None, which only marks the end of a step.

        `make_steps` and each `next()` run in the lane thread, without waiting for the consumer: what it has not taken
        yet is kept. Closing this iterator, or cancelling its consumer, closes the generator in the lane thread before
        any other step runs, and waits for that. Raises InferenceError when the lane is closed.
        """
        job = self._admit(priority, make_steps)
        try:
            while (piece := await job.pieces.get()) is not None:
                yield piece
            await job.ended
        finally:
            self._abandon(job)
            await asyncio.wait([job.ended])
            if not job.ended.cancelled():
                job.ended.exception()  # seen, even if the consumer left before it came to it

    def _admit(self, priority: Priority, make_steps: Callable[[], Generator[T | None, None, R]]) -> _Job[T, R]:
        with self._changed:
            if not self._open:
                raise _closed()
            job = _Job((priority, next(self._numbers)), make_steps)
            self._jobs.append(job)
            self._changed.notify()
        return job

    def _abandon(self, job: _Job[Any, Any]) -> None:
        with self._changed:
            job.abandoned = True
            self._changed.notify()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            if job.abandoned:
                job.close()
            elif job.step():
                continue
            with self._changed:
                self._jobs.remove(job)
        for job in self._jobs:
            job.close(_closed())
        self._jobs.clear()

    def _next(self) -> _Job[Any, Any] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._jobs or not self._open)
            if not self._open:
                return None
            return min(self._jobs, key=lambda job: (not job.abandoned, job.order))


class _Job(Generic[T, R]):
    """A generator on its way through the lane. Made in the event loop; stepped and closed in the lane thread."""

    def __init__(self, order: tuple[Priority, int], make_steps: Callable[[], Generator[T | None, None, R]]) -> None:
        self.order = order
        self.abandoned = False
        self.pieces: asyncio.Queue[T | None] = asyncio.Queue()  # None: there will be no more
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[R] = self._loop.create_future()
        self._make_steps = make_steps
        self._steps: Generator[T | None, None, R] | None = None

    def step(self) -> bool:
        """Runs to the next boundary. False when there is nothing left to run."""
        try:
            if self._steps is None:
                self._steps = self._make_steps()
            piece = next(self._steps)
        except StopIteration as end:
            self._tell(self._finish, end.value, None)
            return False
        except BaseException as error:  # noqa: BLE001 - it belongs to the waiting task; the lane must live on
            self._tell(self._finish, None, error)
            return False
        if piece is not None:
            self._tell(self.pieces.put_nowait, piece)
        return True

    def close(self, reason: InferenceError | None = None) -> None:
        """Runs the generator's cleanup. A consumer that still waits gets `reason`."""
        try:
            if self._steps is not None:
                self._steps.close()
        except Exception:
            log.exception("cleaning up after an abandoned computation failed")
        self._tell(self._finish, None, reason)

    def _tell(self, what: Callable[..., None], *args: object) -> None:
        self._loop.call_soon_threadsafe(what, *args)

    def _finish(self, result: R, error: BaseException | None) -> None:
        if not self.ended.done():  # a cancelled `run` has ended already
            if self.abandoned:
                self.ended.cancel()
            elif error is not None:
                self.ended.set_exception(error)
            else:
                self.ended.set_result(result)
        self.pieces.put_nowait(None)


def _closed() -> InferenceError:
    return InferenceError("the compute lane is closed", "the companion is starting or shutting down")
