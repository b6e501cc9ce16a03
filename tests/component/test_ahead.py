"""What is read between turns is what the next prompt begins with, to the letter."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.records import Message
from edge_memory.scripted import HashEmbedder
from firmware_bridge.contracts import Heard, Said
from firmware_bridge.errors import ModelUnusable
from firmware_bridge.turn import Dialogue, Manner, Persona
from firmware_bridge.turn.scripted import ScriptedReplies

MANNER = Manner(Persona("Lo-Bug", "a test"), "tail", 50, 0.0)


@dataclass
class House:
    memory: Memory
    dialogue: Dialogue
    replies: ScriptedReplies

    async def say(self, text: str, session_id: str = "kitchen") -> Said:
        *_, said = [event async for event in self.dialogue.talk(Heard(text, session_id))]
        assert isinstance(said, Said)
        await self.settle()
        return said

    async def digest(self) -> None:
        while await self.memory.digest_once():
            pass
        await self.settle()

    async def settle(self) -> None:
        """Until nothing is left to read ahead."""
        while not self.dialogue.is_ahead:
            await asyncio.sleep(0.01)

    def last_ahead(self, session_id: str = "kitchen") -> list[Message]:
        return next(messages for session, messages in reversed(self.replies.ahead) if session == session_id)


def echo(messages: Sequence[Message]) -> str:
    return f" You said {messages[-1].content.splitlines()[-1]}. "


@asynccontextmanager
async def open_house(
    folder: Path, manner: Manner = MANNER, config: MemoryConfig | None = None, context_tokens: int = 4_096
) -> AsyncIterator[House]:
    replies = ScriptedReplies(echo)
    replies.context_tokens = context_tokens
    listeners: list[Dialogue] = []

    def digested() -> None:
        for dialogue in listeners:
            dialogue.memory_changed()

    async with (
        Memory(
            folder / "memory.db", serve=True, embedder=HashEmbedder(), config=config, digested=digested, erased=digested
        ) as memory,
        Dialogue(memory, replies, manner, max_text_characters=2_000) as dialogue,
    ):
        listeners.append(dialogue)
        await memory.prepare()
        house = House(memory, dialogue, replies)
        await house.settle()
        yield house


async def test_the_next_prompt_begins_with_what_was_read_ahead_through_trims_and_changes(tmp_path: Path) -> None:
    async with open_house(tmp_path, config=MemoryConfig(working_messages=6)) as house:
        await house.memory.sensing.sense("default", {"battery": 90})
        for number in range(8):
            await house.digest()
            ahead = house.last_ahead() if number else house.replies.ahead[-1][1]
            await house.say("always call me captain" if number == 3 else f"number {number} is a fine number")
            prompt = house.replies.prompts[-1]
            assert prompt[: len(ahead)] == ahead
            assert len(prompt) == len(ahead) + 1, "only the newest message is new"
    assert "battery" not in "".join(message.content for message in ahead), "tails are not in the history"


async def test_what_memory_digests_is_read_ahead_too(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.say("hello")
        before = house.last_ahead()
        await house.memory.learn("I am allergic to peanuts")
        await house.digest()
        assert house.last_ahead()[0] != before[0]
        assert "peanuts" in house.last_ahead()[0].content


async def test_after_a_start_the_last_conversations_are_read_and_then_it_is_warm(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.say("hello from the kitchen")
        await house.say("hello from the hall", "hall")
        kitchen, hall = house.last_ahead("kitchen"), house.last_ahead("hall")
    async with open_house(tmp_path) as house:
        assert house.dialogue.is_warm
        assert [session for session, _ in house.replies.ahead] == ["kitchen", "hall"]
        assert (house.last_ahead("kitchen"), house.last_ahead("hall")) == (kitchen, hall)


@pytest.mark.parametrize("failure", [ModelUnusable("no room", "wait"), RuntimeError("a bug")])
async def test_what_could_not_be_read_ahead_is_tried_again(tmp_path: Path, failure: Exception) -> None:
    async with open_house(tmp_path) as house:
        await house.say("hello from the kitchen")
        house.replies.ahead.clear()
        house.replies.ahead_fails = failure
        [_ async for _ in house.dialogue.talk(Heard("and a second time", "kitchen"))]
        while house.replies.ahead_fails is not None:
            await asyncio.sleep(0.01)
        await house.say("hello from the hall", "hall")
        assert {session for session, _ in house.replies.ahead} == {"kitchen", "hall"}


async def test_before_any_conversation_what_all_begin_with_is_read(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        ((_, messages),) = house.replies.ahead
        await house.say("hello")
        assert house.replies.prompts[0][: len(messages)] == messages


async def test_in_the_seeds_order_there_is_nothing_to_read_ahead(tmp_path: Path) -> None:
    async with open_house(tmp_path, replace(MANNER, order="seed")) as house:
        await house.say("hello")
        assert house.replies.ahead == []
        assert house.dialogue.is_warm


async def test_a_context_smaller_than_the_talk_drops_the_oldest_in_blocks(tmp_path: Path) -> None:
    config = MemoryConfig(injection_tokens=50)
    async with open_house(tmp_path, config=config, context_tokens=700) as house:
        for number in range(8):
            await house.say(f"story {number} " + "bla " * 30)
            held = await house.memory.history("kitchen")
            assert house.last_ahead()[-len(held) :] == list(held)
        oldest = [prompt[9].content.split()[1] for prompt in house.replies.prompts[1:]]
    assert oldest[-1] != oldest[0], "it was trimmed"
    assert len(set(oldest)) < len(oldest) - 2, "between two trims the beginning stays"
    assert all("story" in prompt[-1].content for prompt in house.replies.prompts)


async def test_a_turn_that_does_not_fit_says_what_it_dropped(tmp_path: Path) -> None:
    async with open_house(tmp_path, config=MemoryConfig(injection_tokens=50)) as house:
        await house.say("hello there")
        begins_with = sum(len(message.content.split()) + 8 for message in house.last_ahead())
        house.replies.context_tokens = begins_with + 300 + MANNER.max_reply_tokens
        said = await house.say("bla " * 300)
        assert said.timings["messages_dropped"] == 2
        assert not any("hello there" in message.content for message in await house.memory.history("kitchen"))
