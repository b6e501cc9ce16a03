"""Running turns: one at a time in a session, each to its end even if nobody listens any more."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from types import TracebackType
from typing import Self
from weakref import WeakValueDictionary

from edge_memory.errors import EdgeMemoryError
from edge_memory.memory import Memory
from edge_memory.observe import read_forget
from firmware_bridge.contracts import Action, Heard, Said, TurnBegun, TurnEvent, check_id
from firmware_bridge.errors import BridgeError, ModelBusy, TurnIdTaken
from firmware_bridge.turn.ahead import ModelSource, ReadingAhead
from firmware_bridge.turn.introduction import unaddressed
from firmware_bridge.turn.manner import Manner, ReplyModel
from firmware_bridge.turn.no_model import NoModel
from firmware_bridge.turn.progress import TurnProgress
from firmware_bridge.turn.reminding import is_wish
from firmware_bridge.turn.tongue import tongue_of
from firmware_bridge.turn.turn import Turn
from firmware_bridge.turn.utterance import clean_utterance, is_noise

_log = logging.getLogger(__name__)
_LEAVING_SECONDS = 5.0
_MOST_RUNNING = 256


class Dialogue:
    """An async context manager; leaving it gives running turns some seconds, then they keep what was said so far."""

    def __init__(
        self,
        memory: Memory,
        source: ModelSource,
        manner: Manner,
        max_text_characters: int,
        clock: Callable[[], float] = time.time,
        watch: Callable[[Heard, TurnEvent | Exception], None] = lambda heard, event: None,
        most_running: int = _MOST_RUNNING,
        taken_back: Callable[[Heard], None] = lambda heard: None,
    ) -> None:
        """`watch` is told every event of every turn, and what a turn fails with, `taken_back` what is to count for
        nothing. `most_running` turns may wait.
        """
        self._memory = memory
        self._source = source
        self._manner = manner
        self._max_text_characters = max_text_characters
        self._clock = clock
        self._watch = watch
        self._taken_back = taken_back
        self._most_running = most_running
        self._tasks = asyncio.TaskGroup()
        self._sessions: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._ahead = ReadingAhead(memory, source, manner)
        self._reading: asyncio.Task[None] | None = None
        self._running: dict[str, TurnProgress] = {}  # the turns whose id the device gave
        self._obeyed: deque[str] = deque(maxlen=most_running)  # the newest turns that did something
        self._under_way = 0

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        self._reading = asyncio.create_task(self._ahead.run(), name="reading ahead")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])
        try:
            async with asyncio.timeout(_LEAVING_SECONDS):
                await self._tasks.__aexit__(kind, error, trace)
        except TimeoutError:
            _log.warning("some turns were cut short by the end of the companion")

    @property
    def is_warm(self) -> bool:
        """Whether the model has read what was talked about before the start."""
        return self._ahead.is_warm

    @property
    def is_ahead(self) -> bool:
        """Whether no turn is under way and the model has read all that prompts are known to begin with next."""
        return self._under_way == 0 and self._ahead.is_idle

    def memory_changed(self) -> None:
        """To be called when memory has digested something: what prompts begin with may be different now."""
        self._ahead.memory_changed()

    async def talk(self, heard: Heard) -> AsyncGenerator[TurnEvent]:
        """The events of a turn. Raises BadText, TextTooLong, BadId or ModelBusy before anything is stored, and the
        model's errors.

        Closing the iterator early does not end the turn, unless `heard` is to be cut then. A turn whose `turn_id` was
        heard before is not run again: its events are told from the beginning, or its answer from the log. Raises
        TurnIdTaken if it was another's.
        """
        check_id("session_id", heard.session_id)
        if heard.device_id is not None:
            check_id("device_id", heard.device_id)
        if heard.text or heard.action is Action.RESPOND:  # noise may have no words
            text = clean_utterance(heard.text, self._max_text_characters)
            heard = replace(heard, text=unaddressed(text, self._manner.persona.name))
        if heard.turn_id is not None:
            for event in await self._answered(heard, check_id("turn_id", heard.turn_id)):
                yield event
                if isinstance(event, Said):
                    return
        progress = self._running.get(heard.turn_id or "")
        if progress is None:
            model = await self._model_for(heard)
            progress = self._running.get(heard.turn_id or "") or self._start(heard, model)
        _check_same(heard, progress.heard.session_id, progress.heard.device_id)
        try:
            async for event in progress.follow():
                yield event
        finally:
            if heard.cut_when_left:
                progress.cut()

    async def take_back(self, heard: Heard) -> bool:
        """Ends a turn whose words prove to be the first of a longer utterance, and forgets it. False where it did
        something: then it stays. Only for turns with an id, within `Memory.undecided.hold`.
        """
        turn_id = heard.turn_id or ""
        progress = self._running.get(turn_id)
        if progress is not None:
            progress.cut()
            await progress.over()
        if turn_id in self._obeyed:
            return False
        await self._memory.undecided.take_back(turn_id)
        self._ahead.memory_changed()
        self._taken_back(heard)
        return True

    async def foresee(self, heard: Heard) -> str:
        """How the reply to these words would begin, should they prove to be all that is said; `talk` is the quicker
        then. Empty where that cannot be told. Nothing is kept; what fails here is left to the turn.
        """
        now = self._clock()
        try:
            text = unaddressed(clean_utterance(heard.text, self._max_text_characters), self._manner.persona.name)
            if self._is_obeyed(text, now) or is_noise(text) or self._is_talking(heard.session_id):
                return ""
            model = await self._source.ready()
            return await Turn(replace(heard, text=text), now, self._memory, model, self._manner, self._clock).foresee()
        except (BridgeError, EdgeMemoryError) as error:
            _log.debug("no reply is foreseen: %s", error.message)
            return ""

    def _is_obeyed(self, text: str, now: float) -> bool:
        """Whether rules alone answer, because something is to be done."""
        language = self._memory.language
        wish = is_wish(text, now, language) or tongue_of(language).memory_wish(text) is not None
        return wish or read_forget(text, language) is not None

    def _is_talking(self, session_id: str) -> bool:
        lock = self._sessions.get(session_id)
        return lock is not None and lock.locked()

    async def _model_for(self, heard: Heard) -> ReplyModel:
        """Nobody waits for a model, or goes without a timer for want of one, where rules alone answer."""
        if not is_wish(heard.text, self._clock(), self._memory.language):
            return await self._source.ready()
        try:
            async with asyncio.timeout(0):
                return await self._source.ready()
        except (TimeoutError, BridgeError):
            return NoModel()

    def running(self, turn_id: str) -> TurnProgress | None:
        """A turn whose id the device gave, while it runs."""
        return self._running.get(turn_id)

    async def _answered(self, heard: Heard, turn_id: str) -> list[TurnEvent]:
        """The whole of a turn that is over; nothing of one that is new, still running or was broken off by a crash."""
        told = await self._memory.turn(turn_id) if turn_id not in self._running else None
        if told is None:
            return []
        _check_same(heard, told.session_id, told.device_id)
        if told.action is None or (told.action == Action.RESPOND and not told.said):
            return []
        said = Said(Action(told.action), told.said, turn_id, told.session_id, (), told.timings)
        return [TurnBegun(turn_id, told.session_id), said]

    def _start(self, heard: Heard, model: ReplyModel) -> TurnProgress:
        if self._under_way >= self._most_running:
            raise ModelBusy(f"{self._most_running} turns wait for their answer", "send it again in some seconds")
        self._under_way += 1
        progress = TurnProgress(heard)
        if heard.turn_id is not None:
            self._running[heard.turn_id] = progress
        turn = Turn(heard, self._clock(), self._memory, model, self._manner, self._clock)
        progress.cut = turn.cut
        self._tasks.create_task(self._run(progress, turn), name=f"turn in {heard.session_id}")
        return progress

    async def _run(self, progress: TurnProgress, turn: Turn) -> None:
        heard = progress.heard
        lock = self._sessions.setdefault(heard.session_id, asyncio.Lock())
        try:
            self._ahead.begun(heard.session_id, heard.user_id)
            async with lock, aclosing(turn.run()) as events:
                async for event in events:
                    if isinstance(event, Said) and turn.is_obeyed:
                        self._obeyed.append(event.turn_id)
                    progress.add(event)
                    self._watch(heard, event)
        except Exception as error:  # noqa: BLE001 - it is raised again where the turn is listened to
            progress.fail(error)
            self._watch(heard, error)
        finally:
            self._under_way -= 1
            self._running.pop(heard.turn_id or "", None)
            self._ahead.ended(heard.session_id, heard.user_id)


def _check_same(heard: Heard, session_id: str, device_id: str | None) -> None:
    if (heard.session_id, heard.device_id) != (session_id, device_id):
        raise TurnIdTaken("this turn_id belongs to another device or session", "make a new one for each utterance")
