"""Which times the file knows, and what was dated before the machine's clock was set."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from edge_memory.clock import HouseClock, Shift
from edge_memory.errors import StoreFull
from edge_memory.store import Connection, Store, times


class Dating:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._shifts: list[Shift] = []  # that are not on disk yet

    async def start(self, clock: HouseClock) -> None:
        """Tells the clock which times the file knows. To be called before anything is written.

        A full disk does not keep it from starting: the stretch is then kept at the next start.
        """

        def effect(connection: Connection) -> None:
            times.keep_stretch(connection, clock.start(times.newest(connection), times.stretch(connection)))

        with suppress(StoreFull):
            await self._store.write(effect, reserve=True)
        await self.settle(clock)

    async def settle(self, clock: HouseClock) -> None:
        """To be called every few seconds: what was dated before the machine's clock was set is dated anew. Raises
        StoreError, and does it the next time.
        """
        if (shift := clock.settle()) is not None:
            self._shifts.append(shift)
        while self._shifts:
            await self._store.write(partial(times.put_right, shift=self._shifts[0]), reserve=True)
            del self._shifts[0]
