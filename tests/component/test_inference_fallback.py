"""Falling back from one server to another that stands for the local model; the test writes the answers of both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import numpy as np
import pytest
from aiohttp import web
from test_inference_openai import MESSAGES, Backend, chunk

from edge_memory.errors import ModelFailed, ModelUnavailable
from edge_memory.protocols import Purpose
from firmware_bridge.errors import BackendUnreachable, PromptTooLong, WeightsMissing
from firmware_bridge.inference import FallbackChat, FallbackEmbedder, OpenAIChat, OpenAIEmbedder
from firmware_bridge.inference.fallback import Absence

LOCAL = [chunk("from here"), chunk(None, "stop"), b"data: [DONE]\n\n"]
SERVED = [chunk("from afar"), chunk(None, "stop"), b"data: [DONE]\n\n"]


@pytest.fixture
async def away() -> AsyncIterator[Backend]:
    backend = Backend()
    async with backend.server:
        backend.streams(*SERVED)
        yield backend


@pytest.fixture
async def here() -> AsyncIterator[Backend]:
    backend = Backend()
    async with backend.server:
        backend.streams(*LOCAL)
        yield backend


@pytest.fixture
async def chat(away: Backend, here: Backend) -> AsyncIterator[FallbackChat]:
    async with fallback(away, here, patience_s=60) as chat:
        yield chat


def fallback(away: Backend, here: Backend, patience_s: float) -> aclosing[FallbackChat]:
    async def load_local() -> OpenAIChat:
        return OpenAIChat(here.url, "small")

    return aclosing(FallbackChat(OpenAIChat(away.url, "big"), load_local, patience_s))


async def told(chat: FallbackChat) -> str:
    return "".join([piece.text async for piece in chat.reply(MESSAGES, conversation="c", max_tokens=9)])


async def test_the_server_answers_while_it_can(chat: FallbackChat, here: Backend) -> None:
    assert await told(chat) == "from afar"
    assert chat.trouble is None
    assert here.bodies == []


async def test_a_reply_that_has_begun_is_not_begun_again(chat: FallbackChat, away: Backend) -> None:
    away.streams(chunk("from a"), cut=True)
    async with aclosing(chat.reply(MESSAGES, conversation="c", max_tokens=9)) as pieces:
        assert (await anext(pieces)).text == "from a"
        with pytest.raises(BackendUnreachable):
            await anext(pieces)
    assert await told(chat) == "from here"


async def test_silence_counts_as_absence_and_is_not_tried_again_at_once(away: Backend, here: Backend) -> None:
    away.silent()
    async with fallback(away, here, patience_s=0.3) as chat:
        assert await told(chat) == "from here"
        assert chat.trouble is not None
        assert "silent" in chat.trouble.message
        asked = len(away.bodies)
        assert await told(chat) == "from here"
        await chat.probe()  # too early
        assert len(away.bodies) == asked
        assert chat.trouble is not None


async def test_a_refused_request_is_answered_here_and_the_server_stays(chat: FallbackChat, away: Backend) -> None:
    away.says({"error": {"message": "no such format"}}, 422)
    assert await told(chat) == "from here"
    assert chat.trouble is None


async def test_a_prompt_too_long_is_told(chat: FallbackChat, away: Backend, here: Backend) -> None:
    away.says({"error": {"type": "exceed_context_size_error", "message": "n"}}, 400)
    with pytest.raises(PromptTooLong):
        await told(chat)
    assert here.bodies == []


async def test_memory_work_falls_back_but_not_from_an_answer_that_is_wrong(
    chat: FallbackChat, away: Backend, here: Backend
) -> None:
    here.says({"choices": [{"message": {"content": "from here"}}]})
    away.says({"choices": [{"message": {"content": "{"}}]})
    with pytest.raises(ModelFailed):
        await chat.complete(MESSAGES, max_tokens=5, schema={"type": "object"})
    assert here.bodies == []
    away.says("oops", 500)
    assert await chat.complete(MESSAGES, max_tokens=5) == "from here"
    assert chat.trouble is not None


async def test_memory_work_does_not_wait_for_a_frozen_server_but_for_one_that_is_slow(
    away: Backend, here: Backend
) -> None:
    async def slowly(_request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(2.4)
        return web.json_response({"choices": [{"message": {"content": "from afar"}}]})

    here.says({"choices": [{"message": {"content": "from here"}}]})
    away.answer = slowly
    async with fallback(away, here, patience_s=2.0) as chat:
        assert await chat.complete(MESSAGES, max_tokens=5) == "from afar"
        assert chat.trouble is None
        away.silent()
        away.frozen = True
        async with asyncio.timeout(25):  # what is frozen thaws after 30
            assert await chat.complete(MESSAGES, max_tokens=5) == "from here"
        assert chat.trouble is not None
        assert "silent" in chat.trouble.message


async def test_without_local_weights_both_troubles_are_told(away: Backend) -> None:
    async def load_local() -> OpenAIChat:
        raise WeightsMissing("the weights are not here", "run: lobug models pull")

    away.says("oops", 500)
    async with aclosing(FallbackChat(OpenAIChat(away.url, "big"), load_local, patience_s=60)) as chat:
        with pytest.raises(BackendUnreachable) as caught:
            await told(chat)
        assert "oops" in caught.value.message
        assert "weights are not here" in caught.value.message
        assert caught.value.hint
        with pytest.raises(ModelUnavailable):
            await chat.complete(MESSAGES, max_tokens=5)


def test_a_server_that_fails_again_and_again_is_left_alone_for_longer() -> None:
    now = [0.0]
    absence, trouble = Absence("chat", lambda: now[0]), BackendUnreachable("away")
    rests = []
    for _ in range(12):
        absence.begin(trouble)
        began = now[0]
        while not absence.may_be_over:
            now[0] += 1
        rests.append(now[0] - began)
        absence.end()
        absence.begin(trouble)  # it answered the probe, and failed at the next prompt
    assert rests[0] == 2
    assert rests == sorted(rests)
    assert rests[-1] == 300
    absence.prove()
    absence.end()
    absence.begin(trouble)
    now[0] += 2
    assert absence.may_be_over


@pytest.mark.parametrize("same", [True, False])
async def test_vectors_of_another_model_are_never_taken(away: Backend, here: Backend, same: bool) -> None:
    async def other(_request: web.Request) -> web.StreamResponse:
        data = [{"index": number, "embedding": [-1.0, 0.2]} for number, _ in enumerate(away.bodies[-1]["input"])]
        return web.json_response({"data": data})

    async def connect() -> OpenAIEmbedder:
        return await OpenAIEmbedder.connect(away.url, "e")

    here.answer, away.answer = here.embeddings, away.embeddings if same else other
    local = await OpenAIEmbedder.connect(here.url, "e")
    async with aclosing(FallbackEmbedder(connect, local, patience_s=60)) as embedder:
        await embedder.connect()
        assert (embedder.trouble is None) is same
        asked = len(away.bodies)
        expected = await local.embed(["tea"], Purpose.QUERY)
        assert np.allclose(await embedder.embed(["tea"], Purpose.QUERY), expected)
        assert len(away.bodies) - asked == int(same)
        assert (embedder.name, embedder.dimension) == ("e", 2)
        away.says("oops", 500)
        assert np.allclose(await embedder.embed(["tea"], Purpose.QUERY), expected)
        assert embedder.trouble is not None
