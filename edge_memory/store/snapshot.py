"""Whole, checked copies of the file, and putting one in its place."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import apsw

from edge_memory.errors import StoreError, StoreInUse, StoreUnwritable
from edge_memory.store import checksums, schema
from edge_memory.store.connection import connect, engine_errors, open_connection, open_untouched
from edge_memory.store.erase import empty_log
from edge_memory.store.key import unlock
from edge_memory.store.lock import ServingLock

Progress = Callable[[float], None]
"""Is told the share that is done, from 0 to 1."""

_PAGES_A_STEP = 1_024
_PATIENCE_SECONDS = 3.0


def copy_checked(
    source: Path, target: Path, progress: Progress = lambda _: None, *, may_be_replica: bool = False
) -> None:
    """Writes `target` (mode 0600) as of one moment, while others may read and write `source`.

    It appears whole and looked through to the last page, or not at all; what was there is replaced. Raises StoreError.
    """
    if not source.is_file():
        raise StoreError(f"there is no file {source}", "`lobug backup FILE` writes one")
    part = target.with_name(f"{target.name}.part")
    try:
        _make_empty(part)
        with engine_errors(source), closing(open_untouched(source)) as origin:
            if may_be_replica:
                checksums.pass_first_page(origin)
            schema.check_identity(origin, source)
            _copy_pages(origin, part, progress)
        _check(part, source)
        part.replace(target)
        sync(target)
        sync(target.parent)
    except OSError as error:
        raise StoreUnwritable(f"cannot write {target}: {error.strerror}", "check owner and free space") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def restore(backup: Path, database: Path, aside: Path, progress: Progress = lambda _: None) -> bool:
    """Puts a checked copy of `backup` in the place of `database`, whose own content is kept as `aside`.

    Cut off at any moment, `database` is the old file or the new one, whole. False if there was no old one. Raises
    StoreError, and StoreInUse while a companion serves `database`; then nothing has changed.
    """
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = ServingLock(database)
    if not lock.acquire(_PATIENCE_SECONDS):
        raise StoreInUse(f"a companion serves {database}", "stop it, restore, and start it again")
    fresh = database.with_name(f"{database.name}.restoring")
    try:
        copy_checked(backup, fresh, progress, may_be_replica=True)
        had_one = database.exists()
        if had_one:
            _set_aside(database, aside)
        fresh.replace(database)
        sync(database.parent)
    except OSError as error:
        raise StoreUnwritable(f"cannot replace {database}: {error.strerror}", "check owner and free space") from error
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        lock.release()
    return had_one


def _copy_pages(origin: apsw.Connection, target: Path, progress: Progress) -> None:
    with closing(connect(target)) as copy, origin:  # one moment: a transaction that only reads
        unlock(copy, target)
        checksums.prepare_copy(origin, copy)
        origin.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        with copy.backup("main", origin, "main") as pages:
            while not pages.done:
                pages.step(_PAGES_A_STEP)
                progress(1 - pages.remaining / max(pages.page_count, 1))


def _check(copy: Path, source: Path) -> None:
    """Raises StoreDamaged. Leaves `copy` as a single file, on the disk."""
    with closing(open_connection(copy, writes=True, checkpoints=True)) as connection, engine_errors(source):
        schema.check_whole(connection, source)
        connection.pragma("journal_mode", "DELETE")
    sync(copy)


def _set_aside(database: Path, aside: Path) -> None:
    """A second name for the old file, whose log is moved into it, or beside it if the file is damaged."""
    aside.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with engine_errors(database), closing(open_untouched(database)) as connection:
            schema.check_identity(connection, database)
        with closing(open_connection(database, writes=True, checkpoints=True)) as connection:
            if not empty_log(connection):
                raise StoreInUse(f"another program reads {database}", "close it, then try again")
    except StoreInUse:
        raise
    except StoreError:
        pass  # damaged, and kept as it is
    log = database.with_name(f"{database.name}-wal")
    if log.exists():  # before the new file is there: it must never be read with this log
        log.replace(aside.with_name(f"{aside.name}-wal"))
    database.with_name(f"{database.name}-shm").unlink(missing_ok=True)
    aside.hardlink_to(database)
    sync(aside.parent)


def _make_empty(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)


def sync(path: Path) -> None:
    """Of a file or a folder: what it is now outlives a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
