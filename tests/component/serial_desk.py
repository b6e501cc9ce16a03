"""A companion at one end of a pty cable, and a hand-made device at the other."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import (
    Action,
    Heard,
    ReplyText,
    Said,
    TurnBegun,
    TurnEvent,
    VoiceEvent,
)
from firmware_bridge.device import NoticeBoard, SerialDoor
from firmware_bridge.device.framing import Frame, FrameReader, Kind, encode
from firmware_bridge.device.pty_cable import PtyCable
from firmware_bridge.errors import BadRequest, BadText, ModelLoading
from firmware_bridge.settings import SerialSettings


class House:
    """Answers with what was said. Nothing is on disk before `disk` is set."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.sounds: list[bytes] = []
        self.sensed: list[tuple[str, dict[str, Reading]]] = []
        self.disk = asyncio.Event()
        self.disk.set()
        self.rest = asyncio.Event()
        self.rest.set()
        self.welcome = True

    async def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]:
        assert heard.turn_id
        if not heard.text:
            raise BadText("the text is empty", "say something")
        if heard.text == "too early":
            raise ModelLoading("the model is loading", "wait")
        await self.disk.wait()
        self.heard.append(heard)
        yield TurnBegun(heard.turn_id, heard.session_id)
        yield ReplyText("You said ")
        await self.rest.wait()
        yield ReplyText(heard.text)
        yield Said(Action.RESPOND, f"You said {heard.text}", heard.turn_id, heard.session_id)

    async def listen(self, heard: Heard, pieces: AsyncIterator[bytes], rate: int) -> AsyncIterator[VoiceEvent]:
        assert heard.turn_id
        self.sounds.append(b"")
        async for piece in pieces:
            self.sounds[-1] += piece
        yield TurnBegun(heard.turn_id, heard.session_id)
        yield Said(Action.RESPOND, "I heard you", heard.turn_id, heard.session_id)

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None:
        if "nested" in readings:
            raise BadRequest("nested readings are not taken", "flatten them")
        self.sensed.append((device_id, readings))

    async def is_welcome(self, device_id: str) -> bool:
        return self.welcome

    async def key_for(self, device_id: str, *, has_key: bool) -> str | None:
        return None if has_key else f"lobug_{device_id}"


class HandDevice:
    """The device's end of a cable, frame by frame."""

    def __init__(self, path: str, link: int = 7) -> None:
        self.link = link
        self._fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._reader = FrameReader()
        self._arrived: list[Frame] = []
        self.acknowledges = True
        self._seq = 0

    def close(self) -> None:
        os.close(self._fd)

    def write(self, raw: bytes) -> None:
        assert os.write(self._fd, raw) == len(raw), "the cable is full: wait for an answer before"

    def send(self, kind: Kind, payload: bytes = b"", seq: int = 0) -> None:
        self.write(encode(Frame(kind, self.link, seq, payload)))

    def tell(self, **message: Any) -> int:
        self._seq += 1
        self.send(Kind.CONTROL, json.dumps(message).encode(), self._seq)
        return self._seq

    async def expect(self, wanted: Callable[[Frame], bool], seconds: float = 240.0) -> Frame:
        async with asyncio.timeout(seconds):
            while True:
                self._read()
                for index, frame in enumerate(self._arrived):
                    if wanted(frame):
                        del self._arrived[: index + 1]
                        return frame
                await asyncio.sleep(0.005)

    async def message(self, kind: str) -> dict[str, Any]:
        frame = await self.expect(lambda f: f.kind is Kind.CONTROL and json.loads(f.payload)["type"] == kind)
        told: dict[str, Any] = json.loads(frame.payload)
        return told

    async def link_up(self, device_id: str = "desk") -> None:
        await self.expect(lambda frame: frame.kind is Kind.HAIL)
        self.send(Kind.HELLO, json.dumps({"device_id": device_id, "board": "hand"}).encode())
        await self.expect(lambda frame: frame.kind is Kind.WELCOME)

    async def nothing(self, wanted: Callable[[Frame], bool], seconds: float) -> None:
        with suppress(TimeoutError):
            frame = await self.expect(wanted, seconds)
            raise AssertionError(f"{frame} came")

    def _read(self) -> None:
        with suppress(BlockingIOError):
            for item in self._reader.feed(os.read(self._fd, 65_536)):
                assert isinstance(item, Frame), item
                self._arrived.append(item)
                if item.kind in (Kind.CONTROL, Kind.PART) and self.acknowledges:
                    self.send(Kind.ACK, seq=item.seq)


@asynccontextmanager
async def desk(tmp_path: Path, house: House, board: NoticeBoard) -> AsyncIterator[tuple[HandDevice, PtyCable]]:
    with PtyCable(tmp_path / "usb0") as cable:
        async with SerialDoor(SerialSettings(ports=(cable.host_port,)), house, board):
            device = HandDevice(cable.device_port)
            try:
                await device.link_up()
                yield device, cable
            finally:
                device.close()


def answer_to(seq: int) -> Callable[[Frame], bool]:
    return lambda frame: frame.seq == seq and frame.kind in (Kind.ACK, Kind.REFUSAL)
