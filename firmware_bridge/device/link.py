"""One serial port: who is there, which link counts, and what lies between the frames."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from edge_memory.errors import EdgeMemoryError
from firmware_bridge.contracts import Notice
from firmware_bridge.device.companion import Companion
from firmware_bridge.device.framing import VERSION, ForeignFrame, Frame, FrameReader, Kind, Noise, encode
from firmware_bridge.device.messages import parse_hello, refusal_payload
from firmware_bridge.device.notices import NoticeBoard
from firmware_bridge.device.session import DeviceSession
from firmware_bridge.errors import (
    BridgeError,
    CableLost,
    DeviceIdTaken,
    DeviceLockedOut,
    DeviceSilent,
    ProtocolUnknown,
)

_log = logging.getLogger(__name__)
_HAIL_SECONDS = 1.0
_PASSIVE_SECONDS = 5.0


class Wire(Protocol):
    path: str

    async def receive(self) -> bytes:
        """At least one byte. Raises CableLost."""

    async def send(self, data: bytes) -> None:
        """Raises CableLost."""


@dataclass
class Attached:
    """The devices on all cables, and what those that left were not told."""

    ids: set[str] = field(default_factory=set)
    untold: dict[str, list[Notice]] = field(default_factory=dict)


class SerialLink:
    """Runs until the cable is lost.

    A link that may not `hail` writes nothing before it saw a hello, and gives up after some seconds without one.
    """

    def __init__(
        self, wire: Wire, companion: Companion, board: NoticeBoard, attached: Attached, *, hail: bool = True
    ) -> None:
        self._wire = wire
        self._companion = companion
        self._board = board
        self._attached = attached
        self._may_hail = hail
        self._hailed_at = self._warned_at = float("-inf")
        self._session: DeviceSession | None = None
        self._running: asyncio.Task[None] | None = None
        self.recognised = False

    async def run(self) -> None:
        """Raises CableLost; returns when nobody is there that may be hailed."""
        try:
            async with asyncio.TaskGroup() as tasks:
                hailing = tasks.create_task(self._hail(), name=f"hail {self._wire.path}")
                reading = tasks.create_task(self._read(tasks), name=f"read {self._wire.path}")
                await asyncio.wait([hailing, reading], return_when=asyncio.FIRST_COMPLETED)
                for task in (hailing, reading, self._running):
                    if task is not None:
                        task.cancel()
        except ExceptionGroup as group:
            raise group.exceptions[0] from group
        finally:
            self._leave()

    async def _hail(self) -> None:
        if not self._may_hail:
            await asyncio.sleep(_PASSIVE_SECONDS)
            if not self.recognised:
                return
        while True:
            if self._session is None:
                await self._hail_once()
            await asyncio.sleep(_HAIL_SECONDS)

    async def _hail_once(self) -> None:
        now = time.monotonic()
        if now - self._hailed_at >= _HAIL_SECONDS / 2:
            self._hailed_at = now
            await self._send(Frame(Kind.HAIL))

    async def _read(self, tasks: asyncio.TaskGroup) -> None:
        reader = FrameReader()
        while True:
            for item in reader.feed(await self._wire.receive()):
                match item:
                    case Noise(raw):
                        _log.debug("%s: %s bytes that are no frame", self._wire.path, len(raw))
                    case ForeignFrame(version, kind):
                        await self._refuse_foreign(version, kind)
                    case Frame(Kind.HELLO):
                        await self._greet(item, tasks)
                    case Frame():
                        await self._pass_on(item)

    async def _pass_on(self, frame: Frame) -> None:
        if self._session is not None and frame.link == self._session.link:
            await self._session.take(frame)
        elif self.recognised or self._may_hail:
            await self._hail_once()  # it believes in a link that is over

    async def _greet(self, frame: Frame, tasks: asyncio.TaskGroup) -> None:
        self.recognised = True
        if self._session is not None and frame.link == self._session.link:
            await self._session.welcome()
            return
        self._leave()
        try:
            hello = parse_hello(frame.payload)
            if hello.device_id in self._attached.ids:
                raise DeviceIdTaken(
                    f"a device called {hello.device_id} is on another cable", "give this one another device_id"
                )
        except BridgeError as error:
            _log.warning("%s: %s", self._wire.path, error.message)
            await self._send(Frame(Kind.REFUSAL, frame.link, 0, refusal_payload(error)))
            return
        self._attached.ids.add(hello.device_id)
        untold = self._attached.untold.pop(hello.device_id, [])
        self._session = DeviceSession(hello, frame.link, self._send, self._companion, self._board, untold)
        self._running = tasks.create_task(self._run(self._session), name=f"device {hello.device_id}")
        await self._session.welcome()
        _log.info("device %s (%s) is linked on %s", hello.device_id, hello.board or "unknown board", self._wire.path)

    async def _run(self, session: DeviceSession) -> None:
        try:
            await session.run()
        except (DeviceSilent, DeviceLockedOut, EdgeMemoryError) as error:
            _log.warning("%s: %s", self._wire.path, error.message)
            if self._session is session:
                self._leave(cancel=False)

    def _leave(self, *, cancel: bool = True) -> None:
        if self._session is not None:
            device_id = self._session.hello.device_id
            self._attached.ids.discard(device_id)
            self._board.give_back(self._session.unacknowledged())
            untold = self._session.untold()
            if untold:
                self._attached.untold[device_id] = untold
            self._session = None
        if self._running is not None and cancel:
            self._running.cancel()
        self._running = None

    async def _refuse_foreign(self, version: int, kind: int) -> None:
        now = time.monotonic()
        if now - self._warned_at < _HAIL_SECONDS:
            return
        self._warned_at = now
        what = f"version {version}" if version != VERSION else f"kind {kind} of version {VERSION}"
        error = ProtocolUnknown(
            f"frames of {what} are not understood here",
            f"this companion speaks version {VERSION}: update the older one",
        )
        _log.warning("%s: %s", self._wire.path, error.message)
        with suppress(CableLost):
            await self._send(Frame(Kind.REFUSAL, 0, 0, refusal_payload(error)))

    async def _send(self, frame: Frame) -> None:
        await self._wire.send(encode(frame))
