"""What each switch of memory does."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_house import NOON, Clock, believed, recalled, tell, texts

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.records import Kind, Layer, NewRecord, Status, UserTurn
from edge_memory.scripted import HashEmbedder
from edge_memory.store import records
from edge_memory.store.records import Cause

DAY = 86_400.0


def house(path: Path, clock: Clock | None = None, **settings: object) -> Memory:
    config = MemoryConfig(**settings)
    return Memory(path, serve=True, config=config, embedder=HashEmbedder(), clock=clock or Clock())


async def test_memory_that_is_off_keeps_the_log_and_nothing_else(path: Path) -> None:
    async with house(path) as memory:
        await tell(memory, "my aunt keeps hens", "I'm allergic to bees")
    async with house(path, enabled=False) as memory:
        await tell(memory, "my uncle keeps geese")
        assert (await memory.stats())["turns"] == 3
        assert "The user's uncle keeps geese" not in await texts(memory)
        assert await recalled(memory, "what does my aunt keep") == []
        active = await memory.activate(UserTurn("now", "kitchen", "owner", "bees", 0.0), lambda memory: 1)
        assert (active.constraints, active.relevant) == ((), ())
    async with house(path) as memory:
        assert await recalled(memory, "what does my aunt keep") == ["The user's aunt keeps hens"]


async def test_without_extraction_only_what_it_is_told_to_remember_or_forget_counts(path: Path) -> None:
    async with house(path, extraction_enabled=False) as memory:
        await tell(memory, "my aunt keeps hens", "remember that the hens need grit")
        assert await texts(memory) == ["The hens need grit"]
        await tell(memory, "forget that the hens need grit")
        assert await texts(memory) == []


@pytest.mark.parametrize(("enabled", "rows"), [(True, 1), (False, 2)])
async def test_dedup(path: Path, enabled: bool, rows: int) -> None:
    async with house(path, dedup_enabled=enabled) as memory:
        await tell(memory, "the hens need grit", "my aunt keeps geese", "the hens need grit")
        assert (await texts(memory)).count("The hens need grit") == rows
        await memory.upkeep.consolidate()
        assert (await texts(memory)).count("The hens need grit") == rows


@pytest.mark.parametrize(("include", "found"), [(True, {"the hens", "our hens"}), (False, {"our hens"})])
async def test_what_belongs_to_no_conversation(path: Path, include: bool, found: set[str]) -> None:
    async with house(path, include_global=include) as memory:
        for text, session_id in (("the hens", None), ("our hens", "kitchen"), ("hens here", "cellar")):
            new = NewRecord(Layer.SEMANTIC, Kind.FACT, text, session_id=session_id)
            await memory._store.write(lambda connection, new=new: records.insert(connection, new, Cause("insert"), 0.0))
        assert set(await recalled(memory, "hens")) == found


@pytest.mark.parametrize(
    ("settings", "days", "archived"),
    [
        ({}, 250, False),
        ({}, 350, True),
        ({"decay_half_life_days": 30.0}, 120, True),
        ({"decay_enabled": False}, 3_500, False),
        ({"decay_enabled": False, "max_age_days": 60.0}, 59, False),
        ({"decay_enabled": False, "max_age_days": 60.0}, 61, True),
        ({"max_age_days": 60.0}, 61, True),
    ],
)
async def test_what_was_not_used_for_long(path: Path, settings: dict[str, object], days: float, archived: bool) -> None:
    clock = Clock()
    async with house(path, clock, **settings) as memory:
        await tell(memory, "my aunt keeps hens", "I'm allergic to bees")
        clock.now = NOON + days * DAY
        await memory.upkeep.consolidate()
        status = {record.text: record.status for record in await believed(memory, None)}
        assert status["The user's aunt keeps hens"] is (Status.ARCHIVED if archived else Status.ACTIVE)
        assert status["The user is allergic to bees"] is Status.ACTIVE


@pytest.mark.parametrize(("half_life", "recency"), [(30.0, 0.05), (15.0, 0.025)])
async def test_the_half_life_of_recency(path: Path, half_life: float, recency: float) -> None:
    from edge_memory.recall import Ranker

    clock = Clock()
    async with house(path, clock, recency_half_life_days=half_life) as memory:
        await tell(memory, "my aunt keeps hens")
        clock.now += 30 * DAY
        found = await memory.look_up("hens", ranker=Ranker.HYBRID)
        assert found.hits[0].why["recency"] == pytest.approx(recency, rel=0.01)
