from __future__ import annotations

from contextlib import closing

import apsw
import pytest

from edge_memory.store import schema
from edge_memory.store.cells import Kind, Row, Value
from edge_memory.store.shapes import Column, Shape, only_fitting, shapes_of

_ALIKE = {"measures", "measure_samples"}  # figures; not worth a table of their own kind


def _shapes() -> list[Shape]:
    with closing(apsw.Connection(":memory:")) as connection:
        schema.migrate(connection, now=0.0)
        return shapes_of(connection)


def _can_be_taken_for(one: Shape, other: Shape) -> bool:
    """Whether a row with all columns of `one` can also be one of `other`."""
    if one.kinds != other.kinds or len(one.columns) > len(other.columns):
        return False
    pairs = zip(one.columns, other.columns, strict=False)
    missing = other.columns[len(one.columns) :]
    return all(_meet(*pair) for pair in pairs) and all(column.may_be_missing for column in missing)


def _meet(one: Column, other: Column) -> bool:
    """A number that is meant to have a fraction is taken to have one."""
    samples: dict[str, Value] = {"INTEGER": 1, "REAL": 0.5, "TEXT": "text", "BLOB": b"blob"}
    return any(one.fits(value) and other.fits(value) for value in (None, samples[one.type]))


@pytest.mark.parametrize("shape", [shape for shape in _shapes() if not shape.is_index], ids=lambda shape: shape.name)
def test_a_page_of_a_table_can_be_told_from_those_of_all_others(shape: Shape) -> None:
    others = [other.name for other in _shapes() if other.name != shape.name and _can_be_taken_for(shape, other)]
    assert not set(others) - (_ALIKE if shape.name in _ALIKE else set())


def test_rows_of_an_older_version_lack_only_columns_that_came_later() -> None:
    turns = next(shape for shape in _shapes() if shape.name == "conversation_log")
    row = (None, "t1", "user", "hello", "kitchen", "owner", None, "respond", None, 1_900_000_000, 0)
    assert turns.fits(Row(1, row))
    assert not turns.fits(Row(1, row[:5]))
    assert not turns.fits(Row(1, (*row, None, None)))


def test_a_page_of_an_index_is_of_no_table() -> None:
    shapes = _shapes()
    indexed = Row(None, ("t1", "user", 7))  # the unique index of conversation_log
    assert only_fitting(shapes, Kind.INDEX_LEAF, [indexed]) is None
    paired = Row(None, ("abc", "desk", "kitchen", "owner", "desk", b"hash", 1_900_000_000.5))
    found = only_fitting(shapes, Kind.INDEX_LEAF, [paired])
    assert found is not None
    assert found.name == "devices"
    assert only_fitting(shapes, Kind.TABLE_LEAF, [paired]) is None
