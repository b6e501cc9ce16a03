"""Recall: what bears on what was just said, with and without an embedder."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_house import MUTE, NOON, believed, digest, recalled, say, tell, use

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.records import Kind, Layer, NewRecord, Status
from edge_memory.scripted import HashEmbedder
from edge_memory.store import records
from edge_memory.store.records import Cause


async def test_recall_needs_words_or_nearness(memory: Memory) -> None:
    await tell(memory, "the ferry to Moss leaves at nine", "my aunt keeps hens")
    recollection = await memory.recall("when does the ferry leave", "kitchen")
    assert [hit.record.text for hit in recollection.hits] == ["The ferry to Moss leaves at nine"]
    assert set(recollection.hits[0].why) == {"words", "cosine", "both", "near", "length"}
    assert (recollection.degraded, recollection.hits[0].why["words"] > 0) == ("", True)
    assert await recalled(memory, "quantum chromodynamics") == []


async def test_the_floor_is_for_what_only_vectors_found(path: Path) -> None:
    """ "to" and "at" are stop words: only the vectors see them shared."""
    for floor, count in ((0.0, 1), (0.9, 0)):
        config = MemoryConfig(retrieval_min_similarity=floor)
        async with Memory(path, serve=True, embedder=HashEmbedder(), config=config) as memory:
            await memory.prepare()
            await memory.learn("the ferry to Moss leaves at nine")
            await digest(memory)
            assert len(await recalled(memory, "to be at that")) == count


async def test_only_the_best_few_are_recalled(path: Path) -> None:
    config = MemoryConfig(retrieval_top_k=2)
    async with Memory(path, serve=True, embedder=HashEmbedder(), config=config) as memory:
        await memory.prepare()
        await tell(memory, *(f"the hen number {number} is called Berta" for number in ("one", "two", "three")))
        assert len(await recalled(memory, "which hen is Berta")) == 2
        assert (await recalled(memory, "hen number three"))[0] == "The hen number three is called Berta"


def kept(text: str, **more: object) -> NewRecord:
    return NewRecord(Layer.SEMANTIC, Kind.FACT, text, **more)


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.ACTIVE])
async def test_what_is_not_active_is_never_recalled_and_crowds_nothing_out(memory: Memory, status: Status) -> None:
    def fill(connection: records.Connection) -> None:
        for number in range(60):
            records.insert(connection, kept(f"hens hens hens {number}"), Cause("insert"), NOON, status)
        records.insert(connection, kept("one of the hens needs grit"), Cause("insert"), NOON)

    await memory._store.write(fill)
    await digest(memory)
    assert await recalled(memory, "what about the hens") == ["one of the hens needs grit"]


async def test_a_session_sees_its_own_and_what_is_global(memory: Memory) -> None:
    def fill(connection: records.Connection) -> None:
        for number in range(60):
            secret = kept(f"secret hens {number}", session_id="attic")
            records.insert(connection, secret, Cause("insert"), NOON)
        for text, session_id, user_id in (
            ("own hens", "kitchen", "owner"),
            ("all hens", None, "owner"),
            ("x", None, "guest"),
        ):
            records.insert(connection, kept(text, session_id=session_id, user_id=user_id), Cause("insert"), NOON)

    await memory._store.write(fill)
    await digest(memory)
    assert sorted(await recalled(memory, "hens")) == ["all hens", "own hens"]
    assert await recalled(memory, "x") == []


async def test_recall_counts_what_a_reply_was_given(memory: Memory) -> None:
    await tell(memory, "my aunt keeps hens")
    (aunt,) = await believed(memory)
    await use(memory, aunt.id)
    await use(memory)
    (used,) = await believed(memory)
    assert (used.reinforcement, used.last_used_at) == (1, NOON)
    assert len((await memory.inspect(aunt.id))[1]) == 1


# The embedder


async def test_a_fact_outlives_a_failing_embedder(path: Path) -> None:
    embedder = HashEmbedder()
    config = MemoryConfig(job_backoff_seconds=0.0)
    async with Memory(path, serve=True, embedder=embedder, chat=MUTE, config=config) as memory:
        await memory.prepare()
        embedder.available = False
        await say(memory, "t1", "my aunt keeps hens")
        assert await memory.digest_once()
        await memory.prepare()
        recollection = await memory.recall("who keeps hens", "kitchen")
        assert [hit.record.text for hit in recollection.hits] == ["The user's aunt keeps hens"]
        assert "switched off" in recollection.degraded
        for _ in range(config.job_attempts + 1):
            assert await memory.digest_once()
        stats = await memory.stats()
        assert (stats["vectors"], stats["jobs_failed"]) == (0, 0)
        assert stats["jobs_pending"] > 0
        embedder.available = True
        await digest(memory)
        assert (await memory.stats())["vectors"] == 1
        assert (await memory.recall("who keeps hens", "kitchen")).hits[0].why["cosine"] > 0


class CrackedEmbedder(HashEmbedder):
    async def embed(self, texts: object, purpose: object) -> object:
        raise ValueError("cracked")


async def test_recall_never_raises(path: Path) -> None:
    async with Memory(path, serve=True, embedder=CrackedEmbedder()) as memory:
        await memory.learn("the hens need grit")
        recollection = await memory.recall("hens", "kitchen")
        assert [hit.record.text for hit in recollection.hits] == ["The hens need grit"]
        assert recollection.degraded == "ValueError"


@pytest.mark.parametrize("other", [HashEmbedder(name="better"), HashEmbedder(dimension=32)], ids=["name", "dimension"])
@pytest.mark.parametrize("prepared", [True, False])
async def test_another_embedder_embeds_everything_again(path: Path, other: HashEmbedder, prepared: bool) -> None:
    first = HashEmbedder()
    async with Memory(path, serve=True, embedder=first) as memory:
        await memory.prepare()
        await tell(memory, *(f"the hen number {number} is called Berta" for number in range(20)))
        assert (await memory.stats())["vectors"] == 20
    async with Memory(path, serve=True, embedder=other) as memory:
        if prepared:
            await memory.prepare()
            assert (await memory.stats())["vectors"] == 0
        hits = (await memory.recall("hen number 7", "kitchen")).hits
        assert hits[0].record.text == "The hen number 7 is called Berta"
        assert hits[0].why["cosine"] == 0
        await tell(memory, "the geese need oats")
        assert (await memory.stats())["vectors"] == 21
        assert (await memory.stats())["embedder"] == other.name
        assert (await memory.recall("geese oats", "kitchen")).hits[0].why["cosine"] > 0
