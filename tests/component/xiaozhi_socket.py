"""A XiaoZhi device on a bare WebSocket: any binary version, any nonsense, and whatever reaches it."""

from __future__ import annotations

import asyncio
import json
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from sounds import Samples, pcm16
from web_house import House

from firmware_bridge.contracts import Sound
from firmware_bridge.speech.opus import OpusDecoder, OpusEncoder

MAC = "02:aa:bb:cc:dd:01"
FRAME_SECONDS = 0.06
HELLO: dict[str, Any] = {
    "type": "hello",
    "transport": "websocket",
    "features": {"mcp": False},
    "audio_params": {"format": "opus", "sample_rate": 16_000, "channels": 1, "frame_duration": 60},
}


@dataclass
class Device:
    socket: aiohttp.ClientWebSocketResponse
    version: int = 1
    told: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reading = asyncio.create_task(self._read())

    async def hello(self, **more: Any) -> dict[str, Any]:
        await self.tell(**{**HELLO, "version": self.version, **more})
        return await self.until("hello")

    async def tell(self, **message: Any) -> None:
        await self.socket.send_str(json.dumps(message))

    async def listen(self, state: str, **more: Any) -> None:
        await self.tell(type="listen", state=state, **more)

    async def say(self, samples: Samples, pace: float = 0.0) -> None:
        """16 kHz samples as Opus; `pace` are the seconds between two frames."""
        encoder, sound = OpusEncoder(16_000, 60), Sound(pcm16(samples), 16_000)
        for packet in (*encoder.encode(sound), *encoder.rest()):
            await self.frame(packet)
            await asyncio.sleep(pace)

    async def frame(self, packet: bytes) -> None:
        head = {
            1: b"",
            2: struct.pack(">HHIII", 2, 0, 0, 0, len(packet)),
            3: struct.pack(">BBH", 0, 0, len(packet)),
        }
        await self.socket.send_bytes(head[self.version] + packet)

    async def until(self, kind: str, since: int = 0, patience: float = 240.0, **fields: Any) -> dict[str, Any]:
        """The first message of this kind among `told[since:]`, waiting for it."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            for message in self.messages(since):
                if {"type": kind, **fields}.items() <= message.items():
                    return message
            await asyncio.sleep(0.01)
        raise AssertionError(f"no {kind} {fields} in {self.messages(since)}")

    async def past(self, kind: str, since: int = 0, **fields: Any) -> int:
        """The place behind the first such message, waiting for it: what came at once with it counts as later."""
        message = await self.until(kind, since, **fields)
        return next(place for place, told in enumerate(self.told) if told is message) + 1

    async def ended(self) -> None:
        """Waits until the companion has closed the socket."""
        await asyncio.wait_for(asyncio.shield(self.reading), 240.0)
        assert self.socket.closed

    async def reply(self, since: int = 0) -> str:
        """What was shown of a reply, once it is over."""
        await self.until("tts", since, state="stop")
        return " ".join(message["text"] for message in self.messages(since) if message.get("state") == "sentence_start")

    def messages(self, since: int = 0) -> list[dict[str, Any]]:
        return [message for message in self.told[since:] if isinstance(message, dict)]

    def packets(self, since: int = 0) -> list[bytes]:
        """The Opus packets, out of their frames, whose heads are checked."""
        return [self._packet(frame) for frame in self.told[since:] if isinstance(frame, bytes)]

    def seconds(self, since: int = 0) -> float:
        """How long the sound is that came, decoded."""
        decoder = OpusDecoder()
        return sum(len(decoder.decode(packet)) for packet in self.packets(since)) / 2 / 48_000

    def _packet(self, frame: bytes) -> bytes:
        if self.version == 2:
            version, kind, _, _, size = struct.unpack_from(">HHIII", frame)
            assert (version, kind, size) == (2, 0, len(frame) - 16)
            return frame[16:]
        if self.version == 3:
            kind, _, size = struct.unpack_from(">BBH", frame)
            assert (kind, size) == (0, len(frame) - 4)
            return frame[4:]
        return frame

    async def _read(self) -> None:
        async for message in self.socket:
            told = json.loads(message.data) if message.type is aiohttp.WSMsgType.TEXT else message.data
            self.told.append(told)


@asynccontextmanager
async def connected(house: House, token: str = "", version: int = 1, mac: str = MAC) -> AsyncIterator[Device]:
    headers = {"Protocol-Version": str(version), "Device-Id": mac, "Client-Id": "0b7c5a4e-8a30-4c9e-a0f4-3d1f2f6a9c11"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    async with house.session.ws_connect(house.url + "/xiaozhi/v1/", headers=headers, compress=0) as socket:
        device = Device(socket, version)
        try:
            yield device
        finally:
            device.reading.cancel()
            await asyncio.gather(device.reading, return_exceptions=True)
