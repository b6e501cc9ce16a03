"""All pages of a damaged file as SQLite itself reads them: decrypted, and with what is only in the log."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import product
from pathlib import Path

import apsw

from edge_memory.store import checksums, key
from edge_memory.store.connection import APPLICATION_ID, connect

_UNREADABLE = (apsw.NotADBError, apsw.CorruptError, apsw.IOError, ValueError)
_OUR_PAGE_BYTES = (1_024, 4_096)  # of new files, and of those of older versions
_OUR_RESERVED_BYTES = (0, 8, 32)  # of each page: for nothing, a checksum, a seal


class Pages:
    """One after another. What cannot be read is zeros, or a page without rows.

    `size` and `usable` are bytes of a page, the latter without a checksum or seal at its end; `version` is that of the
    schema, 0 if the first page is none of ours (sqlite.org/fileformat.html, 1.3).
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.size = _number(content[16:18])
        if self.size == 1:
            self.size = 65_536
        self.usable = self.size - content[20]
        is_ours = _number(content[68:72]) == APPLICATION_ID and content[20] in _OUR_RESERVED_BYTES
        self.version = _number(content[60:64]) if is_ours else 0
        self.count = len(content) // self.size

    def page(self, number: int) -> bytes:
        """From 1; empty if there is none."""
        begin = (number - 1) * self.size
        return self._content[begin : begin + self.usable] if number > 0 else b""


def readings(damaged: Path, folder: Path) -> Iterator[Pages]:
    """With the log and without it, for it may belong to another file; after that with the first page of a sound file,
    where that of the damaged one does not tell of what size pages are. Works on copies in `folder`.
    """
    readable, sound = folder / "readable.db", folder / "sound.db"
    log = damaged.with_name(f"{damaged.name}-wal")
    firsts = [None, *product(_OUR_PAGE_BYTES, (False,) if key.is_used() else (True, False))]
    for first, with_log in product(firsts, (True, False) if log.exists() else (False,)):
        _remove(readable)
        shutil.copyfile(damaged, readable)
        if with_log:
            shutil.copyfile(log, readable.with_name(f"{readable.name}-wal"))
        with suppress(*_UNREADABLE):
            if first is not None:
                _make_sound(sound, *first, wanted=readable.stat().st_size)
                _mend(readable, sound, first[0], {1})
            yield Pages(_read_sealed(readable, sound) if key.is_used() else _read(readable))


def _read(path: Path, *, unsealed: bool = False) -> bytes:
    """Whole pages only. After the first that cannot be deciphered there are zeros; if `unsealed`, also a changed one is
    deciphered. Raises apsw's errors, and ValueError for a file that is no database.
    """
    whole = path.stat().st_size
    os.truncate(path, whole - whole % _page_bytes(path))
    with closing(connect(path, apsw.SQLITE_OPEN_READWRITE, with_checksums=False)) as connection:
        if unsealed:
            connection.pragma("hmac_check", False)
        key.give(connection)
        connection.pragma("writable_schema", True)  # no error of the schema keeps from the pages
        content = connection.serialize("main")
    if not content:
        raise ValueError(f"{path} has no pages")
    return content


def _read_sealed(readable: Path, sound: Path) -> bytes:
    """Of an encrypted file: every page whose seal is whole. In the place of any other stands one without rows."""
    size = _page_bytes(readable)
    if size not in _OUR_PAGE_BYTES:
        raise ValueError(f"{readable} has no pages of {size} bytes")
    _make_sound(sound, size, with_checksums=False, wanted=readable.stat().st_size)
    raw = readable.read_bytes()
    _mend(readable, sound, size, {at // size + 1 for at in range(0, len(raw), size) if not any(raw[at : at + size])})
    unsealed, first = _read(readable, unsealed=True), 0
    while True:
        content = _read(readable)
        bad = [at for at in range(first, len(content), size)
               if any(unsealed[at : at + size]) and not any(content[at : at + size])]  # fmt: skip
        if not bad:
            return content
        first = bad[0]  # after it nothing is read
        _mend(readable, sound, size, {first // size + 1})


def _number(field: bytes) -> int:
    return int.from_bytes(field, "big")


def _page_bytes(path: Path) -> int:
    """Encryption leaves them readable."""
    with path.open("rb") as file:
        return _number(file.read(18)[16:]) or 1


def _make_sound(path: Path, page_bytes: int, with_checksums: bool, *, wanted: int) -> None:
    """A file with our key and of at least `wanted` bytes, which nothing is wrong with; without rows of ours."""
    _remove(path)
    with closing(connect(path, with_checksums=with_checksums)) as connection:
        key.give(connection)
        connection.pragma("page_size", page_bytes)
        if with_checksums and checksums.are_possible(connection):
            checksums.want(connection)
        connection.execute("CREATE TABLE filler (x)")
        connection.execute("INSERT INTO filler VALUES (hex(zeroblob(?)))", (wanted // 2 + page_bytes,))


def _mend(readable: Path, sound: Path, page_bytes: int, numbers: set[int]) -> None:
    with readable.open("r+b") as file, sound.open("rb") as source:
        for number in numbers:
            file.seek((number - 1) * page_bytes)
            source.seek((number - 1) * page_bytes)
            file.write(source.read(page_bytes))


def _remove(path: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
