"""The profile is stored by itself, at the end of a session and every five turns, and forgets what is forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_house import NOON, Clock, tell

from edge_memory.config import MemoryConfig
from edge_memory.memory import OWNER, Memory
from edge_memory.store import profiles
from edge_memory.store.profiles import StoredProfile


def house(path: Path, clock: Clock | None = None, **settings: bool) -> Memory:
    return Memory(path, serve=True, config=MemoryConfig(**settings), clock=clock or Clock())


async def stored(memory: Memory) -> StoredProfile | None:
    return await memory.review.stored_profile(OWNER)


async def test_every_five_turns_with_confidence_and_time(path: Path) -> None:
    clock = Clock()
    async with house(path, clock) as memory:
        await tell(memory, "my name is Ola", "what a day", "I live in Moss", "and so on")
        assert await stored(memory) is None
        clock.now += 60
        await tell(memory, "remember that I like fog")
        profile = await stored(memory)
        assert profile is not None
        assert (profile.version, profile.created_at) == (1, NOON + 60)
        assert set(profile.content["identity"]) == {"user.name", "user.home"}
        assert profile.confidence == pytest.approx((0.4 + 0.4 + 0.9) / 3, abs=1e-3)
        await tell(memory, "what a day", "what a day", "well well", "so it goes")
        assert await stored(memory) == profile
        clock.now += 60
        await tell(memory, "what a day")
        again = await stored(memory)
        assert again is not None
        assert (again.version, again.content, again.created_at) == (1, profile.content, NOON + 120)


async def test_when_another_session_begins_the_last_one_has_ended(path: Path) -> None:
    async with house(path) as memory:
        await tell(memory, "my name is Ola")
        assert await stored(memory) is None
        await tell(memory, "what a day", session_id="cellar")
        profile = await stored(memory)
        assert profile is not None
        assert list(profile.content["identity"]) == ["user.name"]


async def test_when_the_companion_starts_all_sessions_have_ended(path: Path) -> None:
    async with house(path) as memory:
        await tell(memory, "my name is Ola")
    async with house(path) as memory:
        await memory.prepare()
        while await memory.digest_once():
            pass
        assert await stored(memory) is not None
        await memory.prepare()
        waiting = "SELECT count(*) FROM jobs WHERE kind = 'profile'"
        assert await memory._store.read(lambda connection: connection.execute(waiting).get) == 0


async def test_what_is_forgotten_stands_in_no_stored_profile(path: Path) -> None:
    async with house(path) as memory:
        await tell(memory, "my name is Zinnia", "I live in Moss", "what a day", "well well", "so it goes")
        assert await stored(memory) is not None
        await memory.forget(await memory.find_to_forget("Zinnia"))
        assert await stored(memory) is None
        assert not any(b"Zinnia" in file.read_bytes() for file in path.parent.iterdir())
        await tell(memory, "what a day")
        profile = await stored(memory)
        assert profile is not None
        assert set(profile.content["identity"]) == {"user.home"}


async def test_only_the_newest_twenty_are_kept(path: Path) -> None:
    async with house(path) as memory:
        for number in range(25):
            content = {"identity": number}
            await memory._store.write(lambda c, content=content: profiles.store(c, OWNER, content, 0.5, NOON))
        kept = await memory._store.read(lambda connection: connection.execute("SELECT count(*) FROM profiles").get)
        assert kept == 20


async def test_memory_that_is_off_stores_none(path: Path) -> None:
    async with house(path, enabled=False) as memory:
        await tell(memory, *["what a day"] * 6)
        assert await stored(memory) is None
