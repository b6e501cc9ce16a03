"""The running companion as XiaoZhi firmware meets it: each device has one talk at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Protocol

from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import (
    AudioFormat,
    AudioKind,
    Heard,
    Recording,
    TurnEvent,
    VoiceEvent,
    Watch,
)
from firmware_bridge.device import NoticeBoard
from firmware_bridge.device.xiaozhi import Line, XiaoZhiSession
from firmware_bridge.device.xiaozhi.messages import Mode
from firmware_bridge.rate import Rate
from firmware_bridge.speech.opus import DECODED_RATE, OpusDecoder, OpusEncoder
from firmware_bridge.web.bodies import parse_readings


class Conversing(Protocol):
    @property
    def enabled(self) -> bool: ...

    def converse(
        self, heard: Heard, recording: Recording, rate: int | None = None, watch: Watch = ...
    ) -> AsyncGenerator[VoiceEvent]: ...

    def answer(self, heard: Heard, rate: int | None = None) -> AsyncGenerator[VoiceEvent]: ...


class Talker(Protocol):
    def talk(self, heard: Heard) -> AsyncGenerator[TurnEvent]: ...

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None: ...

    @property
    def voice(self) -> Conversing: ...


class XiaoZhiHall:
    """Who comes again is let in, and the talk that it left is ended: firmware that restarts says no goodbye."""

    def __init__(self, companion: Talker, board: NoticeBoard, idle_seconds: float, turns_per_minute: int) -> None:
        """`turns_per_minute` of one device; 0 for any."""
        self._companion = _Host(companion, Rate(turns_per_minute))
        self._board = board
        self._idle_seconds = idle_seconds
        self._lines: dict[str, Line] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def talk(self, visitor: Heard, line: Line) -> AsyncIterator[XiaoZhiSession]:
        """A talk over an open socket. Where Opus cannot be decoded its hello is answered with an alert, and it ends."""
        device_id = visitor.device_id or visitor.session_id
        left = self._lines.get(device_id)
        self._lines[device_id] = line
        if left is not None:
            leaving = asyncio.create_task(left.close(), name=f"the talk that {device_id} left")
            self._leaving.add(leaving)  # nobody may be there any more to answer its goodbye
            leaving.add_done_callback(self._leaving.discard)
        try:
            async with XiaoZhiSession(visitor, line, self._companion, self._board, self._idle_seconds) as session:
                yield session
        finally:
            if self._lines.get(device_id) is line:
                del self._lines[device_id]


class _Host:
    def __init__(self, companion: Talker, rate: Rate) -> None:
        self._companion = companion
        self._rate = rate

    def count(self, device_id: str) -> None:
        self._rate.charge(device_id)

    async def listen(
        self,
        heard: Heard,
        pieces: AsyncIterator[bytes],
        mode: Mode,
        rate: int,
        speaking: Callable[[bool], None],
        hush: Callable[[], None],
    ) -> AsyncGenerator[VoiceEvent]:
        heard = replace(heard, cut_when_left=True)
        given = AudioFormat(AudioKind.PCM16, DECODED_RATE)
        recording = Recording(pieces, given, mode is not Mode.MANUAL, mode is Mode.REALTIME)
        watch = Watch(speaking, lambda: self.count(heard.device_id or heard.session_id), hush)
        async with aclosing(self._companion.voice.converse(heard, recording, rate, watch)) as events:
            async for event in events:
                yield event

    async def answer(self, heard: Heard, rate: int) -> AsyncGenerator[VoiceEvent]:
        """By voice where there is one, else in writing."""
        heard = replace(heard, cut_when_left=True)
        if not self._companion.voice.enabled:
            async with aclosing(self._companion.talk(heard)) as written:
                async for event in written:
                    yield event
            return
        async with aclosing(self._companion.voice.answer(heard, rate)) as events:
            async for spoken in events:
                yield spoken

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None:
        await self._companion.sense(device_id, parse_readings(readings))

    def decoder(self) -> OpusDecoder:
        return OpusDecoder()

    def encoder(self, rate: int, frame_ms: int) -> OpusEncoder:
        return OpusEncoder(rate, frame_ms)
