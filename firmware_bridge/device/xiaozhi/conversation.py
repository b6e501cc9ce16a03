"""Hearing and speaking in one talk: whose turn it is, and how each cuts the other off."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import replace
from enum import StrEnum
from typing import Any, Protocol

from edge_memory.errors import EdgeMemoryError
from firmware_bridge.contracts import (
    Action,
    Cue,
    Heard,
    HeardOut,
    Hearing,
    ReplySound,
    Said,
    Sound,
    TakenBack,
    VoiceEvent,
)
from firmware_bridge.device.xiaozhi import messages
from firmware_bridge.device.xiaozhi.messages import DOWN_RATE, FRAME_MS, Mode
from firmware_bridge.device.xiaozhi.microphone import Decoder, Microphone, Utterance
from firmware_bridge.device.xiaozhi.passage import Channel, Encoder, Passage
from firmware_bridge.errors import BridgeError

_log = logging.getLogger(__name__)
_MOST_ANNOUNCEMENTS = 64  # that wait; the oldest is dropped
_LINGER_SECONDS = 1.0  # between two parts of one announcement
Start = Callable[[Coroutine[Any, Any, None], str], asyncio.Task[None]]


class State(StrEnum):
    IDLE = "idle"  # nobody listens; the newest sound is kept for a moment
    LISTENING = "listening"  # what the microphone sends is heard
    ANSWERING = "answering"  # the device was told to speak; in realtime mode it is listened to as well


class Voices(Protocol):
    """Ears and mouth of the companion."""

    def listen(
        self,
        heard: Heard,
        pieces: AsyncIterator[bytes],
        mode: Mode,
        rate: int,
        speaking: Callable[[bool], None],
        hush: Callable[[], None],
    ) -> AsyncGenerator[VoiceEvent]:
        """What becomes of an utterance; `pieces` as the decoder makes them, `rate` of the reply's sound.

        By `mode` it ends with the pieces, or its end is to be found, and `speaking` is told whether somebody speaks.
        `hush` is called when the reply is to fall silent, for they speak on.
        Raises TooOften where it would become a turn.
        """

    def answer(self, heard: Heard, rate: int) -> AsyncGenerator[VoiceEvent]:
        """As `listen`, for words that were typed."""

    def count(self, device_id: str) -> None:
        """One more typed utterance of this device. Raises TooOften."""

    def decoder(self) -> Decoder: ...

    def encoder(self, rate: int, frame_ms: int) -> Encoder: ...


class Conversation:
    """`visitor` says whose device it is and which conversation is its own; `start` runs something beside.

    At most one task hears and at most one speaks. The one that heard words becomes the one that speaks.
    """

    def __init__(self, visitor: Heard, channel: Channel, voices: Voices, start: Start) -> None:
        self.state = State.IDLE
        self.active_at = time.monotonic()  # when somebody last said something
        self._visitor = visitor
        self._channel = channel
        self._voices = voices
        self._start = start
        self._mode = Mode.AUTO
        self._is_spoken_to = False
        self._microphone = Microphone(voices.decoder())
        self._utterance: Utterance | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._reply: asyncio.Task[None] | None = None
        self._passage: Passage | None = None
        self._announcements: deque[Sound] = deque(maxlen=_MOST_ANNOUNCEMENTS)
        self._announced = asyncio.Event()
        self._announcing: Sound | None = None

    @property
    def is_busy(self) -> bool:
        """Something is being said, or made out."""
        return self.state is State.ANSWERING or (self._hearing is not None and self._utterance is None)

    def hear(self, packet: bytes) -> None:
        """A packet of the microphone, at any time."""
        if self._hearing is not None and (self._is_spoken_to or self._mode is Mode.MANUAL):
            self.active_at = time.monotonic()
        self._microphone.add(packet)

    async def listen(self, mode: Mode) -> None:
        """The device listens: what it sends from now on is a new utterance."""
        if self.state is State.ANSWERING and mode is not Mode.REALTIME:
            await self._interrupt()
        self._mode = mode
        self.active_at = time.monotonic()
        self._listen()

    def stop_listening(self) -> None:
        """The utterance is whole."""
        if self._utterance is None:
            return
        if not self._utterance.has_sound and self._hearing is not None:
            self._hearing.cancel()
            self._hearing = None
        self._utterance.end()
        self._deafen()

    async def type(self, text: str) -> None:
        """Typed words; whatever is being said is cut off."""
        if await self._may_begin():
            self._start(self._answer(text), "answer to typed words")

    def announce(self, sound: Sound) -> None:
        """Speaks on the companion's own account, after what is being said; anew if it is cut off by words."""
        self._announcements.append(sound)
        self._announced.set()
        self._announce_next()

    async def abort(self) -> None:
        """Silence, at once; the turn keeps what was written of its reply."""
        if self._announcing is not None:
            self._announcing = None
            self._announcements.clear()
        await self._interrupt()
        self._listen_again()

    def expect_words(self) -> None:
        """What the microphone sent up to now was the wake word."""
        self._microphone.forget()

    # Hearing

    def _listen(self, *, going_on: bool = False) -> None:
        if self._hearing is not None:
            self._hearing.cancel()
        self._is_spoken_to = False
        self._utterance = self._microphone.listen(going_on=going_on)
        pieces = self._utterance.pieces()
        events = self._voices.listen(self._visitor, pieces, self._mode, DOWN_RATE, self._notice_speech, self._hush)
        self._hearing = self._start(self._relay(events), "hearing")
        if self.state is State.IDLE:
            self.state = State.LISTENING

    def _notice_speech(self, is_spoken_to: bool) -> None:
        self._is_spoken_to = is_spoken_to

    def _hush(self) -> None:
        if self._passage is not None:
            self._passage.hush()

    def _listen_again(self) -> None:
        """After a reply, or when nothing was heard. Who holds a button presses it again."""
        if self._hearing is not None:
            self.state = State.LISTENING
        elif self._mode is not Mode.MANUAL and self._utterance is not None:
            self.state = State.IDLE
            self._listen(going_on=True)
        else:
            self.state = State.IDLE

    def _deafen(self) -> None:
        self._microphone.rest()
        self._utterance = None
        if self.state is State.LISTENING:
            self.state = State.IDLE

    async def _relay(self, events: AsyncGenerator[VoiceEvent]) -> None:
        """Tells the device what becomes of its words. Cancelled, it ends their turn with what was said of it."""
        failed = False
        try:
            async with aclosing(events):
                async for event in events:
                    await self._follow(event)
        except Exception as error:  # noqa: BLE001 - the door: it becomes a message to the device
            failed = True
            await self._complain(error)
        me = asyncio.current_task()
        if self._reply is me:
            await self._end_reply()
        elif self._hearing is me:
            self._hearing = None
            if failed and self._utterance is not None and not self._utterance.was_heard:
                self._deafen()  # nobody can hear: it would only fail again
            elif self.state is not State.ANSWERING:
                self._listen_again()
            elif self._mode is Mode.REALTIME:
                self._listen(going_on=True)

    async def _follow(self, event: VoiceEvent) -> None:
        if isinstance(event, Hearing):
            if event.action is not Action.IGNORE:
                await self._begin_reply(event.text, is_all=not event.may_go_on)
        elif isinstance(event, HeardOut | TakenBack):
            await self._learn_whether_all(event)
        elif self._passage is None or self._reply is not asyncio.current_task():
            return
        elif isinstance(event, Cue | ReplySound):
            await self._passage.speak(event.sound)
        elif isinstance(event, Said) and event.text and not self._passage.has_shown:
            await self._passage.show(event.text)  # it has no sound

    async def _learn_whether_all(self, event: HeardOut | TakenBack) -> None:
        if self._reply is not asyncio.current_task():
            return
        if isinstance(event, TakenBack) and self._passage is not None:
            await self._passage.stop()
            self._passage = None
        elif self._hearing is None and self._mode is Mode.REALTIME:
            self._listen(going_on=True)

    # Speaking

    async def _answer(self, text: str) -> None:
        await self._begin_reply(text)
        await self._relay(self._voices.answer(replace(self._visitor, text=text), DOWN_RATE))

    async def _begin_reply(self, text: str = "", *, is_all: bool = True) -> None:
        """From now on the running task is the one that speaks; what spoke before is cut off. Until it is known that
        `text` is all that is said nobody else hears.
        """
        await self._interrupt()
        self._reply = asyncio.current_task()
        self.state = State.ANSWERING
        self.active_at = time.monotonic()
        if self._hearing is self._reply:
            self._hearing = None
            if self._mode is not Mode.REALTIME:
                self._microphone.rest()
            elif is_all:
                self._listen(going_on=True)
        if text:
            await self._channel.send(messages.stt(self._channel.session_id, text))
        self._passage = Passage(self._channel, self._voices.encoder(DOWN_RATE, FRAME_MS))
        await self._passage.begin()

    async def _end_reply(self) -> None:
        if self._passage is not None:
            await self._passage.finish()
        self._reply = self._passage = None
        self._microphone.forget()
        self.active_at = time.monotonic()
        self._listen_again()
        self._announce_next()

    async def _interrupt(self) -> None:
        reply, passage = self._reply, self._passage
        self._reply = self._passage = None
        if reply is not None and reply is not asyncio.current_task():
            reply.cancel()
            await asyncio.wait({reply})
            if self._announcing is not None:
                self._announcements.appendleft(self._announcing)
                self._announcing = None
        if passage is not None:
            self._microphone.forget()
            await passage.stop()

    def _announce_next(self) -> None:
        if self._reply is None and self._announcements:
            self._reply = self._start(self._announce(), "announcement")

    async def _announce(self) -> None:
        await self._begin_reply()
        assert self._passage is not None
        while sound := await self._next_announcement():
            self._announcing = sound
            await self._passage.speak(sound)
            self._announcing = None
        await self._end_reply()

    async def _next_announcement(self) -> Sound | None:
        try:
            async with asyncio.timeout(_LINGER_SECONDS):
                while not self._announcements:
                    self._announced.clear()
                    await self._announced.wait()
        except TimeoutError:
            return None
        return self._announcements.popleft()

    async def _may_begin(self) -> bool:
        try:
            self._voices.count(self._visitor.device_id or self._visitor.session_id)
        except BridgeError as error:
            await self._complain(error)
            return False
        return True

    async def _complain(self, error: Exception) -> None:
        if isinstance(error, (BridgeError, EdgeMemoryError)):
            _log.info("%s was not answered: %s", self._visitor.device_id, error.message)
            told = error.message
        else:
            _log.error("internal error", exc_info=error)
            told = "something went wrong inside"
        await self._channel.send(messages.alert(self._channel.session_id, "Lo-Bug", told))
