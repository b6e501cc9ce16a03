"""What the rows of each table look like, by which a page tells of which table it is when no other page does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edge_memory.store.cells import Kind, Row, Value
from edge_memory.store.connection import Connection

_HOLDS: dict[type, tuple[str, ...]] = {  # SQLite keeps a REAL without a fraction as an integer
    int: ("INTEGER", "REAL"),
    float: ("REAL",),
    str: ("TEXT",),
    bytes: ("BLOB",),
}


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str
    may_be_null: bool
    may_be_missing: bool = False
    """In rows that are older than the column."""
    is_rowid: bool = False
    """Another name for it: the row itself has NULL there."""

    def fits(self, value: Value) -> bool:
        if value is None:
            return self.may_be_null or self.is_rowid
        return not self.is_rowid and self.type in _HOLDS[type(value)]


@dataclass(frozen=True, slots=True)
class Shape:
    """Of a table, or of an index, whose rows must not be taken for those of a table. Columns are in the order kept."""

    name: str
    columns: tuple[Column, ...]
    has_rowids: bool
    is_index: bool = False

    @property
    def kinds(self) -> tuple[Kind, Kind]:
        """Of the pages that have its rows."""
        return (Kind.TABLE_LEAF, Kind.TABLE_LEAF) if self.has_rowids else (Kind.INDEX_LEAF, Kind.INDEX_INNER)

    def fits(self, row: Row) -> bool:
        given = len(row.values)
        return (
            0 < given <= len(self.columns)
            and all(column.fits(value) for column, value in zip(self.columns, row.values, strict=False))
            and all(column.may_be_missing for column in self.columns[given:])
        )


def shapes_of(connection: Connection) -> list[Shape]:
    """Of every table of ours and their indices, in the order in which they were made. What can be made anew from them
    (words, vectors) is left out.
    """
    order = {str(name): at for at, (name,) in enumerate(connection.execute("SELECT name FROM sqlite_schema"))}
    rows = connection.execute(
        "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        " AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name <> 'vector_changes'"
    )
    tables = sorted(((str(name), not without) for name, without in rows), key=lambda table: order[table[0]])
    shapes = [_table(connection, *table) for table in tables]
    return shapes + [index for shape in shapes for index in _indices(connection, shape)]


def only_fitting(shapes: Sequence[Shape], kind: Kind | None, rows: Sequence[Row]) -> Shape | None:
    """The one of which all of these can be, on a page of this kind. None for an index, and where there are several."""
    fitting = [shape for shape in shapes if kind in shape.kinds and all(map(shape.fits, rows))]
    return fitting[0] if rows and len(fitting) == 1 and not fitting[0].is_index else None


def _table(connection: Connection, name: str, has_rowids: bool) -> Shape:
    told = connection.execute(
        'SELECT name, type, "notnull", dflt_value IS NOT NULL, pk FROM pragma_table_info(?)', (name,)
    ).fetchall()
    keys = sum(bool(key) for *_, key in told)
    columns = [
        Column(
            name=str(column),
            type=str(kind),
            may_be_null=not needed,
            may_be_missing=not key and (not needed or bool(default)),
            is_rowid=has_rowids and keys == 1 and bool(key) and kind == "INTEGER",
        )
        for column, kind, needed, default, key in told
    ]
    if not has_rowids:  # its key comes first
        place = {str(column): int(str(key)) or len(told) + 1 for column, *_, key in told}
        columns.sort(key=lambda column: place[column.name])
    return Shape(name, tuple(columns), has_rowids)


def _indices(connection: Connection, table: Shape) -> list[Shape]:
    """Those of a table with rowids, which stand after what is indexed."""
    if not table.has_rowids:
        return []
    by_name = {column.name: column for column in table.columns}
    rowid = Column("rowid", "INTEGER", may_be_null=False)
    shapes = []
    for (name,) in connection.execute("SELECT name FROM pragma_index_list(?)", (table.name,)).fetchall():
        indexed = connection.execute("SELECT name FROM pragma_index_info(?)", (name,)).fetchall()
        columns = [by_name.get(str(column), rowid) for (column,) in indexed]
        shapes.append(Shape(str(name), (*columns, rowid), has_rowids=False, is_index=True))
    return shapes
