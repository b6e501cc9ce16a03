"""One talk with a device that runs stock XiaoZhi firmware: from the socket's opening to its end. Born, run, dropped."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections import deque
from collections.abc import Coroutine, Mapping
from enum import StrEnum
from types import TracebackType
from typing import Any, Protocol, Self

from edge_memory.errors import EdgeMemoryError
from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import Expression, Heard, Notice, PlayAudio, ReminderDue, SetVolume, ShowFace, Sound
from firmware_bridge.device.notices import NoticeBoard
from firmware_bridge.device.xiaozhi import messages
from firmware_bridge.device.xiaozhi.conversation import Conversation, Voices
from firmware_bridge.device.xiaozhi.conversation import State as Speech
from firmware_bridge.device.xiaozhi.framing import JsonFrame, unpack
from firmware_bridge.device.xiaozhi.messages import Detected, Hello, ListenStart
from firmware_bridge.device.xiaozhi.passage import Channel, Line
from firmware_bridge.device.xiaozhi.tools import SET_VOLUME, STATUS, DeviceTools
from firmware_bridge.errors import BadMessage, BridgeError

_log = logging.getLogger(__name__)
_HELLO_SECONDS = 10.0
_WAKE_WORD_SECONDS = 1.0  # a detected text that no listening follows was typed
_STATUS_SECONDS = 60.0
_AGAIN_SECONDS = 1.0  # twice as long after each time that a device told nothing
_ARRIVED_SECONDS = 60.0  # a socket that still stands so long after a message has carried it
_MOST_TOLD = 64


class State(StrEnum):
    GREETING = "greeting"  # the socket is open, no hello has come
    OPEN = "open"  # both have said hello
    CLOSED = "closed"


class Companion(Voices, Protocol):
    """What a talk needs of the running companion."""

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None: ...


class XiaoZhiSession:
    """An async context manager; inside it, `take` is given every message of the socket.

    `visitor` says whose device it is and which conversation is its own; it has no text. After `idle_seconds` without a
    word the talk is ended.
    """

    def __init__(
        self, visitor: Heard, line: Line, companion: Companion, board: NoticeBoard, idle_seconds: float
    ) -> None:
        self.state = State.GREETING
        self._visitor = visitor
        self._device_id = visitor.device_id or visitor.session_id
        self._companion = companion
        self._board = board
        self._idle_seconds = idle_seconds
        self._channel = Channel(line, uuid.uuid4().hex)
        self._tools = DeviceTools(self._send_mcp)
        self._conversation: Conversation | None = None
        self._undecided: asyncio.Task[None] | None = None  # a detected text that may be a wake word
        self._greeted = asyncio.Event()
        self._alive_at = time.monotonic()  # when it last sent something
        self._told: deque[tuple[float, ReminderDue]] = deque(maxlen=_MOST_TOLD)
        self._group = asyncio.TaskGroup()
        self._running: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        self._start(self._watch(), "silence")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.state = State.CLOSED
        for task in list(self._running):
            task.cancel()
        await self._group.__aexit__(kind, error, trace)

    def part(self) -> None:
        """The device closes the socket itself: whatever was sent to it has arrived."""
        self._told.clear()

    async def take(self, message: str | bytes) -> None:
        """A text or a binary message. What makes no sense is let go; before the hello it ends the talk."""
        self._alive_at = time.monotonic()
        try:
            if self.state is State.GREETING:
                await self._greet(message)
            elif self.state is State.OPEN and self._conversation is not None:
                await self._take(self._conversation, message)
        except BridgeError as error:
            _log.info("a message of %s was refused: %s", self._device_id, error.message)
            if self.state is State.GREETING:
                await self._channel.send(messages.alert(self._channel.session_id, "Lo-Bug", error.message))
                await self._close()

    async def _greet(self, message: str | bytes) -> None:
        hello = messages.parse(message) if isinstance(message, str) else None
        if not isinstance(hello, Hello):
            raise BadMessage("a message before the hello", "begin with a hello")
        self._channel = Channel(self._channel.line, self._channel.session_id, hello.version)
        self._conversation = Conversation(self._visitor, self._channel, self._companion, self._start)
        self.state = State.OPEN
        await self._channel.send(messages.hello(self._channel.session_id))
        self._greeted.set()
        self._start(self._notify(self._conversation), "notices")
        if hello.has_mcp:
            self._start(self._follow_status(), "status")

    async def _take(self, conversation: Conversation, message: str | bytes) -> None:
        if isinstance(message, bytes):
            frame = unpack(self._channel.version, message)
            if not isinstance(frame, JsonFrame):
                conversation.hear(frame.packet)
                return
            message = frame.text
        match messages.parse(message):
            case ListenStart(mode):
                if self._undecided is not None:
                    self._undecided.cancel()  # it was the wake word
                await conversation.listen(mode)
            case messages.ListenStop():
                conversation.stop_listening()
            case Detected(text):
                await self._detect(conversation, text)
            case messages.Abort():
                await self._abort(conversation)
            case messages.Mcp(payload):
                self._tools.take(payload)
            case messages.Goodbye():
                await self._close()
            case other:
                _log.debug("nothing is to be done about %r", other)

    async def _abort(self, conversation: Conversation) -> None:
        if self._undecided is not None:
            self._undecided.cancel()
        await conversation.abort()

    async def _detect(self, conversation: Conversation, text: str) -> None:
        if conversation.state is Speech.IDLE:
            conversation.expect_words()
            self._undecided = self._start(self._typed_after_all(conversation, text), "detected text")
        elif text:
            await conversation.type(text)

    async def _typed_after_all(self, conversation: Conversation, text: str) -> None:
        await asyncio.sleep(_WAKE_WORD_SECONDS)
        if text:
            await conversation.type(text)

    # On the companion's own account

    async def _notify(self, conversation: Conversation) -> None:
        """Reminders that no sign of life followed may have gone to a device without power: they are given back."""
        try:
            with self._board.listen(self._device_id) as ear:
                while True:
                    notice = await ear.next()
                    if isinstance(notice, ReminderDue):
                        self._told.append((time.monotonic(), notice))
                    try:
                        await self._tell(conversation, notice)
                    except BaseException:
                        self._board.give_back([notice])
                        raise
        finally:
            since = max(self._alive_at, time.monotonic() - _ARRIVED_SECONDS)
            self._board.give_back(notice for at, notice in self._told if at > since)

    async def _tell(self, conversation: Conversation, notice: Notice) -> None:
        session_id = self._channel.session_id
        match notice:
            case ShowFace(expression):
                await self._channel.send(messages.emotion(session_id, expression))
            case ReminderDue(_, text, _):
                await self._channel.send(messages.alert(session_id, "Reminder", text, Expression.ALERT))
            case SetVolume(percent):
                self._start(self._set_volume(percent), "volume")
            case PlayAudio(pcm, rate, None):
                conversation.announce(Sound(pcm, rate))

    async def _set_volume(self, percent: int) -> None:
        try:
            if SET_VOLUME in self._tools.names:
                await self._tools.call(SET_VOLUME, {"volume": percent})
        except BridgeError as error:
            _log.info("the volume of %s stays: %s", self._device_id, error.message)

    async def _follow_status(self) -> None:
        """Battery, volume and the like, as readings of this device. One that does not answer is asked again."""
        pause = _AGAIN_SECONDS
        while True:
            try:
                await self._read_status()
                pause = _STATUS_SECONDS
            except (BridgeError, EdgeMemoryError) as error:
                _log.info("%s tells nothing of itself: %s", self._device_id, error.message)
                pause = min(2 * pause, _STATUS_SECONDS)
            if self._tools.names and STATUS not in self._tools.names:
                return
            await asyncio.sleep(pause)

    async def _read_status(self) -> None:
        if not self._tools.names:
            await self._tools.discover()
        if STATUS in self._tools.names and (readings := await self._tools.status()):
            await self._companion.sense(self._device_id, readings)

    async def _send_mcp(self, payload: Mapping[str, Any]) -> None:
        await self._channel.send(messages.mcp(self._channel.session_id, payload))

    async def _watch(self) -> None:
        """Ends the talk when no hello comes, or nobody has said anything for long."""
        try:
            async with asyncio.timeout(min(_HELLO_SECONDS, self._idle_seconds)):
                await self._greeted.wait()
        except TimeoutError:
            _log.info("%s sent no hello", self._device_id)
        while (left := self._left()) > 0:  # noqa: ASYNC110 - what it waits for is that nothing happens
            await asyncio.sleep(left)
        await self._close()

    def _left(self) -> float:
        """Seconds for which the talk may go on in silence."""
        if self._conversation is None:
            return 0.0
        if self._conversation.is_busy:
            return self._idle_seconds
        return self._conversation.active_at + self._idle_seconds - time.monotonic()

    async def _close(self) -> None:
        self.state = State.CLOSED
        await self._channel.line.close()

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = self._group.create_task(work, name=f"{name} of {self._device_id}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task
