"""Which names the ears are told to expect."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from edge_memory.memory import OWNER, Memory
from edge_memory.records import UserTurn
from edge_memory.store.conversation import Answer
from firmware_bridge.app.known_names import KnownNames


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    async with Memory(tmp_path / "memory.db", serve=True) as memory:
        yield memory


async def told(memory: Memory, text: str, session_id: str = "s") -> None:
    turn = UserTurn(f"t{len(text)}{session_id}", session_id, OWNER, text, 1.0)
    await memory.hear(turn)
    await memory.answer(Answer(turn, "I see.", "respond", {}, 1.0))
    while await memory.digest_once():
        pass


async def test_people_pets_places_and_medicines_are_expected(memory: Memory) -> None:
    for sentence in (
        "my wife's name is Priya and we met in Bangalore",
        "my dog is called rex",
        "my sister Jana lives in Lille",
        "I take metformin and ramipril every morning",
        "my doctor is Dr. Okonkwo",
    ):
        await told(memory, sentence)

    names = await KnownNames(memory, "Lo-Bug").names("s", OWNER)

    assert names[0] == "Lo-Bug"
    assert {"Priya", "Bangalore", "Rex", "Jana", "Lille", "metformin", "ramipril", "Okonkwo"} <= set(names)
    assert not {"The", "user", "every", "morning", "dog", "Dr", "User"} & set(names)


async def test_who_was_just_spoken_of_comes_first(memory: Memory) -> None:
    await memory.learn("My cousin's name is Xiomara")
    await memory.learn("My brother's name is Joaquin")
    await told(memory, "what do you think of Xiomara", "kitchen")

    names = KnownNames(memory, "Lo-Bug").names
    assert (await names("kitchen", OWNER))[:2] == ["Lo-Bug", "Xiomara"]
    assert (await names("porch", OWNER))[1] == "Joaquin"


async def test_another_users_names_are_not_known(memory: Memory) -> None:
    await memory.learn("My wife's name is Priya")

    assert await KnownNames(memory, "Lo-Bug").names("s", "guest") == ["Lo-Bug"]
