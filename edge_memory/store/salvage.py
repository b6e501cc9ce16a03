"""Saving what can still be read of a damaged file into a whole one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from os import SEEK_END
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw

from edge_memory.errors import StoreDamaged
from edge_memory.store import checksums, schema, turn_index
from edge_memory.store.connection import Connection, engine_errors, open_connection, open_untouched

_PAGE_SIZES = frozenset(2**power for power in range(9, 16))
_LARGEST_FILE = 2**38
_ROW_BYTES = 64  # where the end of a table cannot be read, its ids are taken to end where rows this small would
_DOCUMENTS = {  # columns of JSON
    "records": ("value", "tags", "surprise"),
    "fact_history": ("before", "after"),
    "conversation_log": ("timings",),
    "jobs": ("payload",),
}
_UNREADABLE = (apsw.Error, UnicodeDecodeError)
_MOST_FAILURES = 200_000  # single rows; more only happens where the table itself is gone


@dataclass(frozen=True, slots=True)
class Saved:
    """Of one table: rows saved, and ids between the first and the last of them under which nothing could be read."""

    table: str
    rows: int
    lost: int


def salvage(damaged: Path, target: Path) -> list[Saved]:
    """Writes all rows of base tables that can be read into `target`, a new file with indices of its own.

    Vectors are left out: the embedder makes them again. The log counts, unless it makes another file of this one.
    Raises StoreDamaged if not even the schema can be read.
    """
    with TemporaryDirectory(dir=target.parent) as folder:
        readable = Path(folder) / damaged.name
        for with_log in (True, False):
            _make_readable(damaged, readable, with_log=with_log)
            with suppress(StoreDamaged):
                return _salvage(readable, target)
    raise StoreDamaged(f"nothing of {damaged} can be read", "put a copy back with `lobug restore`")


def _make_readable(damaged: Path, readable: Path, *, with_log: bool) -> None:
    """SQLite reads nothing of a file that is shorter than its header says: what is missing becomes zeros."""
    shutil.copyfile(damaged, readable)
    with readable.open("r+b") as file:
        header = file.read(32)
        page_size, pages = int.from_bytes(header[16:18], "big"), int.from_bytes(header[28:32], "big")
        wanted = page_size * pages  # sqlite.org/fileformat.html, 1.3
        if page_size in _PAGE_SIZES and file.seek(0, SEEK_END) < wanted <= _LARGEST_FILE:
            file.truncate(wanted)
    for ending in ("-wal", "-shm"):
        readable.with_name(readable.name + ending).unlink(missing_ok=True)
    log = damaged.with_name(f"{damaged.name}-wal")
    if with_log and log.exists():
        shutil.copyfile(log, readable.with_name(f"{readable.name}-wal"))


def _salvage(damaged: Path, target: Path) -> list[Saved]:
    target.unlink(missing_ok=True)
    target.touch(mode=0o600)
    with engine_errors(damaged), closing(open_untouched(damaged)) as source:
        checksums.ignore(source)
        source.pragma("writable_schema", True)  # what it tells of one table that makes no sense costs no other table
        schema.check_identity(source, damaged)
        version = schema.version_of(source)
        if version == 0:
            raise StoreDamaged(f"{damaged} tells no schema", "put a copy back with `lobug restore`")
        with closing(open_connection(target, writes=True, checkpoints=True)) as copy:
            schema.migrate(copy, now=0.0, up_to=version)
            copy.pragma("foreign_keys", False)  # what it refers to may be lost
            with copy:
                saved = [_save(source, copy, *table) for table in _base_tables(copy)]
                orphans = "DELETE FROM fact_history WHERE record_id NOT IN (SELECT id FROM records)"
                copy.execute(orphans)
            schema.migrate(copy, now=0.0)
            with copy:
                turn_index.rebuild(copy)
    return saved


def _base_tables(connection: Connection) -> list[tuple[str, bool]]:
    """Name, and whether rows have ids; in the order in which they were made."""
    order = {str(name): at for at, (name,) in enumerate(connection.execute("SELECT name FROM sqlite_schema"))}
    rows = connection.execute(
        "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        " AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name <> 'vector_changes'"
    )
    return sorted(((str(name), not without) for name, without in rows), key=lambda table: order[table[0]])


def _save(source: Connection, copy: Connection, table: str, has_ids: bool) -> Saved:
    told = copy.execute(f"PRAGMA table_info({table})").fetchall()
    columns = [str(row[1]) for row in told]
    documents = {at: _default(row[4]) for at, row in enumerate(told) if row[1] in _DOCUMENTS.get(table, ())}
    insert = f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    found = _Found(source, f"SELECT {', '.join(columns)} FROM {table}")
    kept = failed = 0
    for row in found.by_id() if has_ids else found.all():
        try:
            copy.execute(insert, _with_whole_documents(row, documents))
            kept += 1
        except (apsw.ConstraintError, apsw.MismatchError):  # a row that damage made impossible
            failed += 1
    return Saved(table, kept, failed + found.lost)


def _default(sql: object) -> str | None:
    return None if sql is None else str(sql).strip("'")


def _with_whole_documents(row: tuple[Any, ...], documents: dict[int, str | None]) -> tuple[Any, ...]:
    """A document that damage made unreadable becomes the default of its column, which no reader stumbles over."""
    return tuple(
        documents[at] if at in documents and isinstance(value, str) and not _is_document(value) else value
        for at, value in enumerate(row)
    )


def _is_document(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


class _Found:
    """The rows of a query that can be read; `lost` is counted on the way."""

    def __init__(self, source: Connection, query: str) -> None:
        self._source = source
        self._query = query
        self.lost = 0

    def all(self) -> Iterator[tuple[Any, ...]]:
        """Up to the first that cannot be read."""
        try:
            yield from self._source.execute(self._query)
        except _UNREADABLE:
            self.lost += 1

    def by_id(self) -> Iterator[tuple[Any, ...]]:
        """Also those behind a page that cannot be read: ranges of ids are halved until each can, or is one id."""
        table = self._query.rpartition(" ")[2]
        first = self._number(f"SELECT min(rowid) FROM {table}")
        last = self._number(f"SELECT max(rowid) FROM {table}")
        if last is None:
            last = self._number(f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'")
        if last is None:
            last = (
                self._number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") or 0
            ) // _ROW_BYTES
        yield from self._between(1 if first is None else first, last)

    def _number(self, query: str) -> int | None:
        """None if it cannot be read, or there is none."""
        try:
            found = self._source.execute(query).get
        except _UNREADABLE:
            return None
        return None if found is None else int(str(found))

    def _between(self, first: int, last: int) -> Iterator[tuple[Any, ...]]:
        if first > last or self.lost > _MOST_FAILURES:
            return
        try:
            rows = self._source.execute(f"{self._query} WHERE rowid BETWEEN ? AND ?", (first, last)).fetchall()
        except _UNREADABLE:
            if first == last:
                self.lost += 1
                return
            middle = (first + last) // 2
            yield from self._between(first, middle)
            yield from self._between(middle + 1, last)
        else:
            yield from rows
