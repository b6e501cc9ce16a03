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
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self, TypeVar

from firmware_bridge.deaths import Deaths
from firmware_bridge.errors import InferenceError, ModelBusy, ModelDeadly, ModelTooSlow
from firmware_bridge.lane_work import MOST_INTERRUPTED, Interrupt, Job, Limits, Priority

_USUAL = Limits()
__all__ = ["ComputeLane", "Interrupt", "Limits", "Priority"]

T = TypeVar("T")
R = TypeVar("R")

log = logging.getLogger(__name__)


class ComputeLane:
    """Async context manager around the lane's thread. Equal priorities are served in the order of asking.

    Leaving the context ends the step that is running, fails all other work with InferenceError and joins the thread.
    """

    def __init__(self, deaths: Deaths | None = None) -> None:
        """With `deaths`, labelled work that ended the process twice is refused."""
        self._deaths = deaths
        self._jobs: list[Job[Any, Any]] = []
        self._running: Job[Any, Any] | None = None
        self._reserved = 0  # how many wait for an answer of several pieces of work
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

    async def run(self, priority: Priority, fn: Callable[[], T], *, limits: Limits = _USUAL, label: str = "") -> T:
        """What `fn` returns or raises; it runs in the lane thread, in one step.

        If the caller is cancelled, a call not yet begun never runs; one that has begun ends unobserved. Raises
        InferenceError when the lane is closed, ModelBusy and ModelTooSlow by `limits`, and ModelDeadly for a `label`
        (see `deaths.label_of`) whose work ended the process twice.
        """

        def once() -> Generator[None, None, T]:
            yield from ()
            return fn()

        job: Job[None, T] = self._admit(Job((priority, next(self._numbers)), once, limits, label=label))
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
        limits: Limits = _USUAL,
        label: str = "",
        kin: str = "",
    ) -> AsyncGenerator[T]:
        """What the generator yields, except None, which only marks the end of a step.

        `make_steps` and each `next()` run in the lane thread, without waiting for the consumer: what it has not taken
        yet is kept. After the first piece the stream goes on at priority `then`. `interrupt` is set when a step should
        end early, because more urgent work has come or nobody wants the result any more; the step is then run again.
        Work of the same `kin` goes on from what this step does, and lets it end.
        Closing this iterator, or cancelling its consumer, closes the generator in the lane thread before
        any other step runs, and waits for that. Raises as `run` does.
        """
        job = self._admit(Job((priority, next(self._numbers)), make_steps, limits, then, interrupt, label, kin))
        try:
            while (piece := await job.pieces.get()) is not None:
                yield piece
            await job.ended
        finally:
            self._abandon(job)
            await asyncio.wait([job.ended])
            if not job.ended.cancelled():
                job.ended.exception()  # seen, even if the consumer left before it came to it

    @contextmanager
    def reserved(self) -> Iterator[None]:
        """While somebody waits for what takes several pieces of work: no step of idle time begins between two of them,
        which would only be stopped, or hold up the next for as long as it takes once it has been stopped too often.
        """
        with self._changed:
            self._reserved += 1
        try:
            yield
        finally:
            with self._changed:
                self._reserved -= 1
                self._changed.notify()

    def waiting(self) -> Mapping[Priority, int]:
        """How many pieces of work of each priority run or wait."""
        with self._changed:
            return Counter(job.order[0] for job in self._jobs)

    def stuck(self, patience: float) -> bool:
        """Whether a step goes on although it was given up, for longer than `patience` seconds."""
        job = self._running
        return job is not None and job.abandoned_for(time.monotonic()) > patience

    def _admit(self, job: Job[T, R]) -> Job[T, R]:
        if self._deaths is not None and self._deaths.is_deadly(job.label):
            raise ModelDeadly("this ended the companion twice, so it is not tried again", _DEADLY)
        with self._changed:
            if not self._open:
                raise _closed()
            self._jobs.append(job)
            running = self._running
            if running is not None and job.order[0] < running.order[0] and not (job.kin and job.kin == running.kin):
                running.give_way()
            self._changed.notify()
        self._watch(job, min(job.limits.wait, job.limits.work))
        return job

    def _watch(self, job: Job[Any, Any], seconds: float) -> None:
        job.alarm = asyncio.get_running_loop().call_later(max(seconds, 0.01), self._check, job)

    def _check(self, job: Job[Any, Any]) -> None:
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

    def _give_up(self, job: Job[Any, Any], error: InferenceError) -> None:
        job.finish(None, error)
        self._abandon(job)

    def _abandon(self, job: Job[Any, Any]) -> None:
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

    def _step(self, job: Job[Any, Any]) -> bool:
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

    def _next(self) -> Job[Any, Any] | None:
        with self._changed:
            self._running = None
            self._changed.wait_for(lambda: self._due() or not self._open)
            if not self._open:
                return None
            job = min(self._due(), key=lambda job: (not job.abandoned, job.order))
            job.interrupt.clear()
            job.patience = MOST_INTERRUPTED if not job.interrupted else job.patience - 1
            job.interrupted = False
            self._running = job
            return job

    def _due(self) -> list[Job[Any, Any]]:
        """The work whose next step may begin."""
        if not self._reserved:
            return self._jobs
        return [job for job in self._jobs if job.abandoned or job.order[0] < Priority.PREFILL]


_DEADLY = "say it in other words; deleting the companion's cache folder lets it be tried again"
_SLOW = "choose a smaller model, a shorter text, or end other programs"


def _closed() -> InferenceError:
    return InferenceError("the compute lane is closed", "the companion is starting or shutting down")
