"""One talk with a device that runs stock XiaoZhi firmware: from the socket's opening to its end. Born, run, dropped."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from contextlib import aclosing
from dataclasses import replace
from enum import StrEnum
from types import TracebackType
from typing import Any, Protocol, Self

from edge_memory.errors import EdgeMemoryError
from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import (
    Action,
    Cue,
    Expression,
    Heard,
    Hearing,
    Notice,
    PlayAudio,
    ReminderDue,
    ReplySound,
    Said,
    SetVolume,
    ShowFace,
    Sound,
    VoiceEvent,
)
from firmware_bridge.device.notices import NoticeBoard
from firmware_bridge.device.xiaozhi import messages
from firmware_bridge.device.xiaozhi.framing import JsonFrame, unpack
from firmware_bridge.device.xiaozhi.messages import DOWN_RATE, FRAME_MS, Detected, Hello, ListenStart, Mode
from firmware_bridge.device.xiaozhi.microphone import Decoder, Microphone, Utterance
from firmware_bridge.device.xiaozhi.passage import Encoder, Line, Passage
from firmware_bridge.device.xiaozhi.tools import SET_VOLUME, STATUS, DeviceTools
from firmware_bridge.errors import BadMessage, BridgeError

_log = logging.getLogger(__name__)
_HELLO_SECONDS = 10.0
_WAKE_WORD_SECONDS = 0.3  # a detected text that no listening follows was typed
_STATUS_SECONDS = 60.0
_LINGER_SECONDS = 1.0  # between two parts of one announcement


class State(StrEnum):
    GREETING = "greeting"  # the socket is open, no hello has come
    IDLE = "idle"  # nobody listens; the newest sound is kept for a moment
    LISTENING = "listening"  # what the microphone sends is heard
    ANSWERING = "answering"  # the device was told to speak; in realtime mode it is listened to as well
    CLOSED = "closed"


class Companion(Protocol):
    """What a talk needs of the running companion."""

    def listen(self, heard: Heard, pieces: AsyncIterator[bytes], live: bool, rate: int) -> AsyncGenerator[VoiceEvent]:
        """What becomes of an utterance; `pieces` as the decoder makes them, `rate` of the reply's sound.

        `live`: its end is to be found, else it ends with the pieces.
        """

    def answer(self, heard: Heard, rate: int) -> AsyncGenerator[VoiceEvent]:
        """As `listen`, for words that were typed."""

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None: ...

    def decoder(self) -> Decoder: ...

    def encoder(self, rate: int, frame_ms: int) -> Encoder: ...


class XiaoZhiSession:
    """An async context manager; inside it, `take` is given every message of the socket.

    `visitor` says whose device it is and which conversation is its own; it has no text. After `idle_seconds` without a
    word the talk is ended.
    """

    def __init__(
        self, visitor: Heard, line: Line, companion: Companion, board: NoticeBoard, idle_seconds: float
    ) -> None:
        self.session_id = uuid.uuid4().hex
        self.state = State.GREETING
        self._visitor = visitor
        self._device_id = visitor.device_id or visitor.session_id
        self._line = line
        self._companion = companion
        self._board = board
        self._idle_seconds = idle_seconds
        self._version = 1
        self._mode = Mode.AUTO
        self._microphone = Microphone(companion.decoder())
        self._utterance: Utterance | None = None
        self._passage: Passage | None = None
        self._hearing: asyncio.Task[None] | None = None  # hears an utterance that has not ended
        self._reply: asyncio.Task[None] | None = None  # says something
        self._undecided: asyncio.Task[None] | None = None  # a detected text that may be a wake word
        self._announcements: asyncio.Queue[Sound] = asyncio.Queue()
        self._tools = DeviceTools(self._send_mcp)
        self._greeted = asyncio.Event()
        self._active_at = time.monotonic()
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

    async def take(self, message: str | bytes) -> None:
        """A text or a binary message. What makes no sense is let go; before the hello it ends the talk."""
        if self.state is State.CLOSED:
            return
        try:
            if isinstance(message, str):
                await self._handle(messages.parse(message))
            elif self.state is State.GREETING:
                raise BadMessage("sound before a hello", "begin with a hello")
            elif isinstance(frame := unpack(self._version, message), JsonFrame):
                await self._handle(messages.parse(frame.text))
            else:
                self._microphone.add(frame.packet)
        except BridgeError as error:
            _log.info("a message of %s was refused: %s", self._device_id, error.message)
            if self.state is State.GREETING:
                await self._line.send_text(messages.alert(self.session_id, "Lo-Bug", error.message))
                await self._close()

    # From the device

    async def _handle(self, message: messages.FromDevice) -> None:
        if isinstance(message, Hello):
            await self._greet(message)
            return
        if self.state is State.GREETING:
            raise BadMessage("a message before the hello", "begin with a hello")
        match message:
            case ListenStart(mode):
                await self._start_listening(mode)
            case messages.ListenStop():
                self._stop_listening()
            case Detected(text):
                self._detect(text)
            case messages.Abort():
                await self._interrupt()
                self._listen_again()
            case messages.Mcp(payload):
                self._tools.take(payload)
            case messages.Goodbye():
                await self._close()
            case messages.Unknown(kind):
                _log.debug("a message of the unknown type %r", kind)

    async def _greet(self, hello: Hello) -> None:
        if self.state is not State.GREETING:
            raise BadMessage("a second hello", "one is enough")
        self.state = State.IDLE
        self._version = hello.version
        await self._line.send_text(messages.hello(self.session_id))
        self._greeted.set()
        self._start(self._notify(), "notices")
        if hello.has_mcp:
            self._start(self._follow_status(), "status")

    async def _start_listening(self, mode: Mode) -> None:
        if self._undecided is not None:
            self._undecided.cancel()  # it was the wake word
        if self.state is State.ANSWERING and mode is not Mode.REALTIME:
            await self._interrupt()
        self._mode = mode
        self._active_at = time.monotonic()
        self._listen()

    def _stop_listening(self) -> None:
        if self._utterance is None or self._hearing is None:
            return
        if not self._utterance.has_sound:
            self._hearing.cancel()
            self._hearing = None
        self._utterance.end()
        self._microphone.rest()
        self._utterance = None
        if self.state is State.LISTENING:
            self.state = State.IDLE

    def _detect(self, text: str) -> None:
        if self.state is State.IDLE:
            self._microphone.forget()
            self._undecided = self._start(self._typed_after_all(text), "detected text")
        elif text:
            self._type(text)

    async def _typed_after_all(self, text: str) -> None:
        await asyncio.sleep(_WAKE_WORD_SECONDS)
        self._undecided = None
        if text:
            self._type(text)

    def _type(self, text: str) -> None:
        self._start(self._answer(text), "answer to typed words")

    # Hearing and answering

    def _listen(self, *, going_on: bool = False) -> None:
        """Begins to listen anew."""
        if self._hearing is not None:
            self._hearing.cancel()
        self._utterance = self._microphone.listen(going_on=going_on)
        live = self._mode is not Mode.MANUAL
        pieces = self._utterance.pieces()
        events = self._companion.listen(self._visitor, pieces, live, DOWN_RATE)
        self._hearing = self._start(self._relay(events), "hearing")
        if self.state is State.IDLE:
            self.state = State.LISTENING

    def _listen_again(self) -> None:
        """After something was said, or nothing was heard. Who holds a button presses it again."""
        if self.state is State.ANSWERING:
            self.state = State.LISTENING if self._hearing is not None else State.IDLE
        if self._mode is not Mode.MANUAL and self.state is State.IDLE and self._utterance is not None:
            self._listen()

    async def _answer(self, text: str) -> None:
        await self._begin_reply(text)
        await self._relay(self._companion.answer(replace(self._visitor, text=text), DOWN_RATE))

    async def _relay(self, events: AsyncGenerator[VoiceEvent]) -> None:
        """Tells the device what becomes of its words. Cancelled, it leaves the turn to its end, unheard."""
        me = asyncio.current_task()
        try:
            async with aclosing(events):
                async for event in events:
                    if isinstance(event, Hearing) and event.action is not Action.IGNORE:
                        await self._begin_reply(event.text)
                    elif self._reply is me and self._passage is not None:
                        await self._say(self._passage, event)
        except (BridgeError, EdgeMemoryError) as error:
            _log.info("%s could not be answered: %s", self._device_id, error.message)
            await self._line.send_text(messages.alert(self.session_id, "Lo-Bug", error.message))
        except Exception:  # noqa: BLE001 - the door: it becomes a message to the device
            _log.exception("internal error")
            await self._line.send_text(messages.alert(self.session_id, "Lo-Bug", "something went wrong inside"))
        await self._end_reply()

    async def _say(self, passage: Passage, event: VoiceEvent) -> None:
        if isinstance(event, Cue | ReplySound):
            await passage.speak(event.sound)
        elif isinstance(event, Said) and event.text and not passage.has_told:
            await passage.show(event.text)  # it has no sound

    async def _begin_reply(self, text: str = "") -> None:
        """From now on the running task is the one that speaks; what spoke before is cut off."""
        await self._interrupt()
        me = asyncio.current_task()
        self._reply = me
        if self._hearing is me:
            self._hearing = None
            if self._mode is Mode.REALTIME:
                self._listen(going_on=True)
            else:
                self._microphone.rest()
        self.state = State.ANSWERING
        self._active_at = time.monotonic()
        if text:
            await self._line.send_text(messages.stt(self.session_id, text))
        self._passage = Passage(
            self._line, self.session_id, self._version, self._companion.encoder(DOWN_RATE, FRAME_MS)
        )
        await self._passage.begin()

    async def _end_reply(self) -> None:
        """What was begun is over; or nothing was, and it was only heard."""
        me = asyncio.current_task()
        if self._reply is me and self._passage is not None:
            await self._passage.finish()
            self._reply = self._passage = None
            self._active_at = time.monotonic()
            self._listen_again()
            self._announce_next()
        elif self._hearing is me:
            self._hearing = None
            if self.state is State.LISTENING:
                self.state = State.IDLE
            self._listen_again()

    async def _interrupt(self) -> None:
        """Silence, at once."""
        reply, passage = self._reply, self._passage
        self._reply = self._passage = None
        self._microphone.forget()
        if reply is None:
            return
        if reply is not asyncio.current_task():
            reply.cancel()
            await asyncio.wait({reply})
        if passage is not None:
            await passage.stop()

    # On the companion's own account

    async def _notify(self) -> None:
        with self._board.listen(self._device_id) as ear:
            while True:
                await self._tell(await ear.next())

    async def _tell(self, notice: Notice) -> None:
        match notice:
            case ShowFace(expression):
                await self._line.send_text(messages.emotion(self.session_id, expression))
            case ReminderDue(_, text, _):
                self._active_at = time.monotonic()
                await self._line.send_text(messages.alert(self.session_id, "Reminder", text, Expression.ALERT))
            case SetVolume(percent):
                self._start(self._set_volume(percent), "volume")
            case PlayAudio(pcm, rate, None):
                self._announcements.put_nowait(Sound(pcm, rate))
                self._announce_next()

    def _announce_next(self) -> None:
        if self._reply is None and not self._announcements.empty():
            self._reply = self._start(self._announce(), "announcement")

    async def _announce(self) -> None:
        await self._begin_reply()
        try:
            while self._passage is not None:
                async with asyncio.timeout(_LINGER_SECONDS):
                    sound = await self._announcements.get()
                await self._passage.speak(sound)
        except TimeoutError:
            pass
        await self._end_reply()

    async def _set_volume(self, percent: int) -> None:
        if SET_VOLUME not in self._tools.names:
            return
        try:
            await self._tools.call(SET_VOLUME, {"volume": percent})
        except BridgeError as error:
            _log.info("the volume of %s stays: %s", self._device_id, error.message)

    async def _follow_status(self) -> None:
        try:
            await self._tools.discover()
            while STATUS in self._tools.names:
                if readings := await self._tools.status():
                    await self._companion.sense(self._device_id, readings)
                await asyncio.sleep(_STATUS_SECONDS)
        except (BridgeError, EdgeMemoryError) as error:
            _log.info("%s tells nothing of itself: %s", self._device_id, error.message)

    async def _send_mcp(self, payload: Any) -> None:
        await self._line.send_text(messages.mcp(self.session_id, payload))

    async def _watch(self) -> None:
        """Ends the talk when no hello comes, or nobody has said anything for long."""
        try:
            async with asyncio.timeout(_HELLO_SECONDS):
                await self._greeted.wait()
        except TimeoutError:
            _log.info("%s sent no hello", self._device_id)
            await self._close()
            return
        while True:
            left = self._active_at + self._idle_seconds - time.monotonic()
            if left <= 0 and self.state is not State.ANSWERING:
                await self._close()
                return
            await asyncio.sleep(max(left, 0.5))

    async def _close(self) -> None:
        self.state = State.CLOSED
        await self._line.close()

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = self._group.create_task(work, name=f"{name} of {self._device_id}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task
