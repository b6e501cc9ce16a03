"""Turns that may yet be taken back: their words may prove to be the first of a longer utterance."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from edge_memory.store import Connection, Store, conversation, jobs, records
from edge_memory.store.jobs import JobKind


class Undecided:
    def __init__(self, store: Store, clock: Callable[[], float], forget_held: Callable[[], None]) -> None:
        """`forget_held` is called once a turn was taken back: what was read from the file may hold it."""
        self._store = store
        self._clock = clock
        self._forget_held = forget_held
        self._count = 0
        self._decided = asyncio.Event()
        self._decided.set()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Within, nothing is digested, and turns can be taken back."""
        self._count += 1
        self._decided.clear()
        try:
            yield
        finally:
            self._count -= 1
            if not self._count:
                self._decided.set()

    async def decided(self) -> None:
        """Waits until no turn is held."""
        await self._decided.wait()

    async def take_back(self, turn_id: str) -> None:
        """Of a turn that was heard, and maybe answered, since `hold` began nothing stays: no words, no job, no moment,
        no question that it asked. Does nothing for one that was never heard.
        """
        now = self._clock()

        def effect(connection: Connection) -> None:
            jobs.drop_one(connection, JobKind.OBSERVE, turn_id)
            records.unmake(connection, turn_id, now)
            conversation.remove(connection, turn_id)

        await self._store.write(effect, reserve=True)
        self._forget_held()
