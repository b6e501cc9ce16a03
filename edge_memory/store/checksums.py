"""A checksum at the end of each page of a file that is not encrypted: a rotten bit is told when its page is read.

It is SQLite's own cksumvfs, which comes with apsw as an extension in C: Python's lock is free while it works. Another
SQLite reads such a file, but what it writes has no checksums. Encrypted pages are authenticated without it.
"""

from __future__ import annotations

import ctypes
import logging
from contextlib import closing
from functools import cache

import apsw
from apsw import sqlite_extra

_log = logging.getLogger(__name__)
_RESERVED_BYTES = 8  # at the end of each page: what the extension looks for in the file's header


def vfs(*, without: bool) -> str | None:
    """What a connection is to be opened with; None is the default, which has checksums where the extension is there.

    Encryption works only without: it finds its file where nothing lies above it.
    """
    beneath = _vfs_beneath()
    return beneath if without else None


def are_possible(connection: apsw.Connection) -> bool:
    return connection.pragma("checksum_verification") is not None


def are_on(connection: apsw.Connection) -> bool:
    """Whether each page that this connection reads is compared with its checksum."""
    return are_possible(connection) and bool(int(str(connection.pragma("checksum_verification"))))


def want(connection: apsw.Connection) -> None:
    """A new file, in which nothing is written yet, gets them at once; one that is there gets them with a VACUUM."""
    _reserve(connection, _RESERVED_BYTES)


def prepare_copy(origin: apsw.Connection, copy: apsw.Connection) -> None:
    """Before pages are copied into a new file: the extension goes by its first page, which SQLite may write last."""
    if are_possible(copy) and have_room(origin):
        copy.pragma("page_size", origin.pragma("page_size"))
        want(copy)
        copy.pragma("user_version", 1)


def have_room(connection: apsw.Connection) -> bool:
    """Whether the pages of the file are made for them."""
    return _reserve(connection, -1) == _RESERVED_BYTES


def pass_first_page(connection: apsw.Connection) -> None:
    """Begins a transaction that takes the first page as it is and compares the others: in a replica SQLite's replicator
    has counted its own change there, and knows no checksums.
    """
    verified = are_on(connection)
    ignore(connection)
    connection.execute("BEGIN")
    connection.pragma("user_version")  # reads that page, which the transaction keeps
    if verified:
        connection.pragma("checksum_verification", True)


def ignore(connection: apsw.Connection) -> None:
    """What is read from now on may be wrong."""
    if are_possible(connection):
        connection.pragma("checksum_verification", False)


def _reserve(connection: apsw.Connection, count: int) -> int:
    """How many bytes of a page were kept free until now; -1 changes nothing."""
    number = ctypes.c_int(count)
    connection.file_control("main", apsw.SQLITE_FCNTL_RESERVE_BYTES, ctypes.addressof(number))
    return number.value


@cache
def _vfs_beneath() -> str | None:
    return load("cksumvfs")


def load(extension: str) -> str | None:
    """The default VFS before the extension laid itself over it; None where the extension is missing."""
    beneath = apsw.vfs_names()[0]
    try:
        with closing(apsw.Connection(":memory:")) as connection:
            sqlite_extra.load(connection, extension)
    except (LookupError, sqlite_extra.NotAvailable, apsw.Error) as error:
        _log.warning("pages will have no checksums: %s", error)
        return None
    return beneath
