from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from erasures import erase_all_ways, erase_and_die, erase_beside_a_reader, facts, traces
from memory_house import digest

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.scripted import HashEmbedder

_ENOUGH = 3  # that were killed after what was to go had gone


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "memory.db"


def test_what_is_erased_is_nowhere_and_nothing_else_is_lost(path: Path) -> None:
    done = asyncio.run(erase_all_ways(path, 12))
    assert done == {"command": (12, 0, 0), "voice": (12, 0, 0), "user": (12, 0, 0)}


def test_an_erasure_that_was_killed_is_finished_at_the_next_start(path: Path) -> None:
    begun = 0
    for number, fact in enumerate(facts(40, 5)):
        begun += erase_and_die(path, fact, 0.005 * 1.3**number)
        if begun == _ENOUGH:
            break
    assert begun == _ENOUGH


async def test_a_reader_that_holds_the_log_only_delays_it(path: Path) -> None:
    (fact,) = facts(1, 9)
    await erase_beside_a_reader(path, fact)
    assert traces(path.parent, [fact]) == set()


class QuotingEmbedder(HashEmbedder):
    async def embed(self, texts: object, purpose: object) -> object:
        raise ValueError(f"cannot embed {texts}")


async def test_what_a_failed_job_quotes_is_erased_too_and_never_logged(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (fact,) = facts(1, 11)
    config = MemoryConfig(job_attempts=1)
    async with Memory(path, serve=True, embedder=QuotingEmbedder(), config=config) as memory:
        await memory.prepare()
        await memory.learn(fact.sentence)
        await digest(memory)
        (failed,) = (await memory.stats())["failed_jobs"]
        assert fact.words[0] in failed["error"]
        await memory.forget(await memory.find_to_forget(fact.words[0]))
        (failed,) = (await memory.stats())["failed_jobs"]
        assert failed["error"] == ""
    assert traces(path.parent, [fact]) == set()
    assert fact.words[0] not in caplog.text
