"""Talking to a running companion over HTTP."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from firmware_bridge.errors import BridgeError, CompanionUnreachable

_CONNECT_SECONDS = 3.0
_REPLY_SECONDS = 600.0


class CompanionRefused(BridgeError):
    """The companion answered with an error of its own."""

    code = "companion_refused"


class CompanionClient:
    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/") if "://" in url else f"http://{url.rstrip('/')}"

    async def say(self, text: str, session_id: str) -> dict[str, Any]:
        """The whole answer. Raises CompanionUnreachable or CompanionRefused."""
        async with self._asked("POST", "/chat/text", json={"text": text, "session_id": session_id}) as response:
            answer: dict[str, Any] = await response.json()
            return answer

    async def check(self) -> None:
        """Whether one is there. Raises as `say` does."""
        await self.health()

    async def health(self) -> dict[str, Any]:
        """How it says that it is. Raises as `say` does."""
        async with self._asked("GET", "/health") as response:
            told: dict[str, Any] = await response.json()
            return told

    async def speak(self, recording: bytes, session_id: str) -> tuple[dict[str, Any], bytes | None]:
        """The answer to an audio file, and its sound as WAV if there is one. Raises as `say` does."""
        query = {"session_id": session_id}
        kind = {"Content-Type": "audio/*"}
        async with self._asked(
            "POST", "/chat/audio", params=query, data=io.BytesIO(recording), headers=kind
        ) as response:
            answer: dict[str, Any] = await response.json()
        if not answer["audio_url"]:
            return answer, None
        async with self._asked("GET", answer["audio_url"]) as response:
            return answer, await response.read()

    async def stream(self, text: str, session_id: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """Event names with their data, as the reply is written. Raises as `say` does."""
        body = {"text": text, "session_id": session_id, "stream": True}
        async with self._asked("POST", "/chat/text", json=body) as response:
            name = ""
            async for raw in response.content:
                field, _, value = raw.decode().rstrip("\r\n").partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    data = json.loads(value)
                    if name == "error":
                        raise CompanionRefused(data["error"]["message"], data["error"]["hint"])
                    yield name, data
            if name != "done":
                raise CompanionRefused("the reply broke off", "the companion may have ended; try again")

    @asynccontextmanager
    async def _asked(self, method: str, path: str, **more: Any) -> AsyncIterator[aiohttp.ClientResponse]:
        timeout = aiohttp.ClientTimeout(total=_REPLY_SECONDS, sock_connect=_CONNECT_SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.request(method, self._url + path, **more) as response,
            ):
                if response.status != 200:
                    raise await _refusal(response)
                yield response
        except (aiohttp.ClientError, TimeoutError) as error:
            raise CompanionUnreachable(
                f"no companion answers at {self._url}", "start one with: lobug serve (or give --url)"
            ) from error


async def _refusal(response: aiohttp.ClientResponse) -> CompanionRefused:
    try:
        error = (await response.json())["error"]
        return CompanionRefused(error["message"], error["hint"])
    except (aiohttp.ContentTypeError, ValueError, KeyError, TypeError):
        return CompanionRefused(f"something that is not a companion answered {response.status}", "check --url")
