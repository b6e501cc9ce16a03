"""The compute lane: one thread runs all heavy native work, the most urgent first.

Native model code keeps every core busy and waits by spinning, so two heavy calls at once are many times slower
than one after the other. Whatever computes for longer than a few milliseconds therefore runs here, in steps. Between
two steps the lane turns to more urgent work, and later goes on where it was.

A reply begins as LIVE and goes on as REST once its first words are out. So the sound of what is written already
(`lane.run(Priority.SPEECH, ...)` for each clause, or a stream of smaller steps) is made between two tokens of the same
reply instead of after the last one, while anybody who still waits for first words goes before both.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from firmware_bridge.deaths import Deaths
from firmware_bridge.errors import InferenceError, ModelBusy, ModelDeadly, ModelTooSlow

T = TypeVar("T")
R = TypeVar("R")

log = logging.getLogger(__name__)
_MOST_INTERRUPTED = 4  # steps in a row; a turn interrupts twice, for its embedding and for its reply


class Priority(IntEnum):
    """How urgent a piece of work is; the lowest number goes first."""

    LIVE = 0  # somebody waits for the first words of an answer
    SPEECH = 1  # the sound of words that are written
    REST = 2  # the rest of an answer that has begun
    PREFILL = 3  # reading ahead for the next turn
    MEMORY = 4  # digesting earlier turns


@dataclass(frozen=True, slots=True)
class Limits:
    """In seconds: for the wait until the first step begins, and for what all steps together may take."""

    wait: float = 600.0
    work: float = 600.0


class Interrupt(Protocol):
    """How a step that is running is asked to end early. Both may be called from any thread."""

    def set(self) -> None: ...

    def clear(self) -> None: ...


class ComputeLane:
    """Async context manager around the lane's thread. Equal priorities are served in the order of asking.

    Leaving the context ends the step that is running, fails all other work with InferenceError and joins the thread.
    """

    def __init__(self, deaths: Deaths | None = None) -> None:
        """With `deaths`, labelled work that ended the process twice is refused."""
        self._deaths = deaths
        self._jobs: list[_Job[Any, Any]] = []
        self._running: _Job[Any, Any] | None = None
        self._changed = threading.Condition()
        self._open = False
        self._numbers = itertools.count()
        self._thread = threading.Thread(target=self._work, name="lobug-lane", daemon=False)

    async def __aenter__(self) -> Self:
        self._open = True
        if self._deaths is not None:
            self._deaths.open()
        self._thread.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._open = False
            if self._running is not None:
                self._running.interrupt.set()
            self._changed.notify()
        await asyncio.to_thread(self._thread.join)
        if self._deaths is not None:
            self._deaths.close()

    async def run(self, priority: Priority, fn: Callable[[], T], *, limits: Limits = Limits(), label: str = "") -> T:
        """What `fn` returns or raises; it runs in the lane thread, in one step.

        If the caller is cancelled, a call not yet begun never runs; one that has begun ends unobserved. Raises
        InferenceError when the lane is closed, ModelBusy and ModelTooSlow by `limits`, and ModelDeadly for a `label`
        (see `deaths.label_of`) whose work ended the process twice.
        """

        def once() -> Generator[None, None, T]:
            yield from ()
            return fn()

        job: _Job[None, T] = self._admit(_Job((priority, next(self._numbers)), once, limits, label=label))
        try:
            return await job.ended
        finally:
            self._abandon(job)

    async def stream(
        self,
        priority: Priority,
        make_steps: Callable[[], Generator[T | None, None, None]],
        *,
        then: Priority | None = None,
        interrupt: Interrupt | None = None,
        limits: Limits = Limits(),
        label: str = "",
    ) -> AsyncGenerator[T]:
        """What the generator yields, except None, which only marks the end of a step.

        `make_steps` and each `next()` run in the lane thread, without waiting for the consumer: what it has not taken
        yet is kept. After the first piece the stream goes on at priority `then`. `interrupt` is set when a step should
        end early, because more urgent work has come or nobody wants the result any more; the step is then run again.
        Closing this iterator, or cancelling its consumer, closes the generator in the lane thread before
        any other step runs, and waits for that. Raises as `run` does.
        """
        job = self._admit(_Job((priority, next(self._numbers)), make_steps, limits, then, interrupt, label))
        try:
            while (piece := await job.pieces.get()) is not None:
                yield piece
            await job.ended
        finally:
            self._abandon(job)
            await asyncio.wait([job.ended])
            if not job.ended.cancelled():
                job.ended.exception()  # seen, even if the consumer left before it came to it

    def waiting(self) -> Mapping[Priority, int]:
        """How many pieces of work of each priority run or wait."""
        with self._changed:
            return Counter(job.order[0] for job in self._jobs)

    def stuck(self, patience: float) -> bool:
        """Whether a step goes on although it was given up, for longer than `patience` seconds."""
        job = self._running
        return job is not None and job.abandoned_for(time.monotonic()) > patience

    def _admit(self, job: _Job[T, R]) -> _Job[T, R]:
        if self._deaths is not None and self._deaths.is_deadly(job.label):
            raise ModelDeadly("this ended the companion twice, so it is not tried again", _DEADLY)
        with self._changed:
            if not self._open:
                raise _closed()
            self._jobs.append(job)
            if self._running is not None and job.order[0] < self._running.order[0]:
                self._running.give_way()
            self._changed.notify()
        self._watch(job, min(job.limits.wait, job.limits.work))
        return job

    def _watch(self, job: _Job[Any, Any], seconds: float) -> None:
        job.alarm = asyncio.get_running_loop().call_later(max(seconds, 0.01), self._check, job)

    def _check(self, job: _Job[Any, Any]) -> None:
        """Gives a job up that is over one of its limits, else looks again when it can next be."""
        now = time.monotonic()
        waited, worked = job.waited(now), job.worked(now)
        if worked >= job.limits.work:
            self._give_up(job, ModelTooSlow(f"the model needed more than {job.limits.work:g} s", _SLOW))
        elif job.has_begun:
            self._watch(job, job.limits.work - worked)
        elif waited >= job.limits.wait:
            self._give_up(job, ModelBusy(f"the model was busy for {job.limits.wait:g} s", "try again in a while"))
        else:
            self._watch(job, job.limits.wait - waited)

    def _give_up(self, job: _Job[Any, Any], error: InferenceError) -> None:
        job.finish(None, error)
        self._abandon(job)

    def _abandon(self, job: _Job[Any, Any]) -> None:
        if job.alarm is not None:
            job.alarm.cancel()
        with self._changed:
            job.abandon()
            if job is self._running:
                job.interrupt.set()
            self._changed.notify()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            if job.abandoned:
                job.close()
            elif self._step(job):
                continue
            with self._changed:
                self._jobs.remove(job)
        for job in self._jobs:
            job.close(_closed())
        self._jobs.clear()

    def _step(self, job: _Job[Any, Any]) -> bool:
        if self._deaths is None or not job.label:
            return job.step()
        self._deaths.begin(job.label)
        try:
            goes_on = job.step()
        finally:
            self._deaths.end()
        if not goes_on:
            self._deaths.forgive(job.label)
        return goes_on

    def _next(self) -> _Job[Any, Any] | None:
        with self._changed:
            self._running = None
            self._changed.wait_for(lambda: self._jobs or not self._open)
            if not self._open:
                return None
            job = min(self._jobs, key=lambda job: (not job.abandoned, job.order))
            job.interrupt.clear()
            job.patience = _MOST_INTERRUPTED if not job.interrupted else job.patience - 1
            job.interrupted = False
            self._running = job
            return job


class _Job(Generic[T, R]):
    """A generator on its way through the lane. Made in the event loop; stepped and closed in the lane thread."""

    def __init__(
        self,
        order: tuple[Priority, int],
        make_steps: Callable[[], Generator[T | None, None, R]],
        limits: Limits,
        then: Priority | None = None,
        interrupt: Interrupt | None = None,
        label: str = "",
    ) -> None:
        self.label = label
        self.order = order
        self.limits = limits
        self.interrupt: Interrupt = interrupt or threading.Event()
        self.interrupted = False  # the last step was
        self.patience = _MOST_INTERRUPTED
        self.abandoned = False
        self._abandoned_at = 0.0
        self.alarm: asyncio.TimerHandle | None = None
        self.pieces: asyncio.Queue[T | None] = asyncio.Queue()  # None: there will be no more
        self._then = then
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[R] = self._loop.create_future()
        self._make_steps = make_steps
        self._steps: Generator[T | None, None, R] | None = None
        self._asked = time.monotonic()
        self._step_began: float | None = None
        self._seconds = 0.0

    def give_way(self) -> None:
        """Ends the running step early, unless too many have been already."""
        if self.patience > 0:
            self.interrupted = True
            self.interrupt.set()

    @property
    def has_begun(self) -> bool:
        return self._seconds > 0.0 or self._step_began is not None

    def abandon(self) -> None:
        if not self.abandoned:
            self.abandoned, self._abandoned_at = True, time.monotonic()

    def abandoned_for(self, now: float) -> float:
        """Seconds since nobody wants it any more."""
        return now - self._abandoned_at if self.abandoned else 0.0

    def waited(self, now: float) -> float:
        """Seconds since it was asked for."""
        return now - self._asked

    def worked(self, now: float) -> float:
        """Seconds that its steps have taken so far."""
        began = self._step_began
        return self._seconds + (now - began if began is not None else 0.0)

    def step(self) -> bool:
        """Runs to the next boundary. False when there is nothing left to run."""
        self._step_began = time.monotonic()
        try:
            if self._steps is None:
                self._steps = self._make_steps()
            piece = next(self._steps)
        except StopIteration as end:
            self._tell(self.finish, end.value, None)
            return False
        except BaseException as error:  # noqa: BLE001 - it belongs to the waiting task; the lane must live on
            self._tell(self.finish, None, error)
            return False
        finally:
            self._seconds, self._step_began = self.worked(time.monotonic()), None
        if piece is not None:
            self._tell(self.pieces.put_nowait, piece)
            if self._then is not None:
                self.order = (self._then, self.order[1])
        return True

    def close(self, reason: InferenceError | None = None) -> None:
        """Runs the generator's cleanup. A consumer that still waits gets `reason`."""
        try:
            if self._steps is not None:
                self._steps.close()
        except Exception:
            log.exception("cleaning up after an abandoned computation failed")
        self._tell(self.finish, None, reason)

    def _tell(self, what: Callable[..., None], *args: object) -> None:
        self._loop.call_soon_threadsafe(what, *args)

    def finish(self, result: R | None, error: BaseException | None) -> None:
        """Tells the consumer, once. For the event loop."""
        if not self.ended.done():  # a cancelled `run` has ended already
            if self.abandoned:
                self.ended.cancel()
            elif error is not None:
                self.ended.set_exception(error)
            else:
                self.ended.set_result(result)  # type: ignore[arg-type]
        self.pieces.put_nowait(None)


_DEADLY = "say it in other words; deleting the companion's cache folder lets it be tried again"
_SLOW = "choose a smaller model, a shorter text, or end other programs"


def _closed() -> InferenceError:
    return InferenceError("the compute lane is closed", "the companion is starting or shutting down")
