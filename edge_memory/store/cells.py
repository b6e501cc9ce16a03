"""One page of SQLite's trees, read by itself: sqlite.org/fileformat.html, 1.6 and 2."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from edge_memory.store.pages import Pages

Value = None | int | float | str | bytes

_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # of a serial type
_REAL, _ZERO, _ONE, _FIRST_BLOB = 7, 8, 9, 12


class Kind(IntEnum):
    """Of a page. A table without rowids is kept as an index is, with rows on inner pages too."""

    INDEX_INNER = 2
    TABLE_INNER = 5
    INDEX_LEAF = 10
    TABLE_LEAF = 13


_KINDS = {int(kind): kind for kind in Kind}


@dataclass(frozen=True, slots=True)
class Row:
    """`rowid` is None where there is none. As many values as the table had columns when it was written."""

    rowid: int | None
    values: tuple[Value, ...]


def kind_of(pages: Pages, number: int) -> Kind | None:
    """None for a page of no tree."""
    page, at = pages.page(number), _header_at(number)
    return _KINDS.get(page[at]) if len(page) > at else None


def children(pages: Pages, number: int) -> list[tuple[int, int | None]]:
    """Of an inner page: each below it, and the largest rowid there; None where it is not told. Empty if unreadable."""
    page, kind = pages.page(number), kind_of(pages, number)
    try:
        below = [
            (_number(page, cell), _varint(page, cell + 4)[0] if kind is Kind.TABLE_INNER else None)
            for cell in _cells_at(page, number, kind)
        ]
    except IndexError:
        return []
    return [*below, (_number(page, _header_at(number) + 8), None)]


def rows_of(pages: Pages, number: int) -> tuple[list[Row], int]:
    """Of a page of rows: those that can be read, and the number of the others. Raises nothing."""
    page, kind = pages.page(number), kind_of(pages, number)
    found, broken = [], 0
    try:
        for at in _cells_at(page, number, kind):
            try:
                found.append(_row(pages, page, kind, at))
            except (ValueError, LookupError, struct.error):
                broken += 1
    except IndexError:
        broken += 1
    return found, broken


def _header_at(number: int) -> int:
    return 100 if number == 1 else 0


def _number(page: bytes, at: int, size: int = 4) -> int:
    return int.from_bytes(page[at : at + size], "big")


def _cells_at(page: bytes, number: int, kind: Kind | None) -> Iterator[int]:
    """Raises IndexError after the last that the page has room for."""
    at = _header_at(number)
    array = at + (12 if kind in (Kind.TABLE_INNER, Kind.INDEX_INNER) else 8)
    for place in range(array, array + 2 * _number(page, at + 3, 2), 2):
        if place + 2 > len(page):
            raise IndexError("more cells than fit on a page")
        yield _number(page, place, 2)


def _row(pages: Pages, page: bytes, kind: Kind | None, at: int) -> Row:
    if kind is Kind.INDEX_INNER:
        at += 4
    length, at = _varint(page, at)
    rowid = None
    if kind is Kind.TABLE_LEAF:
        rowid, at = _varint(page, at)
    return Row(rowid, tuple(_values(_payload(pages, page, at, length, is_table=rowid is not None))))


def _payload(pages: Pages, page: bytes, at: int, length: int, *, is_table: bool) -> bytes:
    """Of a cell whose content begins `at`; what does not fit on its page goes on in a chain of others."""
    if not 0 < length <= pages.count * pages.size:
        raise ValueError("no payload is so long")
    here = _length_here(pages.usable, length, is_table=is_table)
    parts, following = [page[at : at + here]], _number(page, at + here)
    missing, seen = length - here, set()
    while missing > 0:
        page = pages.page(following)
        if following in seen or not any(page):
            raise ValueError("a page that it goes on is lost")
        seen.add(following)
        parts.append(page[4 : 4 + missing])
        missing, following = missing - len(parts[-1]), _number(page, 0)
    return b"".join(parts)


def _length_here(usable: int, length: int, *, is_table: bool) -> int:
    most = usable - 35 if is_table else (usable - 12) * 64 // 255 - 23
    if length <= most:
        return length
    least = (usable - 12) * 32 // 255 - 23
    fitting = least + (length - least) % (usable - 4)
    return fitting if fitting <= most else least


def _values(payload: bytes) -> Iterator[Value]:
    """Raises ValueError unless they fill the payload to the last byte."""
    end, at = _varint(payload, 0)
    body = end
    while at < end:
        kind, at = _varint(payload, at)
        size = _size(kind)
        yield _value(kind, payload[body : body + size])
        body += size
    if at != end or body != len(payload):
        raise ValueError("not the record that its header tells of")


def _size(kind: int) -> int:
    if kind >= _FIRST_BLOB:
        return (kind - _FIRST_BLOB) // 2
    return 8 if kind == _REAL else _INTEGER_BYTES.get(kind, 0)


def _value(kind: int, content: bytes) -> Value:
    if kind >= _FIRST_BLOB:
        return content.decode() if kind % 2 else content
    if kind == _REAL:
        return float(struct.unpack(">d", content)[0])
    if kind in _INTEGER_BYTES:
        return int.from_bytes(content, "big", signed=True)
    return {0: None, _ZERO: 0, _ONE: 1}[kind]


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of 64 bits with a sign, and where it ends. Raises IndexError."""
    number = 0
    for end in range(at, at + 8):
        number = number << 7 | content[end] & 0x7F
        if content[end] < 0x80:
            return number, end + 1
    number = number << 8 | content[at + 8]
    return number - 2**64 if number >= 2**63 else number, at + 9
