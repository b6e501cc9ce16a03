"""A XiaoZhi device as others wrote it: `xiaozhi-sdk`, with a clock on whatever reaches it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from xiaozhi_sdk import XiaoZhiWebsocket

MAC = "02:00:00:00:00:01"
FRAME_MS = 60


@dataclass
class Device:
    """`told` holds every message and frame as it came: its time, and its JSON or the bytes of its frame."""

    ota_url: str
    mode: str = "auto"
    mac: str = MAC
    told: list[tuple[float, Any]] = field(default_factory=list)
    battery: int = 80
    volume: int = 50

    async def __aenter__(self) -> Device:
        self.sdk = XiaoZhiWebsocket(self._hear, ota_url=self.ota_url, audio_sample_rate=16_000)
        self.sdk.mode = self.mode
        decode = self.sdk.audio_opus.opus_to_pcm

        async def timed(frame: bytes) -> Any:
            self.told.append((time.monotonic(), frame))
            return await decode(frame)

        self.sdk.audio_opus.opus_to_pcm = timed
        status = _tool("self.get_device_status", self._status)
        await self.sdk.set_mcp_tool([status, _tool("self.audio_speaker.set_volume", self._set_volume)])
        assert await self.sdk.init_connection(self.mac)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.sdk.close()

    async def say(self, pcm: bytes) -> None:
        """16 kHz samples, at the pace of a microphone."""
        size = 16 * FRAME_MS * 2
        pcm += bytes(-len(pcm) % size)
        for begin in range(0, len(pcm), size):
            assert await self.sdk.send_audio(pcm[begin : begin + size])
            await asyncio.sleep(FRAME_MS / 1000)

    async def until(self, kind: str, patience: float = 60.0, since: int = 0, **fields: Any) -> dict[str, Any]:
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

    def _status(self, _: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        return {"audio_speaker": {"volume": self.volume}, "battery": {"level": self.battery, "charging": False}}, False

    def _set_volume(self, arguments: dict[str, Any]) -> tuple[bool, bool]:
        self.volume = arguments["volume"]
        return True, False


def _tool(name: str, run: Callable[[dict[str, Any]], tuple[Any, bool]]) -> dict[str, Any]:
    return {"name": name, "description": "", "inputSchema": {"type": "object", "properties": {}}, "tool_func": run}
