"""What might bear on a question: the best by words and the nearest by vectors, and what a ranker may know of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from edge_memory.protocols import Vectors
from edge_memory.recall.question import Question
from edge_memory.recall.rankers import Candidate, half_life_decay
from edge_memory.records import StoredMessage, words_of
from edge_memory.store import Connection, VectorMirror, Visible, VisibleTurns, first_visible, turn_index, words
from edge_memory.store.facets import Facets, Looked
from edge_memory.store.turn_index import Neighbours, SessionTurns
from edge_memory.store.vectors import Source
from edge_memory.store.visible import Among
from edge_memory.store.words import RowCounts

Rows = NDArray[np.int64]
_ALONE = Neighbours()
_ESTIMATED = 16  # how many times more are compared exactly where the nearest are only estimated


@dataclass(frozen=True, slots=True)
class Query:
    """`vector` of shape (dimension,) is None when recall goes by words alone. `least_cosine` is the floor for what only
    the vectors found. `limit` is how many are taken from the words and from the vectors, of each source. What is
    `half_life_days` older than `now` (Unix seconds) is half as recent, for a ranker that `dates`; for others nothing
    is old. Unless `compares`, nothing is compared with the question word by word: exact match and overlaps are left at
    nothing.
    """

    question: Question
    vector: Vectors | None
    limit: int
    least_cosine: float
    now: float
    half_life_days: float
    without: Collection[str] = ()
    dates: bool = True
    compares: bool = False

    def recency(self, at: float) -> float:
        return half_life_decay(self.now - at, self.half_life_days) if self.dates else 1.0


class Cosines:
    """How near everything of one source is to the question. Without a vector nothing is. `few` are all that may be
    found, where that is known: then only they are compared. `mirror` has caught up with the file.
    """

    def __init__(self, mirror: VectorMirror, vector: Vectors | None, few: Sequence[int] | None = None) -> None:
        self._mirror = mirror
        self._vector = vector
        self._is_exact = True
        self._values = np.empty(0, dtype=np.float32)  # of each row; estimates unless exact, NaN where not compared
        if vector is None:
            return
        if few is None:
            self._values, self._is_exact = mirror.scan(vector), mirror.is_exact
        else:
            rows = np.array(list(mirror.rows_of(few).values()), dtype=np.int64)
            self._values = np.full(len(mirror), np.nan, dtype=np.float32)
            self._values[rows] = mirror.cosines(rows, vector)

    def of(self, source_ids: Iterable[int]) -> dict[int, float]:
        """The cosines of those of these that have a vector."""
        if self._vector is None:
            return {}
        found = self._mirror.rows_of(source_ids)
        rows = np.array(list(found.values()), dtype=np.int64)
        values = self._values[rows]
        unknown = np.isnan(values) if self._is_exact else np.ones(len(rows), dtype=bool)
        values[unknown] = self._mirror.cosines(rows[unknown], self._vector)
        return dict(zip(found, values.tolist(), strict=True))

    def nearest(self, limit: int, least: float, among: Among) -> list[int]:
        """Ids of the nearest that may be seen, nearest first."""
        rows = np.flatnonzero(self._values >= (least if self._is_exact else -1.0))
        return first_visible(lambda count: self._top(rows, count, least), among, limit)

    def _top(self, rows: Rows, count: int, least: float) -> list[int]:
        looked_at = count if self._is_exact else count * _ESTIMATED
        if len(rows) > looked_at:
            rows = rows[np.argpartition(-self._values[rows], looked_at - 1)[:looked_at]]
        cosines = self._values[rows] if self._is_exact else self._compared(rows)
        order = np.argsort(-cosines, kind="stable")[:count]
        ids: list[int] = self._mirror.ids[rows[order[cosines[order] >= least]]].tolist()
        return ids

    def _compared(self, rows: Rows) -> Vectors:
        return self._values[rows] if self._vector is None else self._mirror.cosines(rows, self._vector)


def find_records(
    connection: Connection, query: Query, visible: Visible, mirror: VectorMirror, counts: RowCounts
) -> list[Candidate]:
    cosines = Cosines(mirror, query.vector)
    looked = Looked(connection, visible)
    bm25: dict[int, float] = {}
    if "words" not in query.without:
        bm25 = dict(words.search(connection, query.question.text, looked.among, query.limit, counts))
    near: list[int] = []
    if "cosine" not in query.without:
        near = cosines.nearest(query.limit, query.least_cosine, looked.among)
    found = {*bm25, *near}
    how_near = cosines.of(found)
    return [_of_record(one, query, bm25.get(one.id, 0.0), how_near.get(one.id, 0.0)) for one in looked.facets(found)]


def find_turns(
    connection: Connection,
    query: Query,
    visible: VisibleTurns,
    mirror: VectorMirror,
    sessions: SessionTurns,
    counts: RowCounts,
) -> tuple[list[Candidate], Mapping[int, StoredMessage]]:
    few = sessions.few(connection, visible)
    if few == []:
        return [], {}
    cosines = Cosines(mirror, query.vector, few)
    bm25: dict[int, float] = {}
    if "words" not in query.without:
        around, asked = "around" not in query.without, query.question.text
        told = turn_index.search(connection, asked, visible, query.limit, around=around, few=few, counts=counts)
        bm25 = dict(told)
    near: list[int] = []
    if "cosine" not in query.without:
        among: Among = set if few is not None else partial(visible.among, connection)
        near = cosines.nearest(query.limit, query.least_cosine, among)
    found = turn_index.get_many(connection, {*bm25, *near})
    beside = turn_index.neighbours(connection, found.keys())
    how_near = cosines.of({*found, *(one for near in beside.values() for one in (near.before, near.after) if one)})
    return [
        _of_turn(message, query, bm25.get(message.id, 0.0), how_near, beside.get(message.id, _ALONE))
        for message in found.values()
    ], found


def _of_record(record: Facets, query: Query, bm25: float, cosine: float) -> Candidate:
    said = words_of(record.text)
    return Candidate(
        source=Source.RECORD,
        id=record.id,
        bm25=bm25,
        cosine=cosine,
        near=cosine,
        words=len(said),
        is_of_the_kind=query.question.is_met_by(record.text),
        recency=query.recency(record.updated_at),
        importance=record.importance,
        is_active=record.is_active,
        is_procedure=record.is_procedure,
        is_exact=query.compares and record.text.casefold() == query.question.text.casefold(),
        overlap=_share(query.question, said) if query.compares else 0.0,
        tag_overlap=_share(query.question, words_of(record.about)) if query.compares else 0.0,
    )


def _of_turn(
    message: StoredMessage, query: Query, bm25: float, how_near: Mapping[int, float], beside: Neighbours
) -> Candidate:
    said = words_of(message.content)
    cosine = how_near.get(message.id, 0.0)
    around = [how_near[one] for one in (beside.before, beside.after) if one is not None and one in how_near]
    return Candidate(
        source=Source.TURN,
        id=message.id,
        bm25=bm25,
        cosine=cosine,
        near=sum(around) / len(around) if around else cosine,
        asked=how_near.get(beside.before or 0, 0.0) if beside.answers else 0.0,
        words=len(said),
        is_question=message.content.rstrip().endswith("?"),
        is_of_the_kind=query.question.is_met_by(message.content),
        is_asked_speaker=query.question.speaker == (message.speaker or ""),
        session=message.session_id,
        recency=query.recency(message.created_at),
        is_exact=query.compares and message.content.casefold() == query.question.text.casefold(),
        overlap=_share(query.question, said) if query.compares else 0.0,
    )


def _share(question: Question, said: Collection[str]) -> float:
    return len(question.words.intersection(said)) / max(len(question.words), 1)
