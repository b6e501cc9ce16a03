"""One SQLite connection with the settings that keep memory safe, and the checks before it is trusted."""

from __future__ import annotations

import logging
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import sqlite_vec

from edge_memory.errors import (
    EdgeMemoryError,
    EngineUnsafe,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreInUse,
    StoreUnwritable,
)
from edge_memory.store import checksums, key
from edge_memory.store.stemming import add_stemmers

if TYPE_CHECKING:
    from collections.abc import Iterator

_log = logging.getLogger(__name__)

Connection = apsw.Connection

APPLICATION_ID = 0x4C6F4275  # "LoBu"
OLDEST_SAFE_ENGINE = (3, 51, 3)  # older ones can lose committed pages (sqlite.org/wal.html#walresetbug)
_WITHDRAWN_ENGINE = (3, 52, 0)
BUSY_MILLISECONDS = 5_000
_PAGE_BYTES = 1_024  # of a new file. What a turn changes is small, and each page that it touches is written whole
_JOURNAL_LIMIT = 8 * 1024 * 1024
# Sizes of the log from which a commit moves it into the file: of a job, and of a turn, which somebody waits for. The
# larger, the more often a page is written anew in the log and once in the file.
_CHECKPOINT_BYTES, _URGENT_CHECKPOINT_BYTES = 8 * 1024 * 1024, 16 * 1024 * 1024
_REPAIR = "it was left as it is; `lobug doctor --repair` saves what can be read, `lobug restore` puts a copy back"


def engine_version() -> str:
    return apsw.sqlite_lib_version()


def vector_extension_version() -> str:
    """Found by loading the extension, which is what fails where SQLite was built without loading."""
    connection = apsw.Connection(":memory:")
    try:
        _load_vectors(connection)
        return str(connection.execute("SELECT vec_version()").get)
    finally:
        connection.close()


def check_engine(version: str) -> None:
    """Raises EngineUnsafe for a SQLite that can lose committed data."""
    parts = tuple(int(part) for part in version.split("."))
    if parts < OLDEST_SAFE_ENGINE or parts == _WITHDRAWN_ENGINE:
        raise EngineUnsafe(
            f"SQLite {version} can lose committed data",
            "run scripts/setup again: it installs apsw-sqlite3mc, which brings a safe SQLite",
        )


def open_untouched(path: Path) -> Connection:
    """A connection for a look at a file that may not be ours: not a byte of it changes. Raises StoreError."""
    with engine_errors(path):
        connection = connect(path, apsw.SQLITE_OPEN_READWRITE)
        key.unlock(connection, path)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.pragma("query_only", True)
    return connection


def tells_rot(path: Path) -> bool:
    """Whether a rotten bit is told when its page is read: each has a checksum, or is encrypted. Raises StoreError."""
    with engine_errors(path), closing(open_untouched(path)) as connection:
        return key.is_used() or checksums.are_on(connection)


def open_connection(path: Path, *, writes: bool, checkpoints: bool, with_checksums: bool = True) -> Connection:
    """A connection to the file, made if it is missing and `writes` is true. Raises StoreError.

    Only one connection in the house may have `checkpoints`: it is the only one that moves pages from
    the write-ahead log into the file. What is written without checksums to a file that has them is damage to it.
    """
    check_engine(engine_version())
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if writes else 0)
    with engine_errors(path):
        connection = connect(path, flags, with_checksums=with_checksums)
        try:
            key.unlock(connection, path)
            _configure(connection, writes=writes, checkpoints=checkpoints)
        except BaseException:
            close_connection(connection)
            raise
    return connection


def connect(
    path: Path, flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE, *, with_checksums: bool = True
) -> Connection:
    """Bare, and not unlocked. Raises apsw's errors."""
    without = key.is_used() or not with_checksums
    return apsw.Connection(str(path), flags=flags, vfs=checksums.vfs(without=without))


def close_connection(connection: Connection) -> None:
    """The disk may fail even here. What was committed is in the log, for the next one who opens the file."""
    name = connection.filename
    try:
        connection.close()
    except apsw.Error as error:
        _log.warning("%s was closed on a failing disk: %s", name, error)


def _load_vectors(connection: Connection) -> None:
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)


def _configure(connection: Connection, *, writes: bool, checkpoints: bool) -> None:
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    connection.transaction_mode = "IMMEDIATE" if writes else "DEFERRED"
    _load_vectors(connection)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.pragma("trusted_schema", False)
    connection.pragma("cell_size_check", True)
    connection.pragma("foreign_keys", True)
    connection.pragma("temp_store", "MEMORY")
    connection.pragma("mmap_size", 0)
    connection.pragma("page_size", _PAGE_BYTES)  # says nothing to a file that is there
    if checksums.are_possible(connection) and not connection.pragma("page_count"):
        checksums.want(connection)
    connection.pragma("journal_mode", "WAL")
    connection.pragma("synchronous", "FULL")
    connection.pragma("secure_delete", True)
    connection.pragma("journal_size_limit", _JOURNAL_LIMIT)
    _checkpoint_at(connection, _URGENT_CHECKPOINT_BYTES if checkpoints else 0)
    add_stemmers(connection)  # reads the file, which must have shown itself to be sound by now
    if not writes:
        connection.pragma("query_only", True)


def _checkpoint_at(connection: Connection, log_bytes: int) -> None:
    """0 is never."""
    connection.wal_autocheckpoint(log_bytes // int(connection.pragma("page_size")))


@contextmanager
def unsynced(connection: Connection, *, checkpoints: bool) -> Iterator[None]:
    """Commits in here are synced by the next one outside, or by a checkpoint. They do the checkpoints that are due, so
    that hardly anybody waits for one.
    """
    connection.pragma("synchronous", "NORMAL")
    _checkpoint_at(connection, _CHECKPOINT_BYTES if checkpoints else 0)
    try:
        yield
    finally:
        connection.pragma("synchronous", "FULL")
        _checkpoint_at(connection, _URGENT_CHECKPOINT_BYTES if checkpoints else 0)


@contextmanager
def engine_errors(path: Path) -> Iterator[None]:
    """Turns the engine's errors into ours, with what to do next."""
    try:
        yield
    except EdgeMemoryError:
        raise
    except apsw.FullError as error:
        raise StoreFull(f"no space left for {path}", "free some space; nothing that was answered is lost") from error
    except apsw.NotADBError as error:
        raise StoreDamaged(
            f"{path} is not a memory file, or is damaged or encrypted",
            "it was left as it is; encrypted needs store.key_file; `lobug restore` takes what `lobug backup` wrote",
        ) from error
    except apsw.CorruptError as error:
        raise StoreDamaged(f"{path} is damaged: {error}", _REPAIR) from error
    except apsw.BusyError as error:
        raise StoreInUse(f"{path} is busy: {error}", "another program holds it; try again when it ended") from error
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.IOError) as error:
        if getattr(error, "extendedresult", None) == apsw.SQLITE_IOERR_DATA:
            raise StoreDamaged(f"{path} is damaged: a page is not what was written", _REPAIR) from error
        raise StoreUnwritable(f"cannot use {path}: {error}", "check the folder's owner and free space") from error
    except apsw.ExtensionLoadingError as error:
        raise StoreError(f"the vector extension does not load: {error}", "run scripts/setup again") from error
    except apsw.Error as error:
        raise StoreError(f"{path}: {error}") from error
