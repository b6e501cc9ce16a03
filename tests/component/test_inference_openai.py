"""The second backend, against a small server that speaks the OpenAI shapes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

import numpy as np
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from edge_memory.errors import ModelFailed, ModelUnavailable
from edge_memory.protocols import Purpose
from edge_memory.records import Message, Role
from firmware_bridge.contracts import ReplyPiece
from firmware_bridge.errors import BackendUnreachable, BridgeError, InferenceError, PromptTooLong
from firmware_bridge.inference import OpenAIChat, OpenAIEmbedder

MESSAGES = [Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "my name is Alex")]
USAGE = {"prompt_tokens": 20, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 15}}
Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Backend:
    """A server whose answers each test writes; it remembers the requests."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answer: Answer = self.embeddings
        self.frozen = False
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._take)
        app.router.add_post("/v1/embeddings", self._take)
        app.router.add_get("/v1/models", self._list)
        self.server = TestServer(app, host="127.0.0.1")

    @property
    def url(self) -> str:
        return str(self.server.make_url("/"))

    async def _take(self, request: web.Request) -> web.StreamResponse:
        self.bodies.append(await request.json())
        self.headers.append(dict(request.headers))
        return await self.answer(request)

    async def _list(self, _request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(30 if self.frozen else 0)
        return web.json_response({"data": []})

    def says(self, body: object, status: int = 200) -> None:
        async def answer(_request: web.Request) -> web.StreamResponse:
            return web.json_response(body, status=status)

        self.answer = answer

    def streams(self, *parts: bytes, cut: bool = False) -> None:
        async def answer(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            for part in parts:
                await response.write(part)
            if cut and request.transport is not None:
                request.transport.close()
            return response

        self.answer = answer

    def silent(self) -> None:
        async def answer(_request: web.Request) -> web.StreamResponse:
            await asyncio.sleep(30)
            return web.Response()

        self.answer = answer

    async def embeddings(self, _request: web.Request) -> web.StreamResponse:
        """Vectors that depend on the text, neither normalised nor in order."""
        texts = self.bodies[-1]["input"]
        data = [{"index": number, "embedding": [3.0, float(len(text))]} for number, text in enumerate(texts)]
        return web.json_response({"object": "list", "data": data[::-1]})


@pytest.fixture
async def backend() -> AsyncIterator[Backend]:
    backend = Backend()
    async with backend.server:
        yield backend


@pytest.fixture
async def chat(backend: Backend) -> AsyncIterator[OpenAIChat]:
    async with aclosing(OpenAIChat(backend.url, "some-model", api_key="secret")) as chat:
        yield chat


def chunk(text: str | None = None, reason: str | None = None, **more: object) -> bytes:
    choices = [] if "usage" in more else [{"index": 0, "delta": {"content": text}, "finish_reason": reason}]
    return f"data: {json.dumps({'choices': choices, **more})}\n\n".encode()


async def ask(chat: OpenAIChat, **options: Any) -> list[ReplyPiece]:
    return [piece async for piece in chat.reply(MESSAGES, conversation="c", max_tokens=9, **options)]


async def test_a_reply_streams_and_ends_with_its_usage(backend: Backend, chat: OpenAIChat) -> None:
    whole = chunk("", role="assistant") + chunk("Hi Al") + b": keep-alive\n\n" + chunk("ex é") + chunk(None, "stop")
    whole += chunk(usage=USAGE) + b"data: [DONE]\n\n"
    backend.streams(whole[:70], whole[70:75], whole[75:])
    *pieces, last = await ask(chat, stop=["\n"], temperature=0.2)
    assert "".join(piece.text for piece in pieces) == "Hi Alex é"
    assert all(piece.usage is None for piece in pieces)
    assert last.usage is not None
    assert (last.usage.prompt_tokens, last.usage.prompt_tokens_read, last.usage.reply_tokens) == (20, 5, 3)
    assert last.usage.stop_reason == "end"
    body = backend.bodies[0]
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "my name is Alex"},
    ]
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("some-model", 9, 0.2)
    assert (body["stream"], body["stream_options"], body["stop"]) == (True, {"include_usage": True}, ["\n"])
    assert backend.headers[0]["Authorization"] == "Bearer secret"


async def test_limits_end_a_reply_by_length(backend: Backend, chat: OpenAIChat) -> None:
    backend.streams(chunk("one"), chunk(" two", "length"), b"data: [DONE]\n\n")
    usage = (await ask(chat))[-1].usage
    assert usage is not None
    assert (usage.stop_reason, usage.prompt_tokens) == ("length", 0)
    backend.streams(chunk("one"), chunk(" two"), chunk(" three"))
    first, last = await ask(chat, time_limit=0.0)
    assert first.text == "one"
    assert last.usage is not None
    assert last.usage.stop_reason == "length"


@pytest.mark.parametrize(
    ("parts", "cut"),
    [
        ([chunk("Hi"), b'data: {"choices"'], True),
        ([chunk("Hi")], False),
        ([chunk("Hi"), b'data: {"error": {"message": "out of memory", "code": 500}}\n\n'], False),
        ([chunk("Hi"), b"data: ?\n\n"], False),
        ([chunk("Hi"), b"data: " + b"x" * 1_100_000], False),
    ],
    ids=["cut", "ended early", "error", "no JSON", "flood"],
)
async def test_what_goes_wrong_in_the_middle_is_an_error(
    backend: Backend, chat: OpenAIChat, parts: list[bytes], cut: bool
) -> None:
    backend.streams(*parts, cut=cut)
    async with aclosing(chat.reply(MESSAGES, conversation="c", max_tokens=9)) as pieces:
        assert (await anext(pieces)).text == "Hi"
        with pytest.raises(BackendUnreachable) as caught:
            await anext(pieces)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("status", "body", "error", "sign"),
    [
        (401, {"error": {"message": "no key"}}, BackendUnreachable, "API key"),
        (404, {"error": "model 'x' not found"}, BackendUnreachable, "not found"),
        (500, "oops", BackendUnreachable, "oops"),
        (422, {"error": {"message": "no such format"}}, InferenceError, "no such format"),
        (400, {"error": {"code": 400, "type": "exceed_context_size_error", "message": "n"}}, PromptTooLong, "context"),
        (400, {"object": "error", "message": "maximum context length is 8"}, PromptTooLong, "context"),
    ],
)
async def test_a_refusal_says_why_and_what_to_do(
    backend: Backend, chat: OpenAIChat, status: int, body: object, error: type[BridgeError], sign: str
) -> None:
    backend.says(body, status)
    with pytest.raises(error) as caught:
        await ask(chat)
    assert sign in f"{caught.value.message} {caught.value.hint}"
    assert caught.value.hint
    with pytest.raises((ModelFailed, ModelUnavailable)):
        await chat.complete(MESSAGES, max_tokens=5)


async def test_no_server_at_all_is_an_error_with_a_hint() -> None:
    async with aclosing(OpenAIChat("http://127.0.0.1:9/v1", "m")) as chat:
        with pytest.raises(BackendUnreachable) as caught:
            await ask(chat)
        assert "127.0.0.1:9" in caught.value.message
        assert caught.value.hint
        with pytest.raises(ModelUnavailable):
            await chat.complete(MESSAGES, max_tokens=5)
    with pytest.raises(BackendUnreachable):
        await OpenAIEmbedder.connect("http://127.0.0.1:9", "m")


async def test_complete_asks_for_a_schema_and_gives_the_text(backend: Backend, chat: OpenAIChat) -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    backend.says({"choices": [{"message": {"content": '{"name": "Alex"}'}, "finish_reason": "stop"}], "usage": USAGE})
    assert await chat.complete(MESSAGES, max_tokens=50, schema=schema, cache_key="k") == '{"name": "Alex"}'
    body = backend.bodies[0]
    assert body["response_format"]["type"] == "json_schema"
    assert body["response_format"]["json_schema"]["schema"] == schema
    assert body["temperature"] == 0
    assert "stream" not in body
    backend.says({"choices": [{"message": {"content": "just text"}}]})
    assert await chat.complete(MESSAGES, max_tokens=50) == "just text"
    assert "response_format" not in backend.bodies[-1]


@pytest.mark.parametrize("content", ['{"name": "Al', "Sure! Here it is:", None])
async def test_an_answer_that_is_no_json_is_unavailable(backend: Backend, chat: OpenAIChat, content: object) -> None:
    backend.says({"choices": [{"message": {"content": content}, "finish_reason": "length"}]})
    with pytest.raises(ModelFailed, match="no whole JSON"):
        await chat.complete(MESSAGES, max_tokens=5, schema={"type": "object"})


async def test_tokens_are_estimated_from_bytes(chat: OpenAIChat) -> None:
    assert [chat.count_tokens(text) for text in ("", "a", "abcd", "abcde", "ééé")] == [0, 1, 1, 2, 2]
    assert (chat.name, chat.context_tokens) == ("some-model", 4096)


async def test_vectors_come_normalised_and_in_the_order_of_the_texts(backend: Backend) -> None:
    async with aclosing(await OpenAIEmbedder.connect(f"{backend.url}v1/", "e")) as embedder:
        assert (embedder.name, embedder.dimension) == ("e", 2)
        texts = ["x" * number for number in range(70)]
        vectors = await embedder.embed(texts, Purpose.DOCUMENT)
        assert vectors.shape == (70, 2)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
        assert np.allclose(vectors[:, 1] / vectors[:, 0] * 3, range(70), atol=1e-4)
        assert (await embedder.embed([], Purpose.QUERY)).shape == (0, 2)


async def test_prefixes_go_to_the_server_and_long_texts_are_cut(backend: Backend) -> None:
    connected = await OpenAIEmbedder.connect(backend.url, "e", query_prefix="q: ", document_prefix="d: ")
    async with aclosing(connected) as embedder:
        await embedder.embed(["tea"], Purpose.QUERY)
        await embedder.embed(["tea", "x" * 9000], Purpose.DOCUMENT)
        assert embedder.name != "e"
    assert backend.bodies[-2]["input"] == ["q: tea"]
    assert backend.bodies[-1]["input"][0] == "d: tea"
    assert len(backend.bodies[-1]["input"][1]) == 2000


@pytest.mark.parametrize(
    "data",
    [
        [],
        [{"index": 0, "embedding": [1.0]}],
        [{"index": 0, "embedding": [1.0, 2.0]}, {"index": 1, "embedding": [1.0]}],
        [{"index": 0, "embedding": [1.0, 0.0]}, {"index": 1, "embedding": [0.0, 0.0]}],
        [{"index": 0, "embedding": [1.0, 0.0, 0.0]}, {"index": 1, "embedding": [1.0, 0.0, 0.0]}],
        [{"index": 0, "embedding": "AACAPw=="}],
    ],
    ids=["none", "too few", "ragged", "zero", "other dimension", "base64"],
)
async def test_vectors_that_make_no_sense_are_refused(backend: Backend, data: list[object]) -> None:
    async with aclosing(await OpenAIEmbedder.connect(backend.url, "e")) as embedder:
        backend.says({"data": data})
        with pytest.raises(ModelUnavailable):
            await embedder.embed(["a", "b"], Purpose.DOCUMENT)


async def test_a_server_without_embeddings_is_noticed_when_connecting(backend: Backend) -> None:
    backend.says({"data": []})
    with pytest.raises(InferenceError):
        await OpenAIEmbedder.connect(backend.url, "e")


@pytest.mark.parametrize("status", [301, 303, 307, 308])
async def test_what_is_asked_goes_to_no_other_address(backend: Backend, chat: OpenAIChat, status: int) -> None:
    elsewhere = Backend()
    elsewhere.streams(chunk("I have it all"), chunk(None, "stop"))
    async with elsewhere.server:

        async def send_on(_request: web.Request) -> web.StreamResponse:
            return web.Response(status=status, headers={"Location": f"{elsewhere.url}v1/chat/completions"})

        backend.answer = send_on
        with pytest.raises(BackendUnreachable) as refused:
            await ask(chat)
    assert elsewhere.bodies == []
    assert "address" in refused.value.hint


async def test_what_opens_a_server_is_told_to_it_alone() -> None:
    async with aclosing(OpenAIChat("http://alex:open-sesame@127.0.0.1:9", "some-model")) as chat:
        with pytest.raises(BackendUnreachable) as refused:
            await ask(chat)
    assert "127.0.0.1:9" in refused.value.message
    assert "sesame" not in f"{refused.value.message} {refused.value.hint}"
