"""Reading ahead: between turns the model reads what the next prompt begins with; a turn reads only its own words."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from edge_memory.errors import EdgeMemoryError
from edge_memory.memory import OWNER, Memory
from edge_memory.observe.absolute_dates import dated_memory
from edge_memory.records import Message, Record
from edge_memory.store.summaries import NO_BASE_MEMORY
from firmware_bridge.errors import BridgeError
from firmware_bridge.turn.manner import Manner, ReplyModel
from firmware_bridge.turn.prompt import PromptParts, beginning, fit_history

_log = logging.getLogger(__name__)
_SESSIONS = 3  # conversations that are kept ready
_RESERVE_TOKENS = 150  # for sensors and words of the next turn, beside its memories
_RETRY_SECONDS = 5.0


class ModelSource(Protocol):
    async def ready(self) -> ReplyModel:
        """The chat model, waiting a while if it is still loading. Raises InferenceError or WeightsError."""


@dataclass(slots=True)
class _Session:
    user_id: str
    due: bool = True
    read: Sequence[Message] = field(default_factory=list)


class ReadingAhead:
    """One task runs `run`; the other methods tell it that there may be something to read."""

    def __init__(self, memory: Memory, source: ModelSource, manner: Manner) -> None:
        self._memory = memory
        self._source = source
        self._manner = manner
        self._sessions: OrderedDict[str, _Session] = OrderedDict()  # the one used last comes last
        self._changed = asyncio.Event()
        self.is_idle = manner.order == "seed"  # all that is known to be needed next has been read
        self.is_warm = manner.order == "seed"  # what was talked about last is read, or never will be

    def begun(self, session_id: str, user_id: str) -> None:
        """A turn begins. What is not read yet can be while memory is searched."""
        if session_id not in self._sessions:
            self.ended(session_id, user_id)

    def ended(self, session_id: str, user_id: str) -> None:
        """A turn ended: its tail goes, the history has grown."""
        self._sessions[session_id] = _Session(user_id)
        self._sessions.move_to_end(session_id)
        while len(self._sessions) > _SESSIONS:
            self._sessions.popitem(last=False)
        self._wake()

    def memory_changed(self) -> None:
        """Base memory, baseline or history may not be what they were."""
        for session in self._sessions.values():
            session.due = True
        self._wake()

    def _wake(self) -> None:
        self.is_idle = self._manner.order == "seed"
        self._changed.set()

    async def run(self) -> None:
        """Works until cancelled. What fails here only costs the next turn some time."""
        if self._manner.order == "seed":
            return  # there the beginning changes with every turn
        while True:
            self._changed.clear()
            try:
                model = await self._source.ready()
                await self._recollect()
                await self._read_due(model)
                self.is_warm = True
            except (BridgeError, EdgeMemoryError) as error:
                _log.debug("nothing was read ahead, and is tried again: %s", error.message)
                await self._change_or_retry()
            except Exception:  # noqa: BLE001 - turns go on without it, and so must it
                _log.exception("reading ahead failed and is tried again")
                await self._change_or_retry()
            else:
                self.is_idle = not self._changed.is_set()
                await self._changed.wait()

    async def _change_or_retry(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_RETRY_SECONDS):
                await self._changed.wait()

    async def _recollect(self) -> None:
        """After a start, the conversations of before; without any, what every conversation begins with."""
        if self.is_warm or self._sessions:
            return
        for session_id, user_id in await self._memory.working.recent_sessions(_SESSIONS):
            self._sessions[session_id] = _Session(user_id)
            self._sessions.move_to_end(session_id, last=False)
        if not self._sessions:
            self._sessions[""] = _Session(OWNER)

    async def _read_due(self, model: ReplyModel) -> None:
        for session_id, session in list(self._sessions.items()):
            if not session.due:
                continue
            session.due = False  # what changes while it is read makes it due anew
            try:
                await self._read(model, session_id, session)
            except Exception:
                session.due = True
                raise

    async def _read(self, model: ReplyModel, session_id: str, session: _Session) -> None:
        parts = await self._parts(model, session_id, session.user_id)
        messages = beginning(parts)
        is_newest = session_id == next(reversed(self._sessions))
        if messages == session.read and not is_newest:
            return  # were it read whenever others took its place, they would take turns in that
        shared = len(messages) - len(parts.history)
        read = await model.read_ahead(messages, conversation=session_id, shared=shared)
        session.read = messages
        if read:
            _log.debug("session %s: %d tokens were read ahead", session_id, read)

    async def _parts(self, model: ReplyModel, session_id: str, user_id: str) -> PromptParts:
        memory, manner = self._memory, self._manner
        base = NO_BASE_MEMORY
        baseline: Sequence[Record] = ()
        if memory.config.enabled:
            base = await memory.base_memory(user_id)
            cost = partial(manner.injection.cost, model.count_tokens)
            held = await memory.baseline(session_id, user_id, cost)
            baseline = [dated_memory(record, None) for record in held]  # as a turn has it, on any day
        parts = PromptParts(
            persona=manner.persona,
            base_memory=base.content,
            memories=(),
            sensors={},
            history=await memory.history(session_id),
            text="",
            baseline=baseline,
            injection=manner.injection,
        )
        reserve = memory.config.injection_tokens + _RESERVE_TOKENS
        budget = model.context_tokens - manner.max_reply_tokens - reserve
        fitting = fit_history(parts, manner.order, model.count_tokens, budget)
        # Where not even the newest exchange fits beside all that could be recalled, the turn sees what it recalls.
        if 0 < len(fitting.history) < len(parts.history):
            memory.working.shorten(session_id, len(fitting.history))
        return fitting
