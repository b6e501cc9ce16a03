"""A copy of the file's vectors in memory, where a search costs one product of a matrix and a vector."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from edge_memory.protocols import Vectors
from edge_memory.store import vectors
from edge_memory.store.connection import Connection
from edge_memory.store.matrices import Matrix, Rows, SmallMatrix, WholeMatrix
from edge_memory.store.vectors import EVERYTHING, Source

_LEAST_ROWS = 64
_MOST_WHOLE = 20_000  # vectors that are kept as they are; of 384 numbers, in 31 MB


class VectorMirror:
    """The file is the truth: `catch_up` reads what changed, whoever wrote it, and is to be called in the transaction
    whose view the search should have. For one thread. From `most_whole` vectors on it holds them small, and its first
    look at all of them is an estimate.
    """

    def __init__(self, source: Source, most_whole: int = _MOST_WHOLE) -> None:
        self._source = source
        self._most_whole = most_whole
        self._seen = -1
        self._rows: dict[int, int] = {}
        self._ids = np.empty(0, dtype=np.int64)
        self._make: type[WholeMatrix | SmallMatrix] = WholeMatrix
        self._matrix: Matrix = WholeMatrix(0)

    def __len__(self) -> int:
        return len(self._rows)

    def catch_up(self, connection: Connection) -> None:
        """Makes the copy equal to what `connection` sees."""
        newest = vectors.last_change(connection)
        if newest == self._seen:
            return
        changed = vectors.changes(connection, self._source, self._seen)
        outgrown = self._matrix.is_exact and len(self._rows) + len(changed) > self._most_whole
        if self._seen < 0 or outgrown or any(source_id == EVERYTHING for _, source_id in changed):
            self._load(connection)
        else:
            for _, source_id in changed:
                self._set(source_id, vectors.get(connection, source_id, self._source))
        self._seen = newest

    @property
    def ids(self) -> Rows:
        """The id of each row."""
        return self._ids[: len(self._rows)]

    @property
    def is_exact(self) -> bool:
        return self._matrix.is_exact

    def scan(self, query: Vectors) -> Vectors:
        """How near each row is to `query` of shape (dimension,): its cosine if it `is_exact`, else an estimate."""
        if not self._rows:
            return np.empty(0, dtype=np.float32)
        return self._matrix.scan(len(self._rows), query)

    def cosines(self, rows: Rows, query: Vectors) -> Vectors:
        """Those of some rows."""
        return self._matrix.exactly(rows, query) if len(rows) else np.empty(0, dtype=np.float32)

    def rows_of(self, source_ids: Iterable[int]) -> dict[int, int]:
        """Where each of these ids that has a vector stands in `ids` and in what `scan` returns."""
        rows = self._rows
        return {source_id: rows[source_id] for source_id in source_ids if source_id in rows}

    def vectors_of(self, source_ids: Iterable[int]) -> dict[int, Vectors]:
        """The vectors of those of these ids that have one."""
        return {source_id: self._matrix.at(row) for source_id, row in self.rows_of(source_ids).items()}

    def _load(self, connection: Connection) -> None:
        self._rows = {}
        self._make = WholeMatrix if vectors.count(connection, self._source) <= self._most_whole else SmallMatrix
        for source_id, vector in vectors.each(connection, self._source):
            self._set(source_id, vector)

    def _set(self, source_id: int, vector: bytes | None) -> None:
        row = self._rows.get(source_id)
        if vector is None:
            if row is not None:
                self._drop(source_id, row)
            return
        numbers = np.frombuffer(vector, dtype=np.float32)
        if row is None:
            row = len(self._rows)
            if not row:
                self._matrix, self._ids = self._make(len(numbers)), self._ids[:0]
            if row == len(self._ids):
                self._grow(row + max(_LEAST_ROWS, row // 2))
            self._rows[source_id] = row
            self._ids[row] = source_id
        self._matrix.put(row, numbers)

    def _drop(self, source_id: int, row: int) -> None:
        """Puts the last row in the place of the dropped one."""
        last = len(self._rows) - 1
        moved = int(self._ids[last])
        self._ids[row] = moved
        self._matrix.move(last, row)
        self._rows[moved] = row
        del self._rows[source_id]

    def _grow(self, rows: int) -> None:
        self._matrix.grow(rows)
        self._ids = np.concatenate([self._ids, np.empty(rows - len(self._ids), dtype=np.int64)])
