"""The embedding room on the real default model."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Generator
from contextlib import aclosing
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio
from lane_begun import begun
from numpy.typing import NDArray

from edge_memory.errors import ModelUnavailable
from edge_memory.protocols import Purpose
from firmware_bridge.errors import InferenceError, ModelUnusable
from firmware_bridge.inference import LlamaChat, LlamaEmbedder
from firmware_bridge.inference.vectors import unit_rows
from firmware_bridge.lane import ComputeLane, Priority

MODELS = Path(__file__).parents[2] / "models"
MINILM, TINY = MODELS / "all-MiniLM-L6-v2.f16.gguf", MODELS / "SmolLM2-135M-Instruct.Q4_1.gguf"

pytestmark = [
    pytest.mark.weights,
    pytest.mark.skipif(not MINILM.exists(), reason=f"{MINILM.name} is not in models/: lobug models pull"),
    pytest.mark.asyncio(loop_scope="module"),
]

TEXTS = [
    "The user works at NASA",
    "Le chat de l'utilisateur s'appelle Pixel",
    "",
    "propulsion team meeting on Friday " * 30,
    "用户对花生过敏",
    *(f"The user has visited {number} countries" for number in range(40)),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def lane() -> AsyncIterator[ComputeLane]:
    async with ComputeLane() as lane:
        yield lane


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def embedder(lane: ComputeLane) -> AsyncIterator[LlamaEmbedder]:
    async with aclosing(await LlamaEmbedder.load(MINILM, lane, threads=1)) as embedder:
        yield embedder


def cosines(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    products: NDArray[np.float32] = np.sum(a * b, axis=1)
    return products


async def test_vectors_have_length_one_and_the_shape_of_the_texts(embedder: LlamaEmbedder) -> None:
    vectors = await embedder.embed(TEXTS, Purpose.DOCUMENT)
    assert vectors.shape == (len(TEXTS), embedder.dimension) == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_a_text_has_the_same_vector_alone_and_among_others(embedder: LlamaEmbedder) -> None:
    together = await embedder.embed(TEXTS, Purpose.DOCUMENT)
    alone = np.concatenate([await embedder.embed([text], Purpose.DOCUMENT) for text in TEXTS[:10]])
    assert cosines(together[:10], alone).min() > 0.999


async def test_what_is_meant_alike_lies_close(embedder: LlamaEmbedder) -> None:
    query = await embedder.embed(["Who is the user's employer?"], Purpose.QUERY)
    near, far = await embedder.embed([TEXTS[0], "Bananas ripen faster in a paper bag"], Purpose.DOCUMENT)
    assert query[0] @ near > query[0] @ far + 0.1


async def test_no_texts_give_no_rows(embedder: LlamaEmbedder) -> None:
    assert (await embedder.embed([], Purpose.QUERY)).shape == (0, 384)


async def test_of_a_long_text_the_beginning_counts(embedder: LlamaEmbedder) -> None:
    long = "The user keeps bees behind the house. " * 200
    short, longer = await embedder.embed([long, long + "And now for something completely different."], Purpose.DOCUMENT)
    assert np.array_equal(short, longer)


async def test_odd_characters_are_only_text(embedder: LlamaEmbedder) -> None:
    assert (await embedder.embed(["\ud800 \x00", "[SEP][CLS]"], Purpose.QUERY)).shape == (2, 384)


async def test_a_query_overtakes_documents_and_disturbs_them_not(lane: ComputeLane, embedder: LlamaEmbedder) -> None:
    documents = [f"Document {number}. {'Some words of it. ' * 20}" for number in range(80)]
    async with aclosing(await LlamaEmbedder.load(MINILM, lane, threads=1)) as other:
        expected = await other.embed(documents, Purpose.DOCUMENT)
    job = asyncio.create_task(embedder.embed(documents, Purpose.DOCUMENT))
    await begun(lane, Priority.PREFILL)
    await embedder.embed(["a query"], Purpose.QUERY)
    assert not job.done()
    assert np.array_equal(await job, expected)


async def test_a_live_turn_stops_a_long_text_in_the_middle_which_then_has_the_same_vector(
    lane: ComputeLane, embedder: LlamaEmbedder
) -> None:
    long = "The user keeps bees behind the house. " * 200
    async with aclosing(await LlamaEmbedder.load(MINILM, lane, threads=1)) as other:
        began = time.perf_counter()
        expected = await other.embed([long], Purpose.DOCUMENT)
        alone = time.perf_counter() - began
        job = asyncio.create_task(other.embed([long + "And wasps."], Purpose.DOCUMENT))
        await begun(lane, Priority.PREFILL)
        began = time.perf_counter()
        await lane.run(Priority.LIVE, lambda: None)
        assert time.perf_counter() - began < alone / 2
        assert not job.done()
        assert np.array_equal(await job, expected)


async def test_what_was_just_told_goes_before_reading_ahead(lane: ComputeLane, embedder: LlamaEmbedder) -> None:
    known = threading.Event()

    def reading() -> Generator[None, None, None]:
        while not known.wait(0.001):
            yield

    async def read_ahead() -> None:
        async for _ in lane.stream(Priority.PREFILL, reading):
            pass

    ahead = asyncio.create_task(read_ahead())
    await begun(lane, Priority.PREFILL)
    assert len(await asyncio.wait_for(embedder.embed(["The user is allergic to shellfish"], Purpose.STATED), 240)) == 1
    known.set()
    await ahead


async def test_prefixes_are_part_of_the_text_and_of_the_name(lane: ComputeLane, embedder: LlamaEmbedder) -> None:
    prefixes = {"query_prefix": "search_query: ", "document_prefix": "search_document: "}
    async with aclosing(await LlamaEmbedder.load(MINILM, lane, **prefixes, threads=1)) as prefixed:
        assert prefixed.name != embedder.name == "all-MiniLM-L6-v2.f16"
        for purpose, prefix in zip((Purpose.QUERY, Purpose.DOCUMENT), prefixes.values(), strict=True):
            ours = await prefixed.embed(["tea"], purpose)
            assert np.array_equal(ours, await embedder.embed([prefix + "tea"], purpose))


async def test_an_unloaded_model_is_unavailable(lane: ComputeLane) -> None:
    embedder = await LlamaEmbedder.load(MINILM, lane, threads=1)
    await embedder.aclose()
    with pytest.raises(ModelUnavailable, match="unloaded"):
        await embedder.embed(["tea"], Purpose.QUERY)


async def test_a_model_for_the_other_purpose_is_refused(lane: ComputeLane) -> None:
    with pytest.raises(ModelUnusable, match="not a chat model"):
        await LlamaChat.load(MINILM, lane, n_ctx=512, threads=1)
    if TINY.exists():
        with pytest.raises(ModelUnusable, match="not an embedding model"):
            await LlamaEmbedder.load(TINY, lane, threads=1)
    assert await lane.run(Priority.LIVE, lambda: True)


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf")])
async def test_a_vector_without_direction_is_refused(value: float) -> None:
    with pytest.raises(InferenceError, match="without direction"):
        unit_rows(np.array([[1.0, 0.0], [value, value]]))


async def test_a_text_that_was_embedded_before_is_not_embedded_again(
    embedder: LlamaEmbedder, lane: ComputeLane
) -> None:
    first = await embedder.embed(["the cat sleeps", "the dog barks"], Purpose.QUERY)
    again = await embedder.embed(["the dog barks", "the bird sings", "the cat sleeps", "the dog barks"], Purpose.QUERY)
    assert np.array_equal(again[[2, 0]], first)
    assert np.array_equal(again[0], again[3])


async def test_what_others_ask_meanwhile_takes_nothing_from_who_waits(
    embedder: LlamaEmbedder, lane: ComputeLane
) -> None:
    known = await embedder.embed(["an old friend"], Purpose.DOCUMENT)
    gate = threading.Event()
    blocker = asyncio.create_task(lane.run(Priority.LIVE, gate.wait))
    waiting = asyncio.create_task(embedder.embed(["an old friend", "a stranger"], Purpose.DOCUMENT))
    crowd = asyncio.create_task(embedder.embed([f"guest {number}" for number in range(300)], Purpose.STATED))
    while not lane.waiting().get(Priority.STATED):
        await asyncio.sleep(0)
    gate.set()
    await blocker
    await crowd
    assert np.array_equal((await waiting)[:1], known)
