"""Two ways to hold many vectors in memory: as they are, and small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from edge_memory.protocols import Vectors

Rows = NDArray[np.int64]
Number = TypeVar("Number", bound=np.generic)
_WORD_BITS = 64


class Matrix(Protocol):
    """Rows of vectors of length 1. Unless it `is_exact`, `scan` only estimates."""

    @property
    def is_exact(self) -> bool: ...

    def grow(self, rows: int) -> None:
        """Makes room for this many rows in all; those that are there stay."""

    def put(self, row: int, vector: Vectors) -> None: ...

    def move(self, source: int, target: int) -> None: ...

    def scan(self, rows: int, query: Vectors) -> Vectors:
        """How near each of the first `rows` is to `query` of shape (dimension,): the cosine, or what grows with it."""

    def exactly(self, rows: Rows | Sequence[int], query: Vectors) -> Vectors:
        """The cosines of these rows."""

    def at(self, row: int) -> Vectors:
        """The vector of a row, as a copy."""


class WholeMatrix:
    """As they are: 1.5 kB for a vector of 384."""

    def __init__(self, dimension: int) -> None:
        self._values: Vectors = np.empty((0, dimension), dtype=np.float32)

    @property
    def is_exact(self) -> bool:
        return True

    def grow(self, rows: int) -> None:
        self._values = _grown(self._values, rows)

    def put(self, row: int, vector: Vectors) -> None:
        self._values[row] = vector

    def move(self, source: int, target: int) -> None:
        self._values[target] = self._values[source]

    def scan(self, rows: int, query: Vectors) -> Vectors:
        return _products(self._values[:rows], query)

    def exactly(self, rows: Rows | Sequence[int], query: Vectors) -> Vectors:
        return _products(self._values[rows], query)

    def at(self, row: int) -> Vectors:
        vector: Vectors = self._values[row].copy()
        return vector


class SmallMatrix:
    """The signs to scan, a bit each, and 8 bits of each number to tell the nearest apart: 0.4 kB for a vector of 384.

    The share of signs that two vectors have in common grows with their cosine. What 8 bits lose of a cosine is less
    than 0.01.
    """

    def __init__(self, dimension: int) -> None:
        self._bits: NDArray[np.uint64] = np.empty((-(-dimension // _WORD_BITS), 0), dtype=np.uint64)  # a row a column
        self._bytes: NDArray[np.int8] = np.empty((0, dimension), dtype=np.int8)
        self._scales: Vectors = np.empty(0, dtype=np.float32)

    @property
    def is_exact(self) -> bool:
        return False

    def grow(self, rows: int) -> None:
        self._bits = np.ascontiguousarray(_grown(self._bits.T, rows).T)
        self._bytes, self._scales = _grown(self._bytes, rows), _grown(self._scales, rows)

    def put(self, row: int, vector: Vectors) -> None:
        self._bits[:, row] = self._signs(vector)
        self._scales[row] = np.abs(vector).max() / 127
        self._bytes[row] = np.rint(vector / self._scales[row])

    def move(self, source: int, target: int) -> None:
        for part in (self._bits.T, self._bytes, self._scales):
            part[target] = part[source]

    def scan(self, rows: int, query: Vectors) -> Vectors:
        differing = np.zeros(rows, dtype=np.uint16)
        for words, word in zip(self._bits, self._signs(query), strict=True):
            differing += np.bitwise_count(words[:rows] ^ word)
        return 1.0 - differing.astype(np.float32) / np.float32(self._bytes.shape[1])

    def exactly(self, rows: Rows | Sequence[int], query: Vectors) -> Vectors:
        return _products(self._bytes[rows].astype(np.float32), query) * self._scales[rows]

    def at(self, row: int) -> Vectors:
        vector: Vectors = self._bytes[row].astype(np.float32) * self._scales[row]
        return vector

    def _signs(self, vector: Vectors) -> NDArray[np.uint64]:
        signs = np.zeros(len(self._bits) * _WORD_BITS, dtype=bool)
        signs[: len(vector)] = vector > 0
        return np.packbits(signs).view(np.uint64)


def _products(rows: Vectors, query: Vectors) -> Vectors:
    # Not `@`: its threads spin, and wait for cores that a model is using (0.8 against 8 ms for 10,000 rows then).
    products: Vectors = np.einsum("ij,j->i", rows, query)
    return products


def _grown(part: NDArray[Number], rows: int) -> NDArray[Number]:
    return np.concatenate([part, np.empty((rows - len(part), *part.shape[1:]), dtype=part.dtype)])
