"""Recall before a reply: one embedding, one search by words, one by vectors, one ranking."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from edge_memory.config import MemoryConfig
from edge_memory.errors import EdgeMemoryError, ModelUnavailable
from edge_memory.protocols import Embedder, Purpose, Vectors
from edge_memory.recall.activation import Activated, Cost, activate, on_the_mind
from edge_memory.recall.candidates import Query, find_records, find_turns
from edge_memory.recall.question import Question, what_is_sought
from edge_memory.recall.rankers import BLIND_TO, DATING, Candidate, Ranked, rank
from edge_memory.recall.recollection import Positions, Recollection, found_of, hits_of
from edge_memory.records import Ranker, Record, Relations, Status, StoredMessage, TurnHit, UserTurn
from edge_memory.store import Connection, Store, VectorMirror, Visible, VisibleTurns, records, turn_index, vectors
from edge_memory.store.finding import Wanted
from edge_memory.store.standing import Standing, overtaken, standing
from edge_memory.store.turn_index import SessionTurns
from edge_memory.store.vectors import Source
from edge_memory.store.words import RowCounts

_log = logging.getLogger(__name__)
_RECALLABLE = frozenset({Status.ACTIVE})
_SEARCHABLE = frozenset({Status.ACTIVE, Status.PENDING, Status.ARCHIVED})
_NO_FLOOR = -1.0
_MOST_USERS = 64
_MOST_WEIGHED = 20  # records that a question is held against, whatever the size of the past
_NOT_EMBEDDED = "the companion has not embedded the file with this model yet"
# A turn whose neighbours hold the words is worth a look, not a place in a prompt.
_BESIDE_THE_POINT = frozenset({"around"})
_SHARES = np.array([2.0, 1.0], dtype=np.float32)  # of a question without the speakers' names, and with them


@dataclass(frozen=True, slots=True)
class Look:
    """What one look through memory may see and how it orders it. `shown` is how many of the newest messages of the
    session the model sees anyway, so that they are left out; None leaves out none. `turn_id` is the turn that is being
    answered; without it, it is the newest of the session. With `apart`, procedures are not
    among the hits. With `is_current`, turns are left out whose statement something newer has ended, or that wait for a
    confirmation. `widely` is how many records are told beside the hits, however far they are. `relations` reads who is
    who, where the question is looked for by that.
    """

    visible: Visible
    limit: int
    least_cosine: float
    ranker: Ranker = Ranker.FUSED
    without: Collection[str] = ()
    shown: int | None = None
    turn_id: str | None = None
    apart: bool = False
    among_turns: bool = True
    is_current: bool = False
    widely: int = 0
    relations: ReadRelations | None = None


class Known(NamedTuple):
    """Whom a user's memory knows: the names of those whose dialogues were kept, and the names for each kin word."""

    speakers: tuple[str, ...] = ()
    relations: Relations = MappingProxyType({})


# How the words of a turn are looked for where these relations are known, and how the relations are read.
Asked = Callable[[Relations], str]
ReadRelations = Callable[[Connection], Relations]


@dataclass(frozen=True, slots=True)
class Recalled:
    """What memory holds that bears on the words of a turn, read while the model saw `shown_turns`. `relations` are the
    names for each kin word, as the user told them.
    """

    text: str
    relations: Relations
    shown_turns: tuple[str, ...]
    standing: Standing
    recollection: Recollection


class Recaller:
    """Goes by words alone while there is no embedder or the stored vectors are another embedder's."""

    def __init__(
        self, store: Store, embedder: Embedder | None, config: MemoryConfig, clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._config = config
        self._clock = clock
        self._mirrors = {source: VectorMirror(source) for source in Source}  # for the store's reading thread alone
        self._sessions, self._counts = SessionTurns(), RowCounts()  # for that thread, too
        self._known: dict[str, Known] = {}  # whom each user's memory knows, as last read

    async def recall(self, text: str, session_id: str, user_id: str, shown: int) -> Recollection:
        """For a reply: what is believed now and what was said in this session before the newest `shown` messages, good
        enough to be shown to the model.

        Never raises.
        """
        return (await self._spared_look(lambda _: text, self._for_a_reply(session_id, user_id, shown)))[2]

    async def recall_for(
        self, turn: UserTurn, asked: Asked, relations: ReadRelations, shown_turns: Sequence[str]
    ) -> Recalled:
        """What bears on a turn, looked for by `asked`: its words with the names behind them. The model sees a message
        of each of `shown_turns` anyway. Never raises.
        """
        look = self._for_a_reply(turn.session_id, turn.user_id, len(shown_turns))
        look = replace(look, is_current=True, turn_id=turn.turn_id, widely=_MOST_WEIGHED, relations=relations)
        known, held, found = await self._spared_look(asked, look)
        return Recalled(turn.text, known, tuple(shown_turns), held, found)

    def activate(self, recalled: Recalled, cost: Cost) -> Activated:
        """What of it a reply is given."""
        shown, now = frozenset(recalled.shown_turns), self._clock()
        given = activate(recalled.recollection, recalled.standing, shown, recalled.text, cost, self._config, now)
        return replace(given, relations=recalled.relations)

    async def warm_up(self) -> None:
        """Reads the vectors into memory, as the first search would. Never raises."""
        with suppress(EdgeMemoryError):
            await self._store.read(
                lambda connection: self._catch_up(connection) if vectors.are_of(connection, self._embedder) else None
            )

    async def baseline(
        self, session_id: str, user_id: str, shown_turns: Sequence[str], cost: Cost
    ) -> tuple[Record, ...]:
        """What of `activate` is the same whatever is said next. Never raises."""
        held = await self._standing(session_id, user_id)
        shown = frozenset(shown_turns)
        return activate(Recollection(), held, shown, "", cost, self._config, self._clock()).baseline

    async def constraints(self, session_id: str, user_id: str) -> tuple[Record, ...]:
        """What must not be gone against. Never raises."""
        held = await self._standing(session_id, user_id)
        return activate(Recollection(), held, (), "", lambda memory: 0, self._config, self._clock()).constraints

    def _for_a_reply(self, session_id: str, user_id: str, shown: int) -> Look:
        config = self._config
        return Look(
            Visible(user_id, _RECALLABLE, session_id, config.include_global),
            config.retrieval_top_k,
            config.retrieval_min_similarity,
            without=_BESIDE_THE_POINT,
            shown=shown,
            apart=True,
        )

    async def _standing(self, session_id: str, user_id: str) -> Standing:
        """What always holds."""
        visible = self._for_a_reply(session_id, user_id, 0).visible
        try:
            return await self._store.read(lambda connection: self._held(connection, visible))
        except EdgeMemoryError as error:
            _log.warning("answered without what always holds: %s", error.message)
            return Standing()

    def _held(self, connection: Connection, visible: Visible) -> Standing:
        return standing(connection, visible, lambda used: on_the_mind(used, self._config, self._clock()))

    async def look_up(
        self, text: str, limit: int, which: Wanted, ranker: Ranker, without: Collection[str]
    ) -> Recollection:
        """For a person who looks: every session's, and also what is pending or archived, unless `which` says else."""
        visible = Visible(
            which.user_id or "",
            _SEARCHABLE if which.status is None else frozenset({which.status}),
            which.session_id,
            layer=which.layer,
            kind=which.kind,
            scope=which.scope,
        )
        left_out = frozenset(without) | BLIND_TO.get(ranker, frozenset())
        plain = which == Wanted(which.user_id, session_id=which.session_id)  # turns have neither layer, kind nor scope
        look = Look(visible, limit, _NO_FLOOR, ranker, left_out, among_turns=plain)
        return (await self._look(lambda _: text, look))[2]

    async def _spared_look(self, asked: Asked, look: Look) -> tuple[Relations, Standing, Recollection]:
        try:
            return await self._look(asked, look)
        except EdgeMemoryError as error:
            _log.warning("answered without recall: %s", error.message)
            known = self._known.get(look.visible.user_id, Known())
            return known.relations, Standing(), Recollection(degraded=error.message)

    async def _look(self, asked: Asked, look: Look) -> tuple[Relations, Standing, Recollection]:
        """The relations, what always holds, for a reply, and what is found: read from one view of the file in one go,
        unless others are known by now than those that the question was read with.
        """
        began, embed_ms = time.perf_counter(), 0.0
        user_id = look.visible.user_id
        if user_id not in self._known:
            self._keep_known(user_id, await self._store.read(partial(self._who_is_known, look)))
        known = self._known[user_id]
        question, found = None, None
        while found is None:
            asked_now = what_is_sought(asked(known.relations), known.speakers)
            if asked_now != question:
                question, read = asked_now, time.perf_counter()
                vector, degraded = (None, "") if "cosine" in look.without else await self._embed(question)
                embed_ms += (time.perf_counter() - read) * 1e3
            known, held, found = await self._store.read(partial(self._recollect, question, vector, look, known))
            self._keep_known(user_id, known)
        recall_ms = (time.perf_counter() - began) * 1e3 - embed_ms
        found = replace(found, embed_ms=embed_ms, recall_ms=recall_ms, degraded=degraded or found.degraded)
        return known.relations, held, found

    def _who_is_known(self, look: Look, connection: Connection) -> Known:
        user_id = look.visible.user_id
        before = self._known.get(user_id, Known())
        relations = look.relations(connection) if look.relations else before.relations
        return Known(tuple(turn_index.speakers(connection, user_id)), relations)

    def _keep_known(self, user_id: str, known: Known) -> None:
        if len(self._known) > _MOST_USERS:
            self._known.clear()
        self._known[user_id] = known

    def _recollect(
        self, question: Question, vector: Vectors | None, look: Look, known: Known, connection: Connection
    ) -> tuple[Known, Standing, Recollection | None]:
        """Who is known, what always holds, and what is found unless others are known than `known`."""
        current = self._who_is_known(look, connection)
        if current != known:
            return current, Standing(), None
        held = self._held(connection, look.visible) if look.apart else Standing()
        return current, held, self._find(connection, question, vector, look, [record.id for record in held.hard])

    async def _embed(self, question: Question) -> tuple[Vectors | None, str]:
        """The vector, or None and why there is none. What is asked counts for more than of whom."""
        if self._embedder is None:
            return None, "no embedder"
        texts = list(dict.fromkeys((question.without_names, question.text)))
        try:
            rows = await self._embedder.embed(texts, Purpose.QUERY)
            vector: Vectors = rows.T @ _SHARES[: len(rows)]
            return vector / np.linalg.norm(vector), ""
        except ModelUnavailable as error:
            _log.warning("recall goes by words alone: %s", error.message)
            return None, error.message
        except Exception as error:  # noqa: BLE001 - whatever ails the embedder, the reply goes out
            _log.warning("recall goes by words alone: %s", type(error).__name__)
            return None, type(error).__name__

    def _find(
        self, connection: Connection, question: Question, vector: Vectors | None, look: Look, standing: Sequence[int]
    ) -> Recollection:
        """`standing` are the ids of what always holds."""
        strange = vector is not None and not vectors.are_of(connection, self._embedder)
        if strange:
            vector = None
        if vector is not None:
            self._catch_up(connection)
        depth = max(self._config.recall_candidates, look.limit, look.widely)
        query = Query(
            question,
            vector,
            depth,
            look.least_cosine,
            self._clock(),
            self._config.recency_half_life_days,
            look.without,
            dates=look.ranker in DATING,
            compares=look.ranker is Ranker.DETERMINISTIC,
        )
        anything = replace(query, least_cosine=_NO_FLOOR) if look.widely else query
        candidates = find_records(connection, anything, look.visible, self._mirrors[Source.RECORD], self._counts)
        more, turns = self._find_turns(connection, query, look)
        ranked = rank(look.ranker, candidates + more, look.without)
        near = [one for one in ranked if one.candidate.bm25 or one.candidate.cosine >= look.least_cosine]
        apart = False if look.apart else None
        best, wide = _best(near, Source.RECORD, look.limit, apart), _best(ranked, Source.RECORD, look.widely, apart)
        ways = _best(near, Source.RECORD, look.limit, True) if look.apart else []
        kept = records.get_many(connection, [one.candidate.id for one in (*best, *ways, *wide)])
        lie = self._mirrors[Source.RECORD].vectors_of((*(one.candidate.id for one in wide), *standing))
        embedder = vectors.stored_embedder(connection)
        positions = Positions(embedder[0], vector, lie) if vector is not None and embedder else None
        said = [TurnHit(turns[one.candidate.id], one.score, one.why) for one in _best(ranked, Source.TURN, look.limit)]
        over = overtaken(connection, [hit.message.turn_id for hit in said]) if look.is_current else ()
        return Recollection(
            hits_of(best, kept),
            tuple(hit for hit in said if hit.message.turn_id not in over),
            hits_of(ways, kept),
            hits_of(wide, kept),
            positions,
            found_of(candidates, (*best, *ways), look.limit, look.least_cosine, by_vectors=vector is not None),
            degraded=_NOT_EMBEDDED if strange else "",
        )

    def _catch_up(self, connection: Connection) -> None:
        for mirror in self._mirrors.values():
            mirror.catch_up(connection)

    def _find_turns(
        self, connection: Connection, query: Query, look: Look
    ) -> tuple[list[Candidate], Mapping[int, StoredMessage]]:
        if not look.among_turns:
            return [], {}
        said = VisibleTurns(look.visible.user_id, look.visible.session_id, _before_id(connection, look))
        return find_turns(connection, query, said, self._mirrors[Source.TURN], self._sessions, self._counts)


def _before_id(connection: Connection, look: Look) -> int | None:
    session_id = look.visible.session_id
    if session_id is None or look.shown is None:
        return None
    return turn_index.first_shown(connection, session_id, look.shown, look.turn_id)


def _best(ranked: list[Ranked], source: Source, limit: int, procedures: bool | None = None) -> list[Ranked]:
    """The best of a source: procedures alone, all but procedures, or (None) whatever it is."""
    return [
        one for one in ranked if one.candidate.source is source and procedures in (None, one.candidate.is_procedure)
    ][:limit]
