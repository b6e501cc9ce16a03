"""A XiaoZhi device as others wrote it: `xiaozhi-sdk`, with a clock on whatever reaches it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from xiaozhi_sdk import XiaoZhiWebsocket

from firmware_bridge.device.xiaozhi.framing import OpusFrame, pack, unpack

MAC = "02:00:00:00:00:01"
FRAME_MS = 60


class Framed:
    """The client's socket with binary frames of version 2 or 3, which the client itself does not speak."""

    def __init__(self, socket: Any, version: int) -> None:
        self._socket = socket
        self._version = version

    async def send(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            message = pack(self._version, message)
        else:
            told = json.loads(message)
            message = json.dumps({**told, "version": self._version} if told["type"] == "hello" else told)
        await self._socket.send(message)

    async def __aiter__(self) -> AsyncIterator[str | bytes]:
        async for message in self._socket:
            if isinstance(message, bytes):
                frame = unpack(self._version, message)
                assert isinstance(frame, OpusFrame)
                yield frame.packet
            else:
                yield message

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)


class Client(XiaoZhiWebsocket):
    version = 1

    async def _send_hello(self) -> None:
        if self.version != 1:
            self.websocket = Framed(self.websocket, self.version)
        await super()._send_hello()


@dataclass
class Device:
    """`told` holds every message and frame as it came: its time, and its JSON or the bytes of its frame."""

    ota_url: str
    mode: str = "auto"
    mac: str = MAC
    version: int = 1
    told: list[tuple[float, Any]] = field(default_factory=list)
    battery: int = 80
    volume: int = 50
    used: list[str] = field(default_factory=list)

    async def __aenter__(self) -> Device:
        assert await self.connect()
        return self

    async def connect(self) -> bool:
        """Whether it was let in."""
        self.sdk = Client(self._hear, ota_url=self.ota_url, audio_sample_rate=16_000)
        self.sdk.mode, self.sdk.version = self.mode, self.version
        decode = self.sdk.audio_opus.opus_to_pcm

        async def timed(frame: bytes) -> Any:
            self.told.append((time.monotonic(), frame))
            return await decode(frame)

        self.sdk.audio_opus.opus_to_pcm = timed
        status = _tool("self.get_device_status", lambda _: self._status())
        volume = _tool("self.audio_speaker.set_volume", lambda arguments: self._set_volume(arguments["volume"]))
        await self.sdk.set_mcp_tool([status, volume])
        return bool(await self.sdk.init_connection(self.mac))

    async def ask_again(self) -> dict[str, Any]:
        """What the firmware is told at its start."""
        return dict(await self.sdk.ota.activate_device())

    async def asked(self, tool: str, patience: float = 240.0) -> None:
        """Waits until the companion has used a tool of the device."""
        end = time.monotonic() + patience
        while tool not in self.used:
            assert time.monotonic() < end, f"{tool} was not used"
            await asyncio.sleep(0.02)

    async def __aexit__(self, *_: object) -> None:
        await self.sdk.close()

    async def say(self, pcm: bytes) -> None:
        """16 kHz samples, at the pace of a microphone."""
        size = 16 * FRAME_MS * 2
        pcm += bytes(-len(pcm) % size)
        for begin in range(0, len(pcm), size):
            assert await self.sdk.send_audio(pcm[begin : begin + size])
            await asyncio.sleep(FRAME_MS / 1000)

    async def until(self, kind: str, patience: float = 240.0, since: int = 0, **fields: Any) -> dict[str, Any]:
        """The first message of this kind among `told[since:]`, waiting for it."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            for _, message in self.told[since:]:
                if isinstance(message, dict) and {"type": kind, **fields}.items() <= message.items():
                    return message
            await asyncio.sleep(0.02)
        raise AssertionError(f"no {kind} {fields} in {self.messages(since)}")

    async def reply(self, since: int = 0) -> str:
        """What the device showed of a reply, once it is over."""
        await self.until("tts", since=since, state="stop")
        shown = [message["text"] for message in self.messages(since) if message.get("state") == "sentence_start"]
        return " ".join(shown)

    def messages(self, since: int = 0) -> list[dict[str, Any]]:
        return [message for _, message in self.told[since:] if isinstance(message, dict)]

    async def _hear(self, message: dict[str, Any]) -> None:
        self.told.append((time.monotonic(), message))

    def _status(self) -> tuple[dict[str, Any], bool]:
        self.used.append("self.get_device_status")
        return {"audio_speaker": {"volume": self.volume}, "battery": {"level": self.battery, "charging": False}}, False

    def _set_volume(self, percent: int) -> tuple[bool, bool]:
        self.volume = percent
        self.used.append("self.audio_speaker.set_volume")
        return True, False


def _tool(name: str, run: Callable[[dict[str, Any]], tuple[Any, bool]]) -> dict[str, Any]:
    return {"name": name, "description": "", "inputSchema": {"type": "object", "properties": {}}, "tool_func": run}
