from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from edge_memory.store.cells import Kind, Row, Value, children, kind_of, rows_of
from edge_memory.store.pages import Pages


def _random_row(dice: random.Random) -> tuple[Value, ...]:
    long = dice.choice((0, 3, 60, 900, 9_000))
    return (
        dice.choice((None, 0, 1, -1, 127, -(2**15), 2**23 - 1, 2**31, -(2**47), 2**63 - 1, -(2**63))),
        dice.choice((None, 0.5, -1e300, 3.0)),
        "ö" * dice.randrange(long + 1),
        dice.randbytes(dice.randrange(long + 1)),
    )


def _file(path: Path, page_size: int, seed: int) -> tuple[Pages, list[Row], list[Row]]:
    """Its pages, and what SQLite says are the rows of a table with rowids and of one without."""
    dice = random.Random(seed)
    with closing(apsw.Connection(str(path))) as connection:
        connection.pragma("page_size", page_size)
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE many (a, b, c, d)")
        connection.execute("CREATE TABLE keyed (k INTEGER, a, b, c, d, PRIMARY KEY (k)) WITHOUT ROWID")
        for number in range(100):
            rowid = dice.randrange(-(2**63), 2**63)
            row = _random_row(dice)
            connection.execute("INSERT INTO many (rowid, a, b, c, d) VALUES (?, ?, ?, ?, ?)", (rowid, *row))
            connection.execute("INSERT INTO keyed VALUES (?, ?, ?, ?, ?)", (number, *row))
        connection.execute("COMMIT")
        many = [Row(int(str(rowid)), tuple(row)) for rowid, *row in connection.execute("SELECT rowid, * FROM many")]
        keyed = [Row(None, tuple(row)) for row in connection.execute("SELECT * FROM keyed")]
        return Pages(connection.serialize("main") or b""), many, keyed


@pytest.mark.parametrize("page_size", [512, 1_024, 4_096, 65_536])
def test_every_row_is_read_from_its_page_as_sqlite_reads_it(tmp_path: Path, page_size: int) -> None:
    pages, many, keyed = _file(tmp_path / "rows.db", page_size, seed=page_size)
    of_tables: list[Row] = []
    without_rowids: list[Row] = []
    for number in range(2, pages.count + 1):
        kind = kind_of(pages, number)
        if kind is not None and kind is not Kind.TABLE_INNER:
            rows, broken = rows_of(pages, number)
            assert broken == 0
            (of_tables if kind is Kind.TABLE_LEAF else without_rowids).extend(rows)
    assert sorted(map(repr, of_tables)) == sorted(map(repr, many))
    assert sorted(map(repr, without_rowids)) == sorted(map(repr, keyed))


def test_nothing_on_a_page_stops_the_reading(tmp_path: Path) -> None:
    pages, _, _ = _file(tmp_path / "rows.db", 512, seed=1)
    dice = random.Random(2)
    whole = b"".join(pages.page(number).ljust(512, b"\0") for number in range(1, pages.count + 1))
    broken = 0
    for _ in range(20):
        content = bytearray(whole)
        for _ in range(2_000):
            content[dice.randrange(100, len(content))] = dice.randrange(256)
        damaged = Pages(bytes(content))
        for number in range(damaged.count + 2):
            if kind_of(damaged, number) is not None:
                broken += rows_of(damaged, number)[1]
                children(damaged, number)
    assert broken > 0
