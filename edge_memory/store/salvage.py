"""Saving what can still be read of a damaged file into a whole one: page by page, also where the way to a page is lost.

Every connection overwrites what it deletes (`secure_delete`), so that no page holds rows that were taken out.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw

from edge_memory.errors import StoreDamaged
from edge_memory.store import schema, turn_index
from edge_memory.store.cells import Kind, Row, Value, children, kind_of, rows_of
from edge_memory.store.connection import Connection, engine_errors, open_connection
from edge_memory.store.pages import Pages, readings
from edge_memory.store.shapes import Shape, only_fitting, shapes_of

_DOCUMENTS = {  # columns of JSON
    "records": ("value", "tags", "surprise"),
    "fact_history": ("before", "after"),
    "conversation_log": ("timings",),
    "jobs": ("payload",),
}
_MIGRATION = re.compile(r"migration (\d+) ")
_LARGEST_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Saved:
    """Of one table: rows saved, and at most how many were lost: ids that no row has and that stood on pages which
    cannot be read, or such pages, where a table has no ids; and rows that damage made impossible.
    """

    table: str
    rows: int
    lost: int


@dataclass(slots=True)
class _Found:
    """Of one table, in the file that is there. `gaps`: ids above the first and up to the second that cannot be read."""

    shape: Shape
    astray: list[Row] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    gaps: list[tuple[int, int]] = field(default_factory=list)
    broken: int = 0
    largest_id: int = 0

    def lost(self) -> int:
        ids = sorted(row.rowid for row in (*self.astray, *self.rows) if row.rowid is not None)
        if not self.shape.has_rowids:
            return self.broken + len(self.gaps)
        top = max([self.largest_id, *ids[-1:]])
        return self.broken + sum(_missing(ids, max(low, 0), min(high, top)) for low, high in self.gaps)


def salvage(damaged: Path, target: Path) -> list[Saved]:
    """Writes all rows of base tables that can be read into `target`, a new file with indices of its own.

    Vectors are left out: the embedder makes them again. Raises StoreDamaged if there are no rows of ours, StoreTooNew
    for a file of a newer version.
    """
    best: list[_Found] = []
    version, best_rank = 0, (False, 0)
    with TemporaryDirectory(dir=target.parent) as folder, engine_errors(damaged):
        for pages in readings(damaged, Path(folder)):
            its_version, found = _find(pages, damaged)
            rank = (pages.version > 0, sum(len(table.astray) + len(table.rows) for table in found))
            if rank[1] and rank > best_rank:
                version, best, best_rank = its_version, found, rank
            if best_rank[0]:
                break
    if not best:
        raise StoreDamaged(
            f"nothing of {damaged} can be read: it is no memory file, or encrypted with another key",
            "check store.key_file, or put a copy back with `lobug restore`",
        )
    return _write(best, target, version)


def _find(pages: Pages, damaged: Path) -> tuple[int, list[_Found]]:
    """The version of the schema, and what there is of each table. Raises StoreTooNew."""
    landmarks = _Landmarks(pages)
    version = landmarks.version or pages.version or schema.newest_version()
    schema.check_not_newer(version, damaged)
    with closing(apsw.Connection(":memory:")) as whole:
        schema.migrate(whole, now=0.0, up_to=version)
        shapes = shapes_of(whole)
    found = {shape.name: _Found(shape) for shape in shapes if not shape.is_index}
    owners: dict[int, _Found] = {}
    for name, table in found.items():
        tree = _Tree(pages, table.shape, landmarks.roots.get(name, 0))
        table.gaps, table.largest_id = tree.gaps, landmarks.largest_ids.get(name, 0)
        owners |= dict.fromkeys(tree.pages, table)
    for number in range(1, pages.count + 1):
        _sort_in(pages, number, owners.get(number), shapes, found)
    return version, list(found.values())


def _sort_in(pages: Pages, number: int, owner: _Found | None, shapes: list[Shape], found: dict[str, _Found]) -> None:
    kind = kind_of(pages, number)
    if kind is None or kind is Kind.TABLE_INNER:
        return
    rows, broken = rows_of(pages, number)
    fitting = [row for row in rows if owner is not None and owner.shape.fits(row)]
    if owner is not None and (fitting or not rows):
        owner.rows += fitting
        owner.broken += broken + len(rows) - len(fitting)
    elif (shape := only_fitting(shapes, kind, rows)) is not None:
        found[shape.name].astray += rows
        found[shape.name].broken += broken


class _Landmarks:
    """What any page tells of the whole file: where tables begin, the largest id each has had, the schema's version."""

    def __init__(self, pages: Pages) -> None:
        self.roots: dict[str, int] = {}
        self.largest_ids: dict[str, int] = {}
        self.version = 0
        for number in range(1, pages.count + 1):
            if kind_of(pages, number) is Kind.TABLE_LEAF:
                for row in rows_of(pages, number)[0]:
                    self._take(row.values)

    def _take(self, values: tuple[Value, ...]) -> None:
        match values:
            case ("table", str(name), str(), int(root), str()):  # of sqlite_schema
                self.roots[name] = root
            case (str(name), int(largest)):  # of sqlite_sequence
                self.largest_ids[name] = largest
            case (str(name), str()) if step := _MIGRATION.match(name):  # of meta
                self.version = max(self.version, int(step[1]))


class _Tree:
    """The pages with rows that are found from a table's root, and between which ids there are others."""

    def __init__(self, pages: Pages, shape: Shape, root: int) -> None:
        self.pages: list[int] = []
        self.gaps: list[tuple[int, int]] = []
        self._inner = Kind.TABLE_INNER if shape.has_rowids else Kind.INDEX_INNER
        self._kinds = shape.kinds
        self._seen: set[int] = set()
        self._walk(pages, root, 0, _LARGEST_ID)

    def _walk(self, pages: Pages, number: int, low: int, high: int) -> None:
        kind = kind_of(pages, number)
        below = children(pages, number) if kind is self._inner else []
        if number in self._seen or not (below or kind in self._kinds):
            self.gaps.append((low, high))
            return
        self._seen.add(number)
        if kind in self._kinds:
            self.pages.append(number)
        for child, key in below:
            self._walk(pages, child, low, high if key is None else key)
            low = low if key is None else key


def _missing(ids: list[int], low: int, high: int) -> int:
    return max(high - low - (bisect_right(ids, high) - bisect_right(ids, low)), 0)


def _write(found: list[_Found], target: Path, version: int) -> list[Saved]:
    target.unlink(missing_ok=True)
    target.touch(mode=0o600)
    with engine_errors(target), closing(open_connection(target, writes=True, checkpoints=True)) as copy:
        schema.migrate(copy, now=0.0, up_to=version)
        copy.pragma("foreign_keys", False)  # what it refers to may be lost
        with copy:
            saved = [_save(copy, table) for table in found]
            copy.execute("DELETE FROM fact_history WHERE record_id NOT IN (SELECT id FROM records)")
        schema.migrate(copy, now=0.0)
        with copy:
            turn_index.rebuild(copy)
    return saved


def _save(copy: Connection, table: _Found) -> Saved:
    name, columns = table.shape.name, table.shape.columns
    documents = _defaults_of_documents(copy, name)
    kept = failed = 0
    for row in (*table.astray, *table.rows):  # what is in its place wins
        values = {
            column.name: row.rowid if column.is_rowid else value
            for column, value in zip(columns, row.values, strict=False)
        }
        values |= {key: default for key, default in documents.items() if not _is_document(values.get(key))}
        insert = f"INSERT OR REPLACE INTO {name} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"
        try:
            copy.execute(insert, tuple(values.values()))
            kept += 1
        except (apsw.ConstraintError, apsw.MismatchError):  # a row that damage made impossible
            failed += 1
    return Saved(name, kept, failed + table.lost())


def _defaults_of_documents(copy: Connection, table: str) -> dict[str, str | None]:
    """What stands in for a document that damage made unreadable: no reader stumbles over it."""
    told = copy.execute("SELECT name, dflt_value FROM pragma_table_info(?)", (table,))
    return {
        str(name): None if default is None else str(default).strip("'")
        for name, default in told
        if name in _DOCUMENTS.get(table, ())
    }


def _is_document(text: Any) -> bool:
    if text is None:
        return True
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
