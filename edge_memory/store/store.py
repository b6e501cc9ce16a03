"""The one file: a thread that writes, a thread that reads, and the lock of the process that serves it."""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from edge_memory.errors import StoreDamaged, StoreError, StoreFull, StoreInUse, StoreUnwritable
from edge_memory.store import checksums, schema
from edge_memory.store.backups import Backups
from edge_memory.store.ballast import Ballast
from edge_memory.store.connection import (
    Connection,
    close_connection,
    engine_errors,
    open_connection,
    open_untouched,
    unsynced,
)
from edge_memory.store.erase import empty_log
from edge_memory.store.lock import ServingLock

T = TypeVar("T")
Transaction = Callable[[Connection], T]

_log = logging.getLogger(__name__)
_START_PATIENCE_SECONDS = 3.0
_FREE_SOME = "free some space; until then it answers and erases, and remembers nothing new"
_TIMES_WRITTEN_ANEW = 3  # a copy, the log, and some room
_EMPTYING_TRIES, _EMPTYING_PAUSE_SECONDS = 50, 0.1


class Store:
    """Use as `async with Store(path, serve=True)`.

    `serve` claims the file for this process, or raises StoreInUse. Without it the store is a guest:
    it reads and makes small writes beside a process that serves, and leaves checkpoints to that one,
    except after an erasure.

    On a full disk it turns read-only and gives the ballast up, so that an erasure can still be written. Once there is
    room for ballast again, it writes again.
    """

    def __init__(self, path: Path, *, serve: bool, ballast: int = 0) -> None:
        """`ballast`: bytes held back for a full disk."""
        self.path = path
        self._ballast = Ballast(path, ballast)
        self._full = False
        self._serve = serve
        self._lock = ServingLock(path)
        self._writing = ThreadPoolExecutor(1, "memory-writer")
        self._reading = ThreadPoolExecutor(1, "memory-reader")
        self._writer: Connection | None = None
        self._reader: Connection | None = None
        self._foreign = -1

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        try:
            self._writer = await loop.run_in_executor(self._writing, self._open_writer)
            self._reader = await loop.run_in_executor(self._reading, self._open_reader)
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def write(self, transaction: Transaction[T], *, durable: bool = True, reserve: bool = False) -> T:
        """Runs `transaction` alone, all of it or nothing; on return it is on disk. Raises StoreFull while the disk is
        full, unless it may take the `reserve`.

        One that is not `durable` comes onto the disk with the next one that is: a power cut may undo it as a whole, a
        kill does not. That spares the card a sync where what was undone would be done again.
        """
        return await asyncio.get_running_loop().run_in_executor(
            self._writing, self._write, transaction, durable, reserve
        )

    async def read(self, transaction: Transaction[T]) -> T:
        """Runs `transaction` on one unchanging view of the file. It cannot write."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._read, transaction)

    async def empty_log(self) -> None:
        """Makes what was erased leave the write-ahead log too. Raises StoreInUse if a reader holds it open for long."""
        for _ in range(_EMPTYING_TRIES):
            if await asyncio.get_running_loop().run_in_executor(self._writing, self._empty_log):
                return
            await asyncio.sleep(_EMPTYING_PAUSE_SECONDS)  # turns may write meanwhile
        raise StoreInUse(
            "the words are out of the memory, but a reader keeps an old page of the log open",
            "close other programs that read the file; a running companion takes the last traces away then",
        )

    async def check(self) -> None:
        """Looks through the whole file. Raises StoreDamaged."""
        await self.write(lambda connection: schema.check_health(connection, self.path))

    async def foreign_changes(self) -> int:
        """A number that changes when another process has written to the file."""
        return await asyncio.get_running_loop().run_in_executor(self._writing, self._foreign_changes)

    @property
    def foreign_changes_seen(self) -> int:
        """The same as of our last write. Costs nothing."""
        return self._foreign

    async def is_full(self) -> bool:
        """Whether it only reads and erases, because there is no space left. Who asks finds out whether it is over."""
        return self._full and await asyncio.to_thread(self._stays_full)

    def _stays_full(self) -> bool:
        """Reserving space takes a slow card seconds."""
        if self._ballast.load():
            self._full = False
            _log.info("there is space again for %s", self.path)
        return self._full

    def note_address(self, address: str) -> None:
        """Where the process that serves this file answers, as `serving_address` tells others."""
        try:
            self._lock.note(address)
        except OSError as error:
            _log.warning("others are not told where it answers: %s", error.strerror)

    def _open_writer(self) -> Connection:
        """Even a file that is only read needs some space, for its log."""
        try:
            writer = self._open_file()
        except (StoreFull, StoreUnwritable):
            if not self._ballast.drop():
                raise
            writer = self._open_file()
            self._full = True
        if self._serve and not self._full and not self._ballast.load():
            _log.warning("there is little space left for %s", self.path)
        return writer

    def _open_file(self) -> Connection:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._serve and not self._lock.acquire(_START_PATIENCE_SECONDS):
                raise StoreInUse(
                    f"another companion already serves {self.path}", "stop it first, or give another --data-dir"
                )
            self._make_or_inspect()
            if self._serve:
                self.path.chmod(0o600)
        except OSError as error:
            raise StoreUnwritable(
                f"cannot use {error.filename}: {error.strerror}", "check the owner, or give another --data-dir"
            ) from error
        connection = open_connection(self.path, writes=True, checkpoints=self._serve)
        try:
            with engine_errors(self.path):
                if self._serve:
                    is_copied = self._migrate(connection)
                    schema.check_health(connection, self.path)
                    self._add_checksums(connection, is_copied=is_copied)
                else:
                    self._bring_up_to_date(connection)
        except BaseException:
            close_connection(connection)
            raise
        return connection

    def _bring_up_to_date(self, connection: Connection) -> None:
        """A guest makes or migrates a file only while nobody serves it, and holds the lock no longer than that."""
        if schema.version_of(connection) == schema.newest_version():
            return
        if not self._lock.acquire(_START_PATIENCE_SECONDS):
            raise StoreInUse(
                f"{self.path} is served by an older version of lobug",
                "restart the companion with this version, then try again",
            )
        try:
            self._migrate(connection)
        finally:
            self._lock.release()

    def _migrate(self, connection: Connection) -> bool:
        """A file of an older version is copied first. Whether it was."""
        found = schema.version_of(connection)
        is_older = 0 < found < schema.newest_version()
        if is_older:
            copy = Backups(self.path, time.time).make("schema")
            _log.info("%s has schema %d; before it is brought to %d it was copied to %s",
                      self.path, found, schema.newest_version(), copy)  # fmt: skip
        schema.migrate(connection, now=time.time())
        return is_older

    def _add_checksums(self, connection: Connection, *, is_copied: bool) -> None:
        """To a file of an older version, once, after a copy. What has no space for that does without until it has."""
        if not checksums.are_possible(connection) or checksums.have_room(connection):
            return
        if shutil.disk_usage(self.path.parent).free < _TIMES_WRITTEN_ANEW * self.path.stat().st_size:
            _log.warning("there is no space to write %s anew with checksums", self.path)
            return
        try:
            if not is_copied:
                copy = Backups(self.path, time.time).make("schema")
                _log.info("%s gets checksums; before that it was copied to %s", self.path, copy)
            checksums.want(connection)
            with engine_errors(self.path):
                connection.execute("VACUUM")  # through the log: the new first page is the first to reach the file
        except (StoreFull, StoreInUse, StoreUnwritable) as error:
            _log.warning("%s has no checksums yet: %s", self.path, error)
        else:
            empty_log(connection)

    def _make_or_inspect(self) -> None:
        """A file that is not ours, or too new, is refused before any setting could change it."""
        if not self.path.exists():
            self.path.touch(mode=0o600)
        elif not self.path.stat().st_size:
            self._refuse_emptied()
        else:
            with engine_errors(self.path), closing(open_untouched(self.path)) as connection:
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
                if self.path.stat().st_size:
                    schema.check_identity(connection, self.path)
                else:  # what was written of it when the power went has just been taken back
                    self._refuse_emptied()

    def _refuse_emptied(self) -> None:
        """An empty file is a new one, but not where there are copies of it."""
        copies = Backups(self.path, time.time).all()
        log = self.path.with_name(f"{self.path.name}-wal")
        if copies and not (log.exists() and log.stat().st_size):
            raise StoreDamaged(f"{self.path} is empty, and was not before", f"`lobug restore {copies[-1]}`")

    def _open_reader(self) -> Connection:
        return open_connection(self.path, writes=False, checkpoints=False)

    def _write(self, transaction: Transaction[T], durable: bool, reserve: bool) -> T:
        if self._full and not reserve and self._stays_full():
            raise StoreFull(f"no space left for {self.path}", _FREE_SOME)
        try:
            return self._commit(transaction, durable)
        except StoreFull:
            self._full = True
            if not (self._ballast.drop() and reserve):
                raise
        return self._commit(transaction, durable)

    def _commit(self, transaction: Transaction[T], durable: bool) -> T:
        assert self._writer is not None, "the store is not open"
        synced = nullcontext() if durable else unsynced(self._writer, checkpoints=self._serve)
        with engine_errors(self.path), synced:
            result = _in_transaction(self._writer, transaction)
        with suppress(StoreError):  # what was committed is committed
            self._foreign_changes()
        return result

    def _read(self, transaction: Transaction[T]) -> T:
        assert self._reader is not None, "the store is not open"
        with engine_errors(self.path):
            return _in_transaction(self._reader, transaction)

    def _foreign_changes(self) -> int:
        assert self._writer is not None, "the store is not open"
        with engine_errors(self.path):
            self._foreign = int(self._writer.pragma("data_version"))
        return self._foreign

    def _empty_log(self) -> bool:
        assert self._writer is not None, "the store is not open"
        with engine_errors(self.path):
            return empty_log(self._writer)

    async def _close(self) -> None:
        loop = asyncio.get_running_loop()
        for executor, connection in ((self._reading, self._reader), (self._writing, self._writer)):
            if connection is not None:
                await loop.run_in_executor(executor, close_connection, connection)
            executor.shutdown(wait=True)
        self._reader = self._writer = None
        self._lock.release()


def _in_transaction(connection: Connection, transaction: Transaction[T]) -> T:
    """By statements: apsw's `with connection` keeps Python's lock while it waits for the disk or for another writer."""
    connection.execute(f"BEGIN {connection.transaction_mode}")
    try:
        result = transaction(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # some errors have ended it
            connection.execute("ROLLBACK")
        raise
    return result
