"""The worker that does durable jobs one after another, each with its effect in one transaction."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from edge_memory.config import MemoryConfig
from edge_memory.errors import ModelUnavailable, StoreError, StoreFull, StoreInUse
from edge_memory.store import Connection, Store, Transaction, jobs
from edge_memory.store.jobs import Job, JobKind

Handler = Callable[[Mapping[str, Any]], Awaitable[Transaction[None]]]

_log = logging.getLogger(__name__)
_POLL_SECONDS = 1.0  # how soon a job left by another process is seen
_LONGEST_BACKOFF_SECONDS = 300.0
_MOST_DOUBLINGS = 30  # a model may be away for weeks, and no float is as large as 2**1024


class JobQueue:
    """A handler prepares a job's effect, with a model if need be, and returns it as a transaction.

    The queue commits the effect together with the end of the job; a power cut that undoes one undoes both. A handler
    that raises is tried again later and parked after `job_attempts`; while a model is unavailable nothing counts as an
    attempt.
    """

    def __init__(
        self,
        store: Store,
        handlers: Mapping[JobKind, Handler],
        config: MemoryConfig,
        done: Callable[[], Awaitable[None]],
        may_begin: Callable[[], Awaitable[None]],
    ) -> None:
        """`done` is called after each job that succeeded. A job is looked for once `may_begin` returns."""
        self._done = done
        self._may_begin = may_begin
        self._store = store
        self._handlers = handlers
        self._config = config
        self._wake = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._not_before: dict[int, float] = {}
        self._waits: dict[int, int] = {}

    def wake(self) -> None:
        """Tells that there may be a new job."""
        self._wake.set()

    async def run(self) -> None:
        """Works until cancelled."""
        while True:
            self._wake.clear()
            try:
                idle = not await self.work_once()
            except StoreError as error:
                _log.error("memory work waits for the file: %s", error.message)
                idle = True
            if idle:
                await self._pause()

    async def work_once(self) -> bool:
        """Does the oldest job that is due. False when none is."""
        return await self._work_on(self._handlers.keys())

    async def catch_up(self, kind: JobKind, patience: float) -> None:
        """Does what is due of one kind before anything else, and begins no more of it after `patience` seconds."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline and await self._work_on({kind}):
            pass

    async def _work_on(self, kinds: Collection[JobKind]) -> bool:
        async with self._one_at_a_time:
            await self._may_begin()
            put_off = [job_id for job_id, moment in self._not_before.items() if moment > time.monotonic()]
            job = await self._store.read(lambda connection: jobs.oldest(connection, kinds, put_off))
            if job is not None:
                await self._work(job)
            return job is not None

    async def _work(self, job: Job) -> None:
        try:
            effect = await self._handlers[job.kind](job.payload)
            await self._store.write(lambda connection: self._finish(connection, job, effect), durable=False)
        except (ModelUnavailable, StoreInUse, StoreFull) as error:  # not the job's fault
            self._put_off(job, error)
        except Exception as error:  # noqa: BLE001 - one job's failure must not end the others
            await self._fail(job, error)
        else:
            self._leave(job)
            await self._done()

    @staticmethod
    def _finish(connection: Connection, job: Job, effect: Transaction[None]) -> None:
        # First the job's end, so that the effect may leave a new one under the same key.
        if jobs.finish(connection, job.id):
            effect(connection)

    async def _fail(self, job: Job, error: Exception) -> None:
        message = f"{type(error).__name__}: {error}"
        limit = self._config.job_attempts
        parked = await self._store.write(
            lambda connection: jobs.fail(connection, job.id, message, limit), durable=False
        )
        _log.warning("memory job %s failed (%s)%s", job.key, type(error).__name__, ", parked" if parked else "")
        _log.debug("memory job %s", job.key, exc_info=error)
        if parked:
            self._leave(job)
        else:
            self._put_off(job, error)

    def _leave(self, job: Job) -> None:
        self._not_before.pop(job.id, None)
        self._waits.pop(job.id, None)

    def _put_off(self, job: Job, error: Exception) -> None:
        wait = self._waits.get(job.id, 0)
        seconds = min(self._config.job_backoff_seconds * 2 ** min(wait, _MOST_DOUBLINGS), _LONGEST_BACKOFF_SECONDS)
        self._waits[job.id] = wait + 1
        self._not_before[job.id] = time.monotonic() + seconds
        _log.info("memory job %s waits %.1f s (%s)", job.key, seconds, type(error).__name__)

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(_POLL_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            pass
