"""Encrypting a file that is there, and taking the encryption off again: a checked copy takes its place."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path

from edge_memory.errors import StoreInUse
from edge_memory.store import schema
from edge_memory.store.backups import Backups
from edge_memory.store.connection import Connection, engine_errors, open_connection
from edge_memory.store.erase import empty_log
from edge_memory.store.key import set_key, use_key
from edge_memory.store.lock import ServingLock
from edge_memory.store.snapshot import copy_checked, sync

_PATIENCE_SECONDS = 3.0


def encrypt(database: Path, key_file: Path, backups: Backups) -> None:
    """The file and all its own copies. Cut off at any moment, `database` is whole, either way.

    Raises StoreError, and StoreInUse while a companion serves it.
    """
    _change(database, key_file, backups, encrypted=True)


def decrypt(database: Path, key_file: Path, backups: Backups) -> None:
    """As `encrypt`."""
    _change(database, key_file, backups, encrypted=False)


def _change(database: Path, key_file: Path, backups: Backups, *, encrypted: bool) -> None:
    before, after = (None, key_file) if encrypted else (key_file, None)
    lock, fresh = ServingLock(database), database.with_name(f"{database.name}.rekeyed")
    if not lock.acquire(_PATIENCE_SECONDS):
        raise StoreInUse(f"a companion serves {database}", "stop it, and start it again afterwards")
    try:
        use_key(before)
        _empty(database)
        copy_checked(database, fresh)
        use_key(key_file)
        _rekey(fresh, before, key_file, encrypted=encrypted)
        use_key(after)
        with engine_errors(fresh), closing(open_connection(fresh, writes=True, checkpoints=True)) as connection:
            schema.check_whole(connection, fresh)
            connection.pragma("journal_mode", "DELETE")
        sync(fresh)
        for ending in ("-wal", "-shm"):
            database.with_name(database.name + ending).unlink(missing_ok=True)
        fresh.replace(database)
        sync(database.parent)
        backups.renew()
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        lock.release()


def _empty(database: Path) -> None:
    """Nothing may stay in the log, which has the pages as they were."""
    with engine_errors(database), closing(open_connection(database, writes=True, checkpoints=True)) as connection:
        if not empty_log(connection):
            raise StoreInUse(f"another program reads {database}", "close it, then try again")


def _rekey(fresh: Path, before: Path | None, key_file: Path, *, encrypted: bool) -> None:
    use_key(before)
    with engine_errors(fresh), closing(_alone(fresh)) as connection:
        use_key(key_file)
        set_key(connection, encrypted=encrypted)


def _alone(path: Path) -> Connection:
    connection = open_connection(path, writes=True, checkpoints=True, with_checksums=False)
    connection.pragma("journal_mode", "DELETE")
    return connection
