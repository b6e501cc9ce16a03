"""The door of the memory engine: hear a turn, recall for it, keep the answer, and digest it afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any, Self

from edge_memory.clock import BootTime, boot_time
from edge_memory.config import MemoryConfig
from edge_memory.dating import Dating
from edge_memory.devices import Devices
from edge_memory.digestion import Digestion
from edge_memory.errors import BadQuery
from edge_memory.learning import learning
from edge_memory.observe import Forgetting
from edge_memory.observe.languages import as_looked_for, read_forget
from edge_memory.observe.risk import is_high_risk
from edge_memory.observe.unconfirmed import may_be_spoken, must_wait, tells_of_life, until_confirmed
from edge_memory.protocols import ChatModel, Embedder, is_available
from edge_memory.recall import Activated, Cost, Found, Recalled, Recaller, Recollection
from edge_memory.records import Language, Message, Ranker, Record, RecordHit, Relations, UserTurn
from edge_memory.reminders import Reminders
from edge_memory.review import NO_MARKS, Marks, Notes, Review, Upkeep
from edge_memory.sensing import Sensing
from edge_memory.store import Connection, Store, conversation, jobs, records, summaries
from edge_memory.store.conversation import Answer, ToldTurn
from edge_memory.store.figures import figures, vital
from edge_memory.store.finding import Wanted, check_query, select
from edge_memory.store.records import Filter, HistoryEntry
from edge_memory.store.speaking import speak
from edge_memory.store.summaries import BaseMemory
from edge_memory.transfer import Outside, Transfer
from edge_memory.undecided import Undecided
from edge_memory.working import WorkingMemory

OWNER = "owner"
MOST_ROWS = 1_000
_MOST_AWAITED = 100
_OF_OWNER = Wanted(OWNER)


class Memory:
    """Use as `async with Memory(path, serve=True, ...)`. Without models it works by rules and words alone."""

    def __init__(
        self,
        path: Path,
        *,
        serve: bool,
        config: MemoryConfig | None = None,
        embedder: Embedder | None = None,
        chat: ChatModel | None = None,
        clock: Callable[[], float] = time.time,
        boot: Callable[[], BootTime] = boot_time,
        digested: Callable[[], None] = lambda: None,
        erased: Callable[[], None] = lambda: None,
        ballast: int = 0,
        language: Language | None = None,
    ) -> None:
        """`digested` is called after each memory job, `erased` after each erasure: what was made of memory and is kept
        elsewhere is then out of date. `ballast` are bytes held back for a full disk. `language` None is the file's.
        """
        self.config = config or MemoryConfig()
        self.language = language or Language.ENGLISH
        self._wanted_language = language
        self._clock = clock
        self._erased = erased
        self._store = store = Store(path, serve=serve, ballast=ballast)
        self.note_address = store.note_address
        self._embedder = embedder
        self.working = WorkingMemory(self._store, self.config.working_messages)
        self._recaller = Recaller(self._store, embedder, self.config, clock)
        self.review = Review(self._store, is_high_risk, may_be_spoken, clock)
        self.upkeep = Upkeep(self._store, is_high_risk, self.config, clock)
        self.notes = Notes(self._store, must_wait, clock)
        self.devices = Devices(self._store, clock)
        self.sensing = Sensing(self._store, self.config, clock)
        self.dating = Dating(self._store)
        self.reminders = Reminders(self._store, clock, boot)
        self.transfer = Transfer(self._store, self._forget_held, clock, Outside(until_confirmed, tells_of_life))
        self.undecided = Undecided(store, clock, self.working.forget)
        rooms = (self.review, self.upkeep, self.transfer, self._recaller, self.undecided)
        self._digestion = Digestion(store, embedder, chat, self.config, clock, rooms, digested, lambda: self.language)
        self._found: dict[str, tuple[str, Sequence[Found]]] = {}  # for the turn of each session that awaits its reply
        self._last_id_at_start = 0
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self._store)
        self._stack.push_async_callback(self.sensing.flush)
        self.language = await speak(self._store, self._wanted_language)
        self._last_id_at_start = await self._store.read(conversation.last_id)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def _forget_held(self) -> None:
        """What was read from the file before an erasure."""
        self.working.forget()
        self.sensing.forget()
        self._erased()

    # The turn

    async def hear(self, turn: UserTurn, *, durable: bool = True) -> tuple[Message, ...]:
        """On return the user's words are on disk. Returns the session's newest messages before them, oldest first.

        Where they are not `durable`, a power cut may undo them up to the answer. May be repeated, to make them so.
        Raises StoreFull, unless they want something forgotten.
        """
        forgets = read_forget(turn.text, self.language) is not None
        await self._store.write(
            lambda connection: conversation.append_user(connection, turn), durable=durable, reserve=forgets
        )
        return await self.working.history_at_last_write(turn.session_id)

    async def overhear(self, lines: Sequence[UserTurn]) -> None:
        """Keeps a dialogue that others had, in sessions of its own. It is recalled, but states nothing of the user."""
        now = self._clock()

        def effect(connection: Connection) -> None:
            for line in lines:
                conversation.append_overheard(connection, line)
            self._digestion.leave_to_embed(connection, now)

        await self._store.write(effect)
        self._digestion.wake()

    async def answer(self, answer: Answer) -> None:
        """On return the reply is on disk, together with the job that digests the turn."""
        text, found = self._found.pop(answer.turn.session_id, ("", ()))
        if text != answer.turn.text:
            found = ()
        moment = self.sensing.moment(answer.turn) if answer.action != "ignore" and self.config.enabled else None
        forgets = bool(answer.forgets) or read_forget(answer.turn.text, self.language) is not None
        is_new = await self._store.write(lambda c: self._digestion.keep(c, answer, found, moment), reserve=forgets)
        if is_new and answer.action != "ignore":
            self.working.add_exchange(answer.turn.session_id, answer.turn.turn_id, answer.turn.text, answer.text)
        self._digestion.wake()

    async def turn(self, turn_id: str) -> ToldTurn | None:
        """None for one that was never heard."""
        return await self._store.read(lambda connection: conversation.find_turn(connection, turn_id))

    async def history(self, session_id: str) -> tuple[Message, ...]:
        """Working memory: the newest messages of a session, oldest first."""
        return await self.working.history(session_id)

    async def recall(self, text: str, session_id: str, user_id: str = OWNER) -> Recollection:
        """What bears on `text`. Never raises."""
        if not self.config.enabled:
            return Recollection(degraded="memory is switched off")
        shown = len(await self.working.turn_ids(session_id))
        recollection = await self._recaller.recall(text, session_id, user_id, shown)
        self._await_reply(session_id, text, recollection)
        return recollection

    async def recall_for(self, turn: UserTurn) -> Recalled | None:
        """Reads what bears on a turn, which need not be heard yet. Never raises."""
        if not self.config.enabled:
            return None
        shown = await self.working.turn_ids(turn.session_id)
        asked = partial(as_looked_for, turn.text, language=self.language)
        return await self._recaller.recall_for(turn, asked, partial(self._digestion.relations_in, turn.user_id), shown)

    async def activate(self, turn: UserTurn, cost: Cost, recalled: Recalled | None = None) -> Activated:
        """What a reply to a turn is given of memory, under the budget. `recalled` is what was read for it before; it is
        read anew if the model sees other turns by now. Never raises, as `recall`.
        """
        shown = tuple(await self.working.turn_ids(turn.session_id))
        if recalled is None or recalled.shown_turns != shown:
            recalled = await self.recall_for(turn)
        if recalled is None:
            return Activated(Recollection(degraded="memory is switched off"))
        self._await_reply(turn.session_id, turn.text, recalled.recollection)
        return self._recaller.activate(recalled, cost)

    def _await_reply(self, session_id: str, text: str, recollection: Recollection) -> None:
        self._found[session_id] = (text, recollection.found)
        while len(self._found) > _MOST_AWAITED:
            del self._found[next(iter(self._found))]

    async def baseline(self, session_id: str, user_id: str, cost: Cost) -> tuple[Record, ...]:
        """What every reply in a session is given, whatever is said. Never raises."""
        shown = await self.working.turn_ids(session_id)
        return await self._recaller.baseline(session_id, user_id, shown, cost)

    async def constraints(self, session_id: str, user_id: str) -> tuple[Record, ...]:
        """What a reply must never go against: allergies, diets, medicines, standing orders. Never raises."""
        return await self._recaller.constraints(session_id, user_id) if self.config.enabled else ()

    async def relations(self, user_id: str) -> Relations:
        """The names behind each kin word, as the user told them ("daughter": "Mia"). Never raises."""
        return await self._digestion.relations(user_id)

    async def asked_to_forget(self, turn: UserTurn) -> Forgetting | None:
        """What a turn wants forgotten (digestion forgets what is certain); None when it wants nothing forgotten."""
        return await self._digestion.asked_to_forget(turn)

    # The work after it

    async def prepare(self) -> None:
        """Once the embedder is there: makes the file fit it, and leaves what has to be embedded again as a job.

        Also takes up turns that were heard and not answered when the process last died, and only those: a turn of
        today may well be waiting for its model.
        """
        now = self._clock()
        embedder = self._embedder if is_available(self._embedder) else None

        def effect(connection: Connection) -> None:
            for turn in conversation.unanswered_turns(connection, self._last_id_at_start):
                self._digestion.keep(connection, Answer(turn, "", "respond", {}, now))
            self._digestion.leave_at_start(connection, embedder, now)

        await self._store.write(effect, reserve=True)
        await self._recaller.warm_up()
        self.working.forget()  # what was broken off belongs to it now
        self._digestion.wake()

    async def digest(self) -> None:
        """Works on memory jobs until cancelled."""
        await self._digestion.run()

    async def digest_once(self) -> bool:
        """Does one memory job. False when none is due."""
        return await self._digestion.work_once()

    async def check(self) -> None:
        """Looks through the whole file. Raises StoreDamaged."""
        await self._store.check()

    async def is_full(self) -> bool:
        """Whether the disk is: then nothing new is remembered, while recalling and forgetting go on."""
        return await self._store.is_full()

    async def alive(self) -> None:
        """Returns once the writer has come to it. Nothing is written."""
        await self._store.write(lambda _: None, reserve=True)

    async def retry_parked(self) -> int:
        """Gives parked jobs a fresh start. Returns how many."""
        retried = await self._store.write(jobs.retry_parked)
        self._digestion.wake()
        return retried

    # What people ask of it

    async def select(self, which: Filter, limit: int = 50, offset: int = 0) -> tuple[list[Record], int]:
        """A page of records, newest first, and how many there are in all. Raises BadQuery."""
        if not 1 <= limit <= MOST_ROWS or not 0 <= offset <= records.MOST_ID:
            raise BadQuery(f"limit {limit}, offset {offset}", f"limit is 1 to {MOST_ROWS}, offset 0 or more")
        return await self._store.read(lambda connection: select(connection, which, limit, offset))

    async def inspect(self, record_id: int) -> tuple[Record, list[HistoryEntry]]:
        """Raises RecordNotFound."""
        return await self._store.read(
            lambda connection: (records.get(connection, record_id), records.history(connection, record_id))
        )

    async def search(self, text: str, limit: int = 10, which: Wanted = _OF_OWNER) -> list[RecordHit]:
        """Records, best first. Raises as `look_up`."""
        return list((await self.look_up(text, limit, which)).hits)

    async def look_up(
        self,
        text: str,
        limit: int = 10,
        which: Wanted = _OF_OWNER,
        ranker: Ranker = Ranker.FUSED,
        without: Collection[str] = (),
    ) -> Recollection:
        """Records and turns, best first; the notes of a run only within its session. Raises BadQuery for a text or
        limit that makes no sense.
        """
        check_query(text, limit, MOST_ROWS)
        return await self._recaller.look_up(text, limit, which, ranker, without)

    async def learn(
        self, text: str, user_id: str = OWNER, marks: Marks = NO_MARKS, *, by_program: bool = False
    ) -> list[Record]:
        """Keeps a sentence that the owner typed, as certain. Raises BadQuery for an empty one and a bad scope.

        `by_program`: a program tells it on the owner's behalf. Then nothing of identity, health or money is
        overwritten, and neither that change nor what is not plainly told of a life counts before the owner confirms it.
        """
        write = learning(text, user_id, marks, self.language, by_program=by_program)
        kept = await self._store.write(lambda connection: write(connection, self.config, self._clock()))
        self._digestion.wake()
        return kept

    async def find_to_forget(self, query: str, user_id: str = OWNER) -> list[Record]:
        """See `Transfer.find`."""
        return await self.transfer.find(query, user_id)

    async def forget(self, doomed: list[Record]) -> None:
        """See `Transfer.forget`."""
        await self.transfer.forget(doomed)

    async def turns(
        self, session_id: str | None, limit: int, user_id: str | None = None, turn_id: str | None = None
    ) -> list[dict[str, object]]:
        """The newest, oldest first; None means any session, any user, any turn."""
        if not 1 <= limit <= MOST_ROWS:
            raise BadQuery(f"limit {limit}", f"limit is 1 to {MOST_ROWS}")
        return await self._store.read(lambda c: conversation.last_turns(c, session_id, limit, user_id, turn_id))

    async def base_memory(self, user_id: str = OWNER) -> BaseMemory:
        return await self._store.read(lambda connection: summaries.base_memory(connection, user_id))

    async def base_memory_versions(self, user_id: str = OWNER) -> list[BaseMemory]:
        return await self._store.read(lambda c: summaries.base_memory_versions(c, user_id, MOST_ROWS))

    async def export(self, user_id: str = OWNER) -> dict[str, Any]:
        return await self.transfer.export(user_id)

    async def vital(self) -> dict[str, Any]:
        """The few counts that `/health` shows; they cost little however much there is."""
        return await self._store.read(lambda connection: vital(connection, OWNER))

    async def stats(self) -> dict[str, Any]:
        """Counts of everything, for people."""
        return await self._store.read(lambda connection: figures(connection, OWNER))
