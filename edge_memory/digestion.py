"""The work after the turns: which jobs an answered turn leaves, and the queues that do them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from edge_memory import lazy_re
from edge_memory.config import MemoryConfig
from edge_memory.distil import Cascades, due_cascades
from edge_memory.errors import EdgeMemoryError
from edge_memory.observe import (
    Auditor,
    Context,
    Embedding,
    Forgetting,
    JobQueue,
    Observer,
    read_forget,
    read_statements,
)
from edge_memory.observe.absolute_dates import dated_memory, dated_turn
from edge_memory.observe.unconfirmed import demands
from edge_memory.protocols import ChatModel, Embedder
from edge_memory.recall import Found, Recaller
from edge_memory.records import Language, NewRecord, Relations, UserTurn
from edge_memory.review import Review, Upkeep, due_consolidation, due_profile, due_profiles_at_start
from edge_memory.sensing import keep_episode
from edge_memory.store import Connection, Store, conversation, jobs, measures, records, turn_index, vectors
from edge_memory.store.conversation import Answer
from edge_memory.store.jobs import JobKind
from edge_memory.transfer import Transfer, due_backup
from edge_memory.undecided import Undecided

_CATCH_UP_SECONDS = 5.0  # before a wish to forget is answered


class Digestion:
    """Two queues. What a turn stated must be known to the next one, so it never waits behind a model that writes."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        chat: ChatModel | None,
        config: MemoryConfig,
        clock: Callable[[], float],
        rooms: tuple[Review, Upkeep, Transfer, Recaller, Undecided],
        digested: Callable[[], None],
        language: Callable[[], Language],
    ) -> None:
        """`digested` is called after each job that succeeded. `language` is that of the file, once it is open."""
        review, upkeep, transfer, self._recaller, undecided = rooms
        observer = Observer(store, embedder, chat, config, clock, transfer)
        cascades = Cascades(
            store, chat, partial(_retold, language), demands, partial(dated_memory, now=None), config, clock
        )
        quick = {
            JobKind.OBSERVE: observer.observe,
            JobKind.EMBED: Embedding(store, embedder).embed_missing,
            JobKind.PROFILE: review.store_profile,
            JobKind.CONSOLIDATE: upkeep.consolidate_job,
        }
        slow = {
            JobKind.AUDIT: Auditor(store, chat, clock).audit,
            JobKind.EXTRACT: observer.extract,
            JobKind.SUMMARIZE: cascades.summarize,
            JobKind.DISTIL: cascades.distil,
            JobKind.BACKUP: transfer.backup_job,
            JobKind.WIPE: transfer.wipe_job,
        }
        self._observer = observer
        self._digested = digested
        self._quick = JobQueue(store, quick, config, self._after_job, undecided.decided)
        self._queues = [self._quick, JobQueue(store, slow, config, self._after_job, undecided.decided)]
        self._config = config
        self._language = language
        self._can_embed = embedder is not None

    def keep(
        self, connection: Connection, answer: Answer, found: Sequence[Found] = (), moment: NewRecord | None = None
    ) -> bool:
        """The answer, and the jobs that it leaves. False for a turn that was answered already."""
        if not conversation.append_assistant(connection, answer):
            conversation.fill_answer(connection, answer)
            return False
        if (tokens := answer.timings.get(measures.INJECTION_TOKENS)) is not None:
            measures.sample(connection, measures.INJECTION_TOKENS, tokens)
        self._leave(connection, answer, found)
        if moment is not None:
            keep_episode(connection, moment, answer.said_at)
        return True

    def _leave(self, connection: Connection, answer: Answer, found: Sequence[Found]) -> None:
        """The jobs of a turn that was answered just now. `found` is what recall had found for it."""
        turn, now = answer.turn, answer.said_at
        due_backup(connection, self._config.backups_kept, now)
        if self._config.enabled and answer.action == "respond":
            self._leave_to_observe(connection, answer, found)
        else:  # noise says nothing, and what was badly heard is no evidence
            heard = conversation.user_message(connection, turn.turn_id)
            turn_index.tell_neighbours(connection, heard.id if heard else 0)
            records.touch(connection, answer.used, now)
        if not self._config.enabled:
            return
        if answer.action == "clarify":
            self.leave_to_embed(connection, now)
        due_cascades(connection, turn.session_id, turn.user_id, self._config, now)
        due_profile(connection, turn.user_id, now)
        due_consolidation(connection, now)

    def _leave_to_observe(self, connection: Connection, answer: Answer, found: Sequence[Found]) -> None:
        """It embeds the turn's words, too."""
        payload: Mapping[str, Any] = {
            "turn_id": answer.turn.turn_id,
            "found": [_plain(one) for one in found],
            "used": list(answer.used),
            "said_at": answer.said_at,
            "forget": list(answer.forgets),
        }
        jobs.enqueue(connection, JobKind.OBSERVE, answer.turn.turn_id, payload, answer.said_at)

    async def relations(self, user_id: str) -> Relations:
        """See `Observer.relations`; none where the file cannot be read."""
        try:
            return await self._observer.relations(user_id)
        except EdgeMemoryError:
            return {}

    def relations_in(self, user_id: str, connection: Connection) -> Relations:
        """The same, as a connection for reading sees them."""
        return self._observer.household_in(connection, user_id).relations

    async def asked_to_forget(self, turn: UserTurn) -> Forgetting | None:
        """See `Observer.asked_to_forget`. What is to be forgotten may have been told a moment ago."""
        if read_forget(turn.text, self._language()) is not None:
            await self._quick.catch_up(JobKind.OBSERVE, _CATCH_UP_SECONDS)
        return await self._observer.asked_to_forget(turn)

    def leave_to_embed(self, connection: Connection, now: float) -> None:
        if self._can_embed:
            jobs.enqueue(connection, JobKind.EMBED, "records", {}, now)

    def leave_at_start(self, connection: Connection, embedder: Embedder | None, now: float) -> None:
        """What the last process left to do. `embedder` is given once it can be used."""
        if embedder is not None:
            vectors.use_embedder(connection, embedder)
            if vectors.without_vector(connection, 1) or turn_index.without_vector(connection, 1):
                self.leave_to_embed(connection, now)
        if self._config.enabled:
            due_profiles_at_start(connection, now)

    def wake(self) -> None:
        """Tells that there may be a new job."""
        for queue in self._queues:
            queue.wake()

    async def _after_job(self) -> None:
        """What it embedded is read now, while nobody waits."""
        await self._recaller.warm_up()
        self._digested()

    async def run(self) -> None:
        """Works until cancelled."""
        await asyncio.to_thread(_warm_up, self._language())
        async with asyncio.TaskGroup() as workers:
            for queue in self._queues:
                workers.create_task(queue.run())

    async def work_once(self) -> bool:
        """Does one job. False when none is due."""
        for queue in self._queues:
            if await queue.work_once():
                return True
        return False


def _warm_up(language: Language) -> None:
    """So that no turn waits for rules to be compiled."""
    lazy_re.compile_all()
    read_statements("this warms the rules up", Context(language=language))


def _plain(found: Found) -> dict[str, Any]:
    return {field.name: getattr(found, field.name) for field in fields(found)}


def _retold(language: Callable[[], Language], text: str, said_at: float) -> list[str]:
    stated = read_statements(text, Context(language=language()))
    return [dated_turn(statement.text, said_at, None) for statement in stated]
