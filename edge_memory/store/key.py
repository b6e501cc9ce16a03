"""The key of the one file that this process works on, and of all its copies: pages are encrypted and authenticated."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

import apsw

from edge_memory.errors import KeyUnusable, StoreLocked

_HEX = re.compile(r"[0-9a-fA-F]{64}")
_held: str | None = None


def use_key(file: Path | None) -> None:
    """From now on every database is opened with the key in `file`; None: without one. Raises KeyUnusable."""
    global _held  # noqa: PLW0603 - one process has one memory, and its copies have the same key
    _held = None if file is None else _read(file)


def is_used() -> bool:
    return _held is not None


def make_key(file: Path) -> None:
    """A new key in a new file that only its owner may read. Raises KeyUnusable."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as opened:
            opened.write(f"{secrets.token_hex(32)}\n")
            opened.flush()
            os.fsync(descriptor)
    except OSError as error:
        raise KeyUnusable(f"cannot write {file}: {error.strerror}", "give another store.key_file") from error


def unlock(connection: apsw.Connection, path: Path) -> None:
    """To be called before anything else is done with the connection. Raises StoreLocked; nothing is touched."""
    if _held is None:
        return
    give(connection)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except apsw.NotADBError as error:
        if _is_plain(path):
            raise StoreLocked(
                f"{path} is not encrypted, and store.key_file is set", "run `lobug encrypt`, or unset it"
            ) from error
        raise StoreLocked(
            f"{path} cannot be read with the key of store.key_file", "it is another key, or the file is damaged"
        ) from error


def give(connection: apsw.Connection) -> None:
    """As `unlock`, without a look at whether the file can be read with the key."""
    if _held is not None:
        _give(connection, "key", _held)


def set_key(connection: apsw.Connection, *, encrypted: bool) -> None:
    """Writes every page anew, with the key or without. The connection must be alone, and not in WAL mode."""
    assert _held is not None, "there is no key"
    _give(connection, "rekey", _held if encrypted else "")


def _give(connection: apsw.Connection, verb: str, key: str) -> None:
    connection.pragma("cipher", "chacha20")
    connection.execute(f"PRAGMA {verb} = '{f'raw:{key}' if key else ''}'").fetchall()


def _is_plain(path: Path) -> bool:
    """Asked by way of SQLite: a file that this process closes itself loses all locks that it has on it (fcntl(2)), and
    the next program to leave the file then deletes the log under the connections that write to it.
    """
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except apsw.Error:
        return False
    finally:
        connection.close()
    return True


def _read(file: Path) -> str:
    try:
        if file.stat().st_mode & 0o077:
            raise KeyUnusable(f"others may read the key in {file}", f"chmod 600 {file}")
        key = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise KeyUnusable(
            f"cannot read the key in {file}: {error}", "put it back; without it nothing can be read"
        ) from error
    if not _HEX.fullmatch(key):
        raise KeyUnusable(f"{file} holds no key", "a key is 64 hexadecimal digits; `lobug encrypt` makes one")
    return key
