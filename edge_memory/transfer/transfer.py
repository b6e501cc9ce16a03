"""What leaves memory and what comes into it from outside, over the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from edge_memory.errors import NothingMatches, WrongState
from edge_memory.records import Record, Status
from edge_memory.store import Backups, Connection, Store, Transaction, copy_checked, finding, jobs, records, schedule
from edge_memory.store.erase import erase_everybody, erase_user, users
from edge_memory.transfer.arrival import Imported, Outside, take_in
from edge_memory.transfer.document import export
from edge_memory.transfer.erasure import erase, with_sources
from edge_memory.transfer.reading import read_document

_BACKUP = "backup"
_NEAR = 0.5
_DAY_SECONDS = 86_400.0


class Transfer:
    """`erased` is called after each erasure, so that nothing held in memory outlives it. `outside` is what becomes of
    what a file brings that the owner does not vouch for.
    """

    def __init__(self, store: Store, erased: Callable[[], None], clock: Callable[[], float], outside: Outside) -> None:
        self._store = store
        self._erased = erased
        self._clock = clock
        self._outside = outside
        self._backups = Backups(store.path, clock)

    async def export(self, user_id: str) -> dict[str, Any]:
        return await self._store.read(export(user_id, self._clock()))

    async def take_in(self, document: Any, *, trusted: bool = False) -> Imported:
        """Imports an exported document, all of it or nothing. Raises BadDocument that names the first wrong row.

        Anybody may have written it: unless it is `trusted`, records that are not plainly told of a life wait for the
        owner, no priority is taken from it, and such lines of summaries and base memory stay out.
        """
        arriving, now = read_document(document), self._clock()
        outside = None if trusted else self._outside
        return await self._store.write(lambda connection: take_in(connection, arriving, outside, now))

    async def backup(self, target: Path, progress: Callable[[float], None]) -> None:
        """A checked copy of the file, also while it is served; `progress` is told the share done. Raises StoreError."""
        await asyncio.to_thread(copy_checked, self._store.path, target, progress)

    async def backup_job(self, payload: Mapping[str, Any]) -> Transaction[None]:
        """The job `backup`: the daily copy."""
        await asyncio.to_thread(self._backups.make_daily, int(payload["kept"]))
        return lambda connection: schedule.note_done(connection, _BACKUP, self._clock())

    async def find(self, query: str, user_id: str) -> list[Record]:
        """The record with this id, or those that hold every telling word of the query in some form, with sources and
        retellings.

        Raises RecordNotFound, NothingMatches, and WrongState for what is forgotten already.
        """
        if query.isdecimal():
            return await self.of_id(int(query))
        return await self._kin(
            lambda connection: [one for one, share in finding.holding(connection, user_id, query) if share == 1.0],
            f"nothing is known about {query!r}",
        )

    async def near(self, query: str, user_id: str) -> list[Record]:
        """The active records that hold most of the telling words, if that is at least half of them; oldest first."""
        held = await self._store.read(lambda connection: finding.holding(connection, user_id, query))
        standing = [(record, share) for record, share in held if record.status is Status.ACTIVE]
        best = max((share for _, share in standing), default=0.0)
        return [record for record, share in standing if share == best >= _NEAR]

    async def of_id(self, record_id: int) -> list[Record]:
        """The record and its kin. Raises as `find`."""

        def look(connection: Connection) -> list[Record]:
            record = records.get(connection, record_id)
            if record.status is Status.TOMBSTONED and not record.text:
                raise WrongState(f"record {record_id} is forgotten already", "nothing of it is left")
            return [record]

        return await self._kin(look, "")

    async def of_key(self, key: str, user_id: str) -> list[Record]:
        """The records of a slot, or of those that a glob covers, and their kin. Raises NothingMatches."""
        return await self._kin(
            lambda connection: finding.of_key(connection, user_id, key.strip().lower()),
            f"no record has the key {key!r}",
        )

    async def users(self) -> list[str]:
        """Everybody of whom the file knows anything."""
        return await self._store.read(users)

    async def forget(self, doomed: Sequence[Record]) -> None:
        """Erases records, the turns they came from and retellings of them; on return the disk holds none of it.

        Raises StoreInUse while a reader holds the log open; once it lets go, a companion takes away the last traces.
        """
        now = self._clock()
        await self._erase(lambda connection: erase(connection, doomed, now))

    async def erase_user(self, user_id: str) -> None:
        """Everything of a user goes, on the disk too. Raises NothingMatches for an unknown one."""
        known = await self.users()
        if user_id not in known:
            names = ", ".join(known) or "nobody"
            raise NothingMatches(f"nothing is known of the user {user_id!r}", f"memory knows {names}")
        await self._erase(lambda connection: erase_user(connection, user_id))

    async def erase_everybody(self) -> None:
        """Everything of every user goes, on the disk too."""
        await self._erase(erase_everybody)

    async def _kin(self, look: Callable[[Connection], list[Record]], nothing: str) -> list[Record]:
        found = await self._store.read(lambda connection: with_sources(connection, look(connection)))
        if not found:
            raise NothingMatches(nothing, "`lobug memory search` shows what comes near")
        return found

    async def wipe_job(self, payload: Mapping[str, Any]) -> Transaction[None]:
        """The job `wipe`: what an erasure that was cut off has left to do."""
        await self._wipe()
        return jobs.no_effect

    async def _erase(self, effect: Transaction[None]) -> None:
        def with_job(connection: Connection) -> None:
            effect(connection)
            jobs.enqueue(connection, jobs.JobKind.WIPE, "all", {}, self._clock())

        await self._store.write(with_job, reserve=True)
        await self._wipe()
        await self._store.write(lambda connection: jobs.drop(connection, jobs.JobKind.WIPE), reserve=True)

    async def _wipe(self) -> None:
        self._erased()
        await self._store.empty_log()
        await asyncio.to_thread(self._backups.renew)


def due_backup(connection: Connection, kept: int, now: float) -> None:
    """Leaves the job when a day has passed since the last copy. The date is in the file."""
    last = schedule.last_done(connection, _BACKUP)
    if last is None or last > now:
        schedule.note_done(connection, _BACKUP, now)
    elif kept and now - last >= _DAY_SECONDS:
        jobs.enqueue(connection, jobs.JobKind.BACKUP, "all", {"kept": kept}, now)
