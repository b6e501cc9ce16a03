"""Recall before a reply: one embedding, one search by words, one by vectors, one ranking."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from edge_memory.config import MemoryConfig
from edge_memory.errors import EdgeMemoryError, ModelUnavailable
from edge_memory.protocols import Embedder, Purpose, Vectors
from edge_memory.recall.rankers import Candidates, Ranker, rank
from edge_memory.records import Record, RecordHit, Status
from edge_memory.store import Connection, Store, Visible, records, vectors, words

_log = logging.getLogger(__name__)
_RECALLABLE = frozenset({Status.ACTIVE})
_SEARCHABLE = frozenset({Status.ACTIVE, Status.PENDING, Status.ARCHIVED})


@dataclass(frozen=True, slots=True)
class Recollection:
    """What was found, best first, what finding it took in milliseconds, and what had to be left out."""

    hits: tuple[RecordHit, ...] = ()
    embed_ms: float = 0.0
    recall_ms: float = 0.0
    degraded: str = ""


class Recaller:
    """Goes by words alone while there is no embedder or the stored vectors are another embedder's."""

    def __init__(
        self, store: Store, embedder: Embedder | None, config: MemoryConfig, clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._config = config
        self._clock = clock

    async def recall(self, text: str, session_id: str, user_id: str) -> Recollection:
        """For a reply: what is believed now and good enough to be shown to the model. Never raises."""
        began = time.perf_counter()
        vector, degraded = await self._embed(text)
        embedded = time.perf_counter()
        visible = Visible(user_id, _RECALLABLE, session_id)
        try:
            hits = await self._find(text, vector, visible, self._config.retrieval_min_similarity)
        except EdgeMemoryError as error:
            _log.warning("answered without recall: %s", error.message)
            hits, degraded = [], error.message
        done = time.perf_counter()
        kept = tuple(hits[: self._config.retrieval_top_k])
        return Recollection(kept, (embedded - began) * 1e3, (done - embedded) * 1e3, degraded)

    async def search(self, text: str, limit: int, user_id: str) -> list[RecordHit]:
        """For a person who looks: also what is pending or archived."""
        vector, _ = await self._embed(text)
        return (await self._find(text, vector, Visible(user_id, _SEARCHABLE), -1.0))[:limit]

    async def _embed(self, text: str) -> tuple[Vectors | None, str]:
        """The vector, or None and why there is none."""
        if self._embedder is None:
            return None, "no embedder"
        try:
            rows = await self._embedder.embed([text], Purpose.QUERY)
        except ModelUnavailable as error:
            _log.warning("recall goes by words alone: %s", error.message)
            return None, error.message
        except Exception as error:  # noqa: BLE001 - whatever ails the embedder, the reply goes out
            _log.warning("recall goes by words alone: %s", type(error).__name__)
            return None, type(error).__name__
        return rows[0], ""

    async def _find(self, text: str, vector: Vectors | None, visible: Visible, least_cosine: float) -> list[RecordHit]:
        """`least_cosine` is the floor for what only the vectors found."""
        limit = self._config.recall_candidates

        def look(connection: Connection) -> tuple[Candidates, list[Record]]:
            lexical = dict(words.search(connection, text, visible, limit))
            cosine = {}
            if vector is not None and vectors.are_of(connection, self._embedder):
                near = vectors.nearest(connection, vector, visible, limit)
                cosine = {id_: nearness for id_, nearness in near if id_ in lexical or nearness >= least_cosine}
            found = records.get_many(connection, [*lexical, *cosine])
            return Candidates(lexical, cosine), list(found.values())

        candidates, found = await self._store.read(look)
        return rank(Ranker.HYBRID, found, candidates, self._clock())
