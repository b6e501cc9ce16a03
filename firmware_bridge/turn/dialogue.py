"""Running turns: one at a time in a session, each to its end even if nobody listens any more."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import replace
from types import TracebackType
from typing import Protocol, Self
from weakref import WeakValueDictionary

from edge_memory.memory import Memory
from firmware_bridge.contracts import Heard, Said, TurnEvent, check_id
from firmware_bridge.turn.turn import Manner, ReplyModel, Turn
from firmware_bridge.turn.utterance import clean_utterance

_log = logging.getLogger(__name__)
_LEAVING_SECONDS = 5.0


class ModelSource(Protocol):
    async def ready(self) -> ReplyModel:
        """The chat model, waiting a while if it is still loading. Raises InferenceError or WeightsError."""


class Dialogue:
    """An async context manager; leaving it gives running turns some seconds, then they keep what was said so far."""

    def __init__(
        self,
        memory: Memory,
        source: ModelSource,
        manner: Manner,
        max_text_characters: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._memory = memory
        self._source = source
        self._manner = manner
        self._max_text_characters = max_text_characters
        self._clock = clock
        self._tasks = asyncio.TaskGroup()
        self._sessions: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            async with asyncio.timeout(_LEAVING_SECONDS):
                await self._tasks.__aexit__(kind, error, trace)
        except TimeoutError:
            _log.warning("some turns were cut short by the end of the companion")

    async def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]:
        """The events of a turn. Raises BadText, TextTooLong, BadId before anything is stored, and the model's errors.

        Closing the iterator early does not end the turn.
        """
        check_id("session_id", heard.session_id)
        if heard.device_id is not None:
            check_id("device_id", heard.device_id)
        heard = replace(heard, text=clean_utterance(heard.text, self._max_text_characters))
        model = await self._source.ready()
        events: asyncio.Queue[TurnEvent | Exception] = asyncio.Queue()
        self._tasks.create_task(self._run(heard, model, events), name=f"turn in {heard.session_id}")
        while True:
            event = await events.get()
            if isinstance(event, Exception):
                raise event
            yield event
            if isinstance(event, Said):
                return

    async def _run(self, heard: Heard, model: ReplyModel, events: asyncio.Queue[TurnEvent | Exception]) -> None:
        lock = self._sessions.setdefault(heard.session_id, asyncio.Lock())
        try:
            async with lock, aclosing(Turn(heard, self._memory, model, self._manner, self._clock).run()) as turn:
                async for event in turn:
                    events.put_nowait(event)
        except Exception as error:  # noqa: BLE001 - it is raised again where the turn is listened to
            events.put_nowait(error)
