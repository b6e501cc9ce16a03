"""Requests to a model server, and what can go wrong with them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from firmware_bridge.addresses import without_credentials
from firmware_bridge.errors import BackendUnreachable, InferenceError, PromptTooLong
from firmware_bridge.inference.sse import EventDecoder
from firmware_bridge.inference.wire import error_message

_CONNECT_S = 5.0
_SILENCE_S = 120.0  # a small machine may read a long prompt for a minute before it says anything
_LOOK = aiohttp.ClientTimeout(total=3.0)
_MAX_BODY = 64_000_000  # bytes
_MAX_ERROR = 64_000  # bytes
_TOO_LONG = ("context_length_exceeded", "exceed_context_size", "maximum context length", "context size")
_NOT_DONE = 300  # also a redirect: what is remembered goes to the address that was set, and to no other
_THIS_REQUEST = (400, 422)  # it is there, and would answer another request
_HINTS = {
    401: "check the API key",
    403: "check the API key",
    404: "check the server's address and the model's name",
    **dict.fromkeys((301, 302, 303, 307, 308), "give the address that it sends requests on to"),
}
_RUNNING = "check its address, and that it is running"


class ModelServer:
    """One server, such as llama-server, vLLM or Ollama. Made in a running event loop; contacts nobody yet."""

    def __init__(self, url: str, api_key: str | None) -> None:
        """`url` is the server's address, with or without the closing "/v1"."""
        self._url = url.rstrip("/").removesuffix("/v1") + "/v1"
        self._session = aiohttp.ClientSession(
            headers={"Authorization": f"Bearer {api_key}"} if api_key else {},
            timeout=aiohttp.ClientTimeout(total=None, connect=_CONNECT_S, sock_read=_SILENCE_S),
        )

    async def ask(self, path: str, body: Mapping[str, Any]) -> bytes:
        """The whole answer. Raises BackendUnreachable, PromptTooLong or InferenceError."""
        async with self._request("POST", path, body) as response:
            answer = bytearray()
            async for chunk in response.content.iter_any():
                answer += chunk
                if len(answer) > _MAX_BODY:
                    raise ValueError("an answer of more than 64 MB")
            return bytes(answer)

    async def events(self, path: str, body: Mapping[str, Any]) -> AsyncGenerator[str]:
        """The data of each event of a streamed answer, without the closing "[DONE]". Raises as `ask`."""
        decoder = EventDecoder()
        async with self._request("POST", path, body) as response:
            async for chunk in response.content.iter_any():
                for event in decoder.feed(chunk):
                    if event == "[DONE]":
                        return
                    yield event

    async def look(self, path: str) -> None:
        """Whether it answers there at all. Raises as `ask`."""
        async with self._request("GET", path, None, _LOOK) as response:
            await response.content.read(_MAX_ERROR)

    async def aclose(self) -> None:
        await self._session.close()

    @asynccontextmanager
    async def _request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        timeout: aiohttp.ClientTimeout | None = None,  # noqa: ASYNC109 - aiohttp's own, not ours to await
    ) -> AsyncGenerator[aiohttp.ClientResponse]:
        server = f"the model server at {without_credentials(self._url)}"
        try:
            request = self._session.request(method, self._url + path, json=body, timeout=timeout, allow_redirects=False)
            async with request as response:
                if response.status >= _NOT_DONE:
                    raise _refusal(server, response.status, await response.content.read(_MAX_ERROR))
                yield response
        except TimeoutError as error:
            raise BackendUnreachable(f"{server} does not answer in time", _RUNNING) from error
        except aiohttp.ClientPayloadError as error:
            raise BackendUnreachable(f"{server} broke off in the middle of an answer", _RUNNING) from error
        except aiohttp.ClientError as error:
            raise BackendUnreachable(f"{server} cannot be reached: {error}", _RUNNING) from error
        except ValueError as error:
            raise BackendUnreachable(f"{server} does not speak the OpenAI protocol", _RUNNING) from error


def _refusal(server: str, status: int, body: bytes) -> InferenceError:
    text = body.decode("utf-8", "replace")
    if any(sign in text for sign in _TOO_LONG):
        return PromptTooLong(f"{server} has no room for this prompt", "give it a larger context")
    hint = _HINTS.get(status, "look into the server's log")
    kind = InferenceError if status in _THIS_REQUEST else BackendUnreachable
    return kind(f"{server} refused ({status}): {error_message(text)}", hint)
