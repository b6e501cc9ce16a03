"""The jobs that turn what was said into records."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from edge_memory.config import MemoryConfig
from edge_memory.errors import ModelUnavailable, NonsenseAnswer, RecordNotFound, WrongState
from edge_memory.observe.apply import Source, apply_statements
from edge_memory.observe.context import Before, household_of, read_before
from edge_memory.observe.english.forgetting import LAST_STATEMENT, Eraser, Forgetting
from edge_memory.observe.english.people import Household
from edge_memory.observe.extract import sort_statement
from edge_memory.observe.introductions import Introductions
from edge_memory.observe.languages import put_right, read_forget, read_statements, says_that, what_to_forget
from edge_memory.observe.recall_measures import note_recall
from edge_memory.observe.statement import Context, Statement
from edge_memory.protocols import ChatModel, Embedder, Purpose, Vectors
from edge_memory.records import Kind, Language, Origin, Record, Status, StoredMessage, UserTurn
from edge_memory.store import (
    Connection,
    Store,
    Transaction,
    conversation,
    jobs,
    measures,
    records,
    told,
    turn_index,
    vectors,
    words,
)
from edge_memory.store.jobs import no_effect

_log = logging.getLogger(__name__)


class Observer:
    """Reads turns for what they state. Without models it goes by rules alone, without `eraser` nothing is forgotten."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        chat: ChatModel | None,
        config: MemoryConfig,
        clock: Callable[[], float],
        eraser: Eraser | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._chat = chat
        self._config = config
        self._clock = clock
        self._eraser = eraser
        self._introductions = Introductions()
        self._spoken: Language | None = None
        self._last_erased_in = ""  # the turn

    async def observe(self, payload: Mapping[str, Any]) -> Transaction[None]:
        """The job `observe`: what did the turn `turn_id` state, put right, or want forgotten?

        `found`, if given, is what recall had found for its reply, `used` what of it the reply was given at `said_at`;
        `forget` are the ids of what it picked to forget.
        """
        began, turn_id = time.perf_counter(), str(payload["turn_id"])
        heard = await self._store.read(lambda connection: conversation.user_message(connection, turn_id))
        if heard is None or heard.action == "ignore":
            return no_effect
        digested = await self._digested(heard, payload.get("forget", ()))

        def effect(connection: Connection) -> None:
            records.touch(connection, payload.get("used", ()), float(payload.get("said_at", 0.0)))
            turn_index.tell_neighbours(connection, heard.id)
            digested(connection)
            note_recall(connection, turn_id, heard.content, payload.get("found", ()))
            measures.sample(connection, measures.OBSERVER_MS, (time.perf_counter() - began) * 1e3)
            words.merge(connection)

        return effect

    async def _digested(self, heard: StoredMessage, picked: Sequence[int]) -> Transaction[None]:
        named = read_forget(heard.content, await self._language())
        if picked or named is not None:
            await self._forget(heard, named, picked)
            return self._leave_to_embed
        before = await self._store.read(lambda connection: read_before(connection, heard, self._introductions))
        statements = await asyncio.to_thread(_stated, heard.content, before)  # a page that was pasted takes a second
        if not self._config.extraction_enabled:
            statements = [statement for statement in statements if statement.explicit]
        said = heard.content and turn_index.body(heard.content, heard.speaker)  # empty once it was erased
        texts = [said, *(statement.text for statement in statements)]
        embedded = await self._embed([text for text in texts if text])
        before_it = before.context.previous
        source = Source(heard.user_id, heard.turn_id, Origin.CONVERSATION, heard.id, before_it, said)

        def effect(connection: Connection) -> None:
            usable = embedded if embedded and vectors.are_of(connection, self._embedder) else {}
            apply_statements(connection, statements, source, usable, self._config, self._clock())
            if said in usable:
                vectors.put(connection, heard.id, usable[said], vectors.Source.TURN)
            elif said:
                self._leave_to_embed(connection)

        return effect

    def _leave_to_embed(self, connection: Connection) -> None:
        """For a turn whose words could not be embedded with its statements."""
        if self._embedder is not None:
            jobs.enqueue(connection, jobs.JobKind.EMBED, "records", {}, self._clock())

    async def _forget(self, heard: StoredMessage, named: str | None, picked: Sequence[int]) -> None:
        """Done once for a turn, though erasing renews its job: with the user's own gone, another's would be meant."""
        if self._eraser is None or heard.turn_id == self._last_erased_in:
            return
        doomed = [record for record_id in picked for record in await self._left_of(self._eraser, record_id)]
        if named == LAST_STATEMENT:
            doomed = await self._store.read(lambda connection: told.of_turn_before(connection, heard))
        elif named is not None:
            doomed = list((await self._wanted(self._eraser, heard, named)).doomed)
        if doomed:
            self._last_erased_in = heard.turn_id
            await self._eraser.forget(doomed)
            _log.info("%d records were erased by voice in turn %s", len(doomed), heard.turn_id)

    async def relations(self, user_id: str) -> Mapping[str, tuple[str, ...]]:
        """The names behind each kin word, as the user told them ("daughter": "Mia")."""
        return (await self._household(user_id)).relations

    async def _household(self, user_id: str) -> Household:
        return await self._store.read(lambda connection: self.household_in(connection, user_id))

    def household_in(self, connection: Connection, user_id: str) -> Household:
        """Who is who, as a connection of the reading thread sees it."""
        return household_of(connection, user_id, self._introductions)

    async def _left_of(self, eraser: Eraser, record_id: int) -> list[Record]:
        try:
            return await eraser.of_id(record_id)
        except (RecordNotFound, WrongState):
            return []

    async def _wanted(self, eraser: Eraser, heard: StoredMessage, named: str) -> Forgetting:
        household = await self._household(heard.user_id)
        language = await self._language()
        return await what_to_forget(eraser, heard.content, named, heard.user_id, household, language)

    async def _language(self) -> Language:
        """It is settled when the file is opened."""
        if self._spoken is None:
            self._spoken = await self._store.read(words.language)
        return self._spoken

    async def asked_to_forget(self, turn: UserTurn) -> Forgetting | None:
        """What a turn in the log wants forgotten; None when it wants nothing forgotten. Choices are of its session."""
        language = await self._language()
        named = read_forget(turn.text, language) if self._eraser is not None else None
        heard = (
            await self._store.read(lambda c: conversation.user_message(c, turn.turn_id)) if named is not None else None
        )
        if named is None or heard is None or self._eraser is None:
            return None
        if named == LAST_STATEMENT:  # it may not be digested yet, and will be before this turn is
            before = await self._store.read(lambda connection: told.said_before(connection, heard))
            stated = bool(before and read_statements(before[0], Context(language=language)))
            return Forgetting(certain=True) if stated or not says_that(turn.text, language) else None
        wanted = await self._wanted(self._eraser, heard, named)
        return replace(wanted, choices=tuple(r for r in wanted.choices if r.session_id in (None, turn.session_id)))

    async def extract(self, payload: Mapping[str, Any]) -> Transaction[None]:
        """The job `extract`: which slot does the record `record_id` fill?"""
        if self._chat is None:
            raise ModelUnavailable("no chat model")
        record_id = int(payload["record_id"])
        record = await self._store.read(lambda connection: records.get(connection, record_id))
        if record.status is not Status.ACTIVE or record.key is not None:
            return no_effect
        try:
            answer = await sort_statement(self._chat, record.source_excerpt or record.text)
        except NonsenseAnswer as nonsense:
            _log.info("record %d keeps no slot: the model's answer was not backed by what was said", record_id)
            _log.debug("%s", nonsense)
            return no_effect
        cause = records.Cause("update", "sorted into a slot", record.source_turn_id)

        def effect(connection: Connection) -> None:
            current = records.get(connection, record_id)
            if current.status is Status.ACTIVE and current.key is None:
                kind = current.kind if current.kind is Kind.ENTITY else answer.kind  # which no model was asked about
                records.change(
                    connection, record_id, cause, self._clock(), key=answer.key, value=answer.value, kind=kind
                )

        return effect

    async def _embed(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """What could be embedded. A failing embedder costs the vectors, not the facts."""
        if self._embedder is None or not texts:
            return {}
        try:
            rows = await self._embedder.embed(texts, Purpose.STATED)
        except ModelUnavailable as error:
            _log.warning("stored without vectors: %s", error.message)
            return {}
        return dict(zip(texts, rows, strict=True))


def _stated(text: str, before: Before) -> list[Statement]:
    return put_right(text, before) or read_statements(text, before.context)
