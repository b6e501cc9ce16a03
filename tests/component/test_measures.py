"""The seven metrics, from what memory has really done, and that they outlive the process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory_house import Clock, believed, digest, say, tell, turn

from edge_memory.memory import OWNER, Memory
from edge_memory.records import Status
from edge_memory.scripted import HashEmbedder
from edge_memory.store import measures
from edge_memory.store.conversation import Answer


def house(path: Path, embedder: HashEmbedder | None = None) -> Memory:
    return Memory(path, serve=True, embedder=embedder, clock=Clock())


async def metrics(memory: Memory) -> dict[str, Any]:
    found = (await memory.stats())["metrics"]
    assert isinstance(found, dict)
    return found


async def ask(memory: Memory, turn_id: str, text: str, reply: str, timings: Mapping[str, float] | None = None) -> None:
    """A turn as the companion runs it: heard, recalled for, answered, digested."""
    heard = turn(turn_id, text)
    await memory.hear(heard)
    await memory.recall(text, heard.session_id)
    await memory.answer(Answer(heard, reply, "respond", timings or {}, heard.heard_at))
    await digest(memory)


async def test_nothing_measured_is_told_as_nothing(path: Path) -> None:
    async with house(path) as memory:
        found = await metrics(memory)
    assert found.pop("answered_from_memory") == 0
    assert found.pop("observer_ms") == {"p50": None, "p95": None}
    assert found.pop("injection_tokens") == {"mean": None, "p95": None}
    assert set(found.values()) == {None}


async def test_which_way_of_looking_had_found_what_a_reply_told(path: Path) -> None:
    embedder = HashEmbedder()
    async with house(path, embedder) as memory:
        await memory.prepare()
        await tell(memory, "my aunt keeps hens", "my uncle drives a tram", session_id="earlier")
        await ask(memory, "q1", "my aunt keeps what", "Your aunt keeps hens.")
        found = await metrics(memory)
        assert found["answered_from_memory"] == 1
        assert [found[name] for name in ("lexical_hit_rate", "vector_hit_rate", "hybrid_top_k_recall")] == [1.0] * 3
        await ask(memory, "q2", "my aunt keeps what", "I could not say.")
        await ask(memory, "q3", "zounds", "Your uncle drives a tram.")  # told, but nothing had found it
        assert (await metrics(memory))["answered_from_memory"] == 1
        embedder.available = False
        await ask(memory, "q4", "what does my uncle drive", "A tram.")
    async with house(path, embedder) as memory:
        found = await metrics(memory)
        assert (found["answered_from_memory"], found["lexical_hit_rate"], found["vector_hit_rate"]) == (2, 1.0, 1.0)
        assert dict(await memory._store.read(lambda c: list(c.execute("SELECT name, count FROM measures")))) == {
            "lexical_hit": 2, "vector_hit": 1, "top_k_recall": 2, "observer_ms": 6,
        }  # fmt: skip


async def test_a_way_of_looking_that_misses_is_counted(path: Path) -> None:
    async with house(path, HashEmbedder()) as memory:
        await memory.prepare()
        await tell(memory, "my aunt keeps hens", session_id="earlier")
        await memory._store.write(lambda connection: measures.note(connection, measures.LEXICAL_HIT, 0.0))
        await ask(memory, "q1", "my aunt keeps what", "Your aunt keeps hens.")
        assert (await metrics(memory))["lexical_hit_rate"] == 0.5


async def test_overwriting_that_was_undone(path: Path) -> None:
    async with house(path) as memory:
        await tell(memory, "my boat is a sloop", "my boat is a ketch now", "I live in Moss", "I moved to Oslo")
        assert (await metrics(memory))["wrong_overwrite_rate"] == 0.0
        ketch = next(record for record in await believed(memory) if "ketch" in record.text)
        await memory.review.rollback(ketch.id)
        assert (await metrics(memory))["wrong_overwrite_rate"] == 0.5


async def test_what_waited_and_was_decided(path: Path) -> None:
    async with house(path) as memory:
        for value in ("ramipril", "insulin", "aspirin", "iron"):
            await memory.review.propose("user.medicine", value, "", OWNER)
        assert (await metrics(memory))["pending_resolution_rate"] == 0.0
        first, second, *_ = await believed(memory, Status.PENDING)
        await memory.review.confirm(first.id)
        await memory.review.reject(second.id)
        assert (await metrics(memory))["pending_resolution_rate"] == 0.5


async def test_times_and_tokens(path: Path) -> None:
    async with house(path) as memory:
        for number, tokens in enumerate((10, 20, 60)):
            await ask(memory, f"t{number}", "what a day", "Indeed.", {"injection_tokens": tokens})
        await say(memory, "t9", "what a day", action="ignore")
        await digest(memory)
        found = await metrics(memory)
    assert found["injection_tokens"] == {"mean": 30.0, "p95": 60.0}
    assert 0 < found["observer_ms"]["p50"] <= found["observer_ms"]["p95"] < 10_000


async def test_percentiles_forget_what_is_long_past_and_sums_do_not(path: Path) -> None:
    async with house(path) as memory:

        def fill(connection: Any) -> None:
            for number in range(1_500):
                measures.sample(connection, measures.OBSERVER_MS, float(number < 500))

        await memory._store.write(fill)
        assert (await metrics(memory))["observer_ms"] == {"p50": 0.0, "p95": 0.0}
        read = memory._store.read
        assert await read(lambda c: c.execute("SELECT count(*) FROM measure_samples").get) == 1_000
        assert await read(lambda c: c.execute("SELECT total FROM measures").get) == 500.0


async def test_stats_count(memory: Memory) -> None:
    await tell(memory, "I live in Bergen", "I moved to Narvik", "the hens need grit")
    await memory.forget(await memory.find_to_forget("hens"))
    await digest(memory)
    stats = await memory.stats()
    assert (stats["turns"], stats["records"], stats["vectors"]) == (3, 2, 1)
    assert stats["by_status"] == {"active": 1, "superseded": 1, "tombstoned": 1}
    assert (stats["jobs_pending"], stats["jobs_failed"], stats["failed_jobs"]) == (0, 0, [])
    assert (stats["summaries"], stats["base_memory_version"], stats["embedder"]) == (0, 0, "hash-64")
