"""Models behind an OpenAI-compatible server, such as llama-server, vLLM or Ollama."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel, ValidationError

from edge_memory.errors import ModelFailed, ModelUnavailable
from edge_memory.protocols import Purpose, Vectors
from edge_memory.records import Message
from firmware_bridge.contracts import ReplyPiece, Usage
from firmware_bridge.errors import BackendUnreachable, InferenceError
from firmware_bridge.inference import wire
from firmware_bridge.inference.server import ModelServer
from firmware_bridge.inference.vectors import Prefixes, unit_rows

Shape = TypeVar("Shape", bound=BaseModel)

_TEXTS_PER_REQUEST = 32
_MAX_CHARACTERS = 2_000  # about 512 tokens, where common embedding models end
_LOG = "look into the server's log"


class OpenAIChat:
    """A chat model behind a server: the same interface as LlamaChat, also an `edge_memory.protocols.ChatModel`.

    The server schedules its work and caches prompts by itself: it is not told `conversation` and `cache_key`.
    """

    def __init__(self, url: str, model: str, *, api_key: str | None = None, context_tokens: int = 4096) -> None:
        """`url` with or without the closing "/v1". Must be made in a running event loop; contacts nobody yet."""
        self._server = ModelServer(url, api_key)
        self._model = model
        self._context_tokens = context_tokens

    @property
    def name(self) -> str:
        """The model's name at the server."""
        return self._model

    @property
    def context_tokens(self) -> int:
        """The most tokens that a prompt and its reply may have together, as configured."""
        return self._context_tokens

    def count_tokens(self, text: str) -> int:
        """About how many tokens `text` is: one for four bytes, since servers have no common way to ask."""
        return _about_tokens(text)

    async def reply(
        self,
        messages: Sequence[Message],
        *,
        conversation: str,
        max_tokens: int,
        temperature: float = 0.7,
        stop: Sequence[str] = (),
        time_limit: float | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[ReplyPiece]:
        """The live reply as it is written; only the last piece has `usage`, zeros where the server does not tell.

        Close the iterator to end it early. A reply that ended by itself or before one of `stop` is "end", one that
        `max_tokens` or `time_limit` seconds ended "length". Raises BackendUnreachable, also in the middle, or
        PromptTooLong.
        """
        body = self._body(messages, max_tokens, temperature, schema)
        body |= {"stream": True, "stream_options": {"include_usage": True}} | ({"stop": list(stop)} if stop else {})
        deadline = None if time_limit is None else time.monotonic() + time_limit
        counts, reason = wire.Usage(), None
        async with aclosing(self._server.events("/chat/completions", body)) as events:
            async for event in events:
                chunk = _parse(wire.Chat, event)
                counts, reason = chunk.usage or counts, chunk.choice.finish_reason or reason
                if chunk.choice.delta.content:
                    yield ReplyPiece(chunk.choice.delta.content)
                if deadline is not None and time.monotonic() > deadline:
                    reason = "length"
                    break
        if reason is None:
            raise BackendUnreachable("the model server broke off in the middle of a reply", _LOG)
        yield ReplyPiece("", _usage(counts, reason))

    async def draft(
        self, messages: Sequence[Message], *, conversation: str, temperature: float, enough: Callable[[str], bool]
    ) -> str:
        """Nothing: a server is asked for no reply that may not be wanted."""
        return ""

    async def read_ahead(self, messages: Sequence[Message], *, conversation: str, shared: int) -> int:
        """Nothing: what a server keeps of its prompts is its own business."""
        return 0

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
        cache_key: str | None = None,
    ) -> str:
        """The whole answer, at temperature 0. With `schema`, text that parses as JSON; that it obeys the schema is up
        to the server. Raises ModelUnavailable, and ModelFailed when `max_tokens` end the JSON too early."""
        body = self._body(messages, max_tokens, 0.0, schema)
        try:
            text = _parse(wire.Chat, await self._server.ask("/chat/completions", body)).choice.message.content or ""
        except BackendUnreachable as error:
            raise ModelUnavailable(error.message, error.hint) from error
        except InferenceError as error:
            raise ModelFailed(error.message, error.hint) from error
        if schema is not None and not _is_json(text):
            raise ModelFailed(
                f"the model server gave no whole JSON within {max_tokens} tokens",
                "allow more tokens, and check that the server supports response_format json_schema",
            )
        return text

    async def probe(self) -> None:
        """Returns when the server answers. Raises BackendUnreachable or InferenceError."""
        await self._server.look("/models")

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._server.aclose()

    def _body(
        self, messages: Sequence[Message], max_tokens: int, temperature: float, schema: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": message.role.value, "content": message.content} for message in messages],
            "max_tokens": max_tokens,
            "temperature": temperature,
        }
        if schema is not None:
            answer_format = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": answer_format}
        return body


class OpenAIEmbedder:
    """An embedding model behind a server; an `edge_memory.protocols.Embedder`.

    Of a text longer than 2,000 characters, the beginning counts.
    """

    def __init__(self, server: ModelServer, model: str, dimension: int, prefixes: Prefixes) -> None:
        """For `connect`, which is what others call."""
        self._server = server
        self._model = model
        self._dimension = dimension
        self._prefixes = prefixes

    @classmethod
    async def connect(
        cls, url: str, model: str, *, api_key: str | None = None, query_prefix: str = "", document_prefix: str = ""
    ) -> OpenAIEmbedder:
        """Asks the server for one vector, to learn the dimension. `url` with or without the closing "/v1".

        Raises BackendUnreachable or InferenceError.
        """
        server = ModelServer(url, api_key)
        try:
            dimension = (await _vectors(server, model, ["hello"])).shape[1]
        except BaseException:
            await server.aclose()
            raise
        return cls(server, model, dimension, Prefixes(query_prefix, document_prefix))

    @property
    def name(self) -> str:
        """The model's name at the server, and the prefixes if there are any."""
        return self._prefixes.identify(self._model)

    @property
    def dimension(self) -> int:
        return self._dimension

    def count_tokens(self, text: str) -> int:
        """About how many tokens `text` is: one for four bytes."""
        return _about_tokens(text)

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Shape (len(texts), dimension), rows of length 1. Raises ModelUnavailable."""
        prepared = [text[:_MAX_CHARACTERS] for text in self._prefixes.apply(texts, purpose)]
        parts = [np.empty((0, self._dimension), dtype=np.float32)]
        try:
            for start in range(0, len(prepared), _TEXTS_PER_REQUEST):
                parts.append(await _vectors(self._server, self._model, prepared[start : start + _TEXTS_PER_REQUEST]))
        except InferenceError as error:
            raise ModelUnavailable(error.message, error.hint) from error
        if any(part.shape[1] != self._dimension for part in parts):
            raise ModelUnavailable("the model server changed the length of its vectors", "restart the companion")
        return np.concatenate(parts)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._server.aclose()


async def _vectors(server: ModelServer, model: str, texts: Sequence[str]) -> Vectors:
    answer = await server.ask("/embeddings", {"model": model, "input": list(texts)})
    data = sorted(_parse(wire.Embeddings, answer).data, key=lambda item: item.index)
    if len(data) != len(texts) or len({len(item.embedding) for item in data}) != 1:
        raise InferenceError("the model server gave vectors that do not fit the texts", _LOG)
    return unit_rows(np.array([item.embedding for item in data], dtype=np.float64))


def _parse(shape: type[Shape], text: str | bytes) -> Shape:
    try:
        parsed = shape.model_validate_json(text)
    except ValidationError as error:
        raise BackendUnreachable("the model server does not speak the OpenAI protocol", _LOG) from error
    if isinstance(parsed, wire.Chat) and parsed.error is not None:
        raise BackendUnreachable(f"the model server failed: {wire.error_message(parsed.model_dump_json())}", _LOG)
    return parsed


def _usage(counts: wire.Usage, reason: str) -> Usage:
    cached = counts.prompt_tokens_details.cached_tokens if counts.prompt_tokens_details else 0
    return Usage(
        prompt_tokens=counts.prompt_tokens,
        prompt_tokens_read=counts.prompt_tokens - cached,
        reply_tokens=counts.completion_tokens,
        queue_ms=0.0,
        stop_reason="length" if reason == "length" else "end",
    )


def _about_tokens(text: str) -> int:
    return (len(text.encode("utf-8", "replace")) + 3) // 4


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
