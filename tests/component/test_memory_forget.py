"""Forgotten is forgotten: no word of it is left in the bytes on disk."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from memory_house import Clock, believed, digest, recalled, rows, say, tell, texts

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.protocols import Purpose, Vectors
from edge_memory.records import Message
from edge_memory.scripted import HashEmbedder, ScriptedChat
from edge_memory.store import summaries

CONFIG = MemoryConfig(short_term_threshold=4, short_term_keep=0, long_term_threshold=1, long_term_keep=0)
SECRET = ("zinnia", "marmalade", "47110815")


def parrot(messages: Sequence[Message]) -> str:
    """Summarises by repeating the user."""
    lines = [line.removeprefix("User: ") for line in messages[-1].content.splitlines()]
    if messages[0].content.startswith("You keep notes"):
        return json.dumps({"ongoing_topics": [], "key_history": [f"{line}." for line in lines[-1].split(". ")]})
    return ". ".join(lines) + "."


@pytest.fixture
async def memory(path: Path) -> AsyncIterator[Memory]:
    embedder, chat = HashEmbedder(), ScriptedChat(parrot)
    async with Memory(path, serve=True, embedder=embedder, chat=chat, config=CONFIG, clock=Clock()) as memory:
        await memory.prepare()
        yield memory


def bytes_on_disk(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.iterdir()).lower()


def left_on_disk(path: Path, words: Sequence[str] = SECRET) -> list[str]:
    """Which of the words are anywhere in the files, also as stems or as escapes of JSON."""
    content = bytes_on_disk(path)
    return [word for word in words if word.encode() in content]


def half_on_disk(vector: Vectors, path: Path) -> bool:
    """Whether a half of a vector is there: one of them may lie on two pages."""
    content, data = bytes_on_disk(path), vector.tobytes().lower()
    middle = len(data) // 2
    return data[:middle] in content or data[middle:] in content


async def forget(memory: Memory, query: str) -> None:
    await memory.forget(await memory.find_to_forget(query))


async def test_it_is_nowhere_on_disk(memory: Memory, path: Path) -> None:
    await tell(
        memory,
        "the spare key is under the zinnia marmalade pot 47110815",
        "the hens need grit",
        "remember that the spare key is under the zinnia marmalade pot 47110815",
        "my aunt keeps hens",
    )
    await say(memory, "q1", "where is the key", "Under the Zinnia, by the marmalade.")
    await digest(memory)
    assert left_on_disk(path) == list(SECRET)
    assert "zinnia" in (await memory.base_memory()).content
    vector = (
        await HashEmbedder().embed(["The spare key is under the zinnia marmalade pot 47110815"], Purpose.DOCUMENT)
    )[0]
    assert half_on_disk(vector, path)

    await forget(memory, "zinnia")

    assert left_on_disk(path) == []
    assert not half_on_disk(vector, path)
    assert await recalled(memory, "where is the spare key") == []
    assert not any("Zinnia" in message.content for message in await memory.history("kitchen"))
    assert "zinnia" not in json.dumps(await memory.export())
    await memory.check()
    await digest(memory)  # nothing that still waits brings it back
    assert left_on_disk(path) == []


async def test_the_slot_s_name_goes_too(memory: Memory, path: Path) -> None:
    await tell(memory, "Wilhelmina's birthday is on the ninth of June")
    await forget(memory, "Wilhelmina")
    assert left_on_disk(path, ["wilhelmina", "ninth", "june"]) == []
    (tombstone,) = await believed(memory, None)
    assert (tombstone.text, tombstone.key, tombstone.value, tombstone.source_excerpt) == ("", None, None, "")
    _, history = await memory.inspect(tombstone.id)
    assert [(entry.action, entry.before, entry.after) for entry in history] == [("erase", None, None)]


async def test_what_was_superseded_goes_too(memory: Memory, path: Path) -> None:
    await tell(memory, "my favourite colour is zinnia red", "my favourite colour is ochre")
    assert len(await memory.find_to_forget("zinnia")) == 1
    await forget(memory, "zinnia")
    assert left_on_disk(path) == []
    assert await texts(memory) == ["The user's favourite colour is ochre"]


async def test_neighbours_that_share_a_word_stay(memory: Memory) -> None:
    told = ["I like marmalade", "I like fog", "the fog lifts at noon", "my aunt likes hens"]
    await tell(memory, *told)
    await say(memory, "q1", "hm")
    await digest(memory)
    before = (await memory.base_memory()).content
    assert "The user likes fog" in before
    await forget(memory, "marmalade")
    assert await texts(memory) == ["The user likes fog", "The fog lifts at noon", "The user's aunt likes hens"]
    after = (await memory.base_memory()).content
    assert "marmalade" not in after
    assert {line for line in before.splitlines() if "marmalade" not in line} <= set(after.splitlines())
    heard = [turned["heard"] for turned in await memory.turns(None, 10)]
    assert heard == ["", *told[1:], "hm"]


async def test_another_user_s_memory_is_left_alone(memory: Memory) -> None:
    await tell(memory, "the zinnia blooms in June")
    await memory.learn("the zinnia wilts in July", user_id="guest")
    text = "The zinnia is a flower."
    await memory._store.write(lambda c: summaries.set_base_memory(c, "guest", text, "a test", 0.0))
    await forget(memory, "zinnia")
    assert (await memory.base_memory("guest")).content == text
    assert "The zinnia wilts in July" in await texts(memory)


class SlowEmbedder(HashEmbedder):
    """Holds a document until the test lets it go."""

    def __init__(self) -> None:
        super().__init__()
        self.entered, self.go = asyncio.Event(), asyncio.Event()

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        if purpose is not Purpose.QUERY and "marmalade" in " ".join(texts):
            self.entered.set()
            await self.go.wait()
        return await super().embed(texts, purpose)


async def test_work_in_progress_does_not_bring_it_back(path: Path) -> None:
    embedder = SlowEmbedder()
    async with Memory(path, serve=True, embedder=embedder, config=CONFIG) as memory:
        await memory.prepare()
        embedder.go.set()
        await tell(memory, "the zinnia pot is by the marmalade")
        embedder.go.clear()
        embedder.entered.clear()
        await say(memory, "t9", "the zinnia pot is by the marmalade, I checked")
        working = asyncio.create_task(memory.digest_once())
        await embedder.entered.wait()
        await forget(memory, "zinnia")
        embedder.go.set()
        await working
        await digest(memory)
        assert left_on_disk(path) == []
        assert await texts(memory) == []


async def test_a_guest_erases_and_the_server_s_working_memory_follows(memory: Memory, path: Path) -> None:
    await tell(memory, "the zinnia pot is by the marmalade")
    assert len(await memory.history("kitchen")) == 2
    async with Memory(path, serve=False) as guest:
        await forget(guest, "zinnia")
    assert await memory.history("kitchen") == ()
    assert left_on_disk(path) == []


async def test_a_thousand_ordinary_records_do_not_hide_it(memory: Memory, path: Path) -> None:
    for number in range(100):
        await memory.learn(f"the hen number {number} lays brown eggs")
    await tell(memory, "the zinnia pot is by the marmalade")
    await forget(memory, "marmalade")
    assert left_on_disk(path) == []
    assert len(await texts(memory)) == 100
    assert np.isclose((await memory.stats())["vectors"], 100)
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]


async def test_turns_that_only_share_a_common_word_stay(memory: Memory) -> None:
    await tell(memory, "my parrot is called Coco")
    await say(memory, "t2", "nobody called today, did they", "No.")
    await say(memory, "t3", "tell me why the dentist called off the visit", "Because.")
    await forget(memory, "parrot")
    heard = [turn["heard"] for turn in await memory.turns(None, 10)]
    assert heard == ["", "nobody called today, did they", "tell me why the dentist called off the visit"]
