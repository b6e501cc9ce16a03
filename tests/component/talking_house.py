"""A companion without weights or doors, to be talked with: real memory and turns, one scripted reply."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_house import digest

from edge_memory.memory import Memory
from edge_memory.scripted import HashEmbedder
from firmware_bridge.contracts import Heard, Said
from firmware_bridge.turn import Dialogue, Manner, Persona
from firmware_bridge.turn.scripted import ScriptedReplies

MANNER = Manner(Persona("Lo-Bug", "a test"), "tail", 50, 0.0)


@dataclass
class House:
    memory: Memory
    dialogue: Dialogue
    replies: ScriptedReplies

    async def say(self, text: str, session_id: str = "kitchen", *, by_guest: bool = False) -> str:
        """A turn, digested; its reply."""
        reply = await self.say_quickly(text, session_id, by_guest=by_guest)
        await digest(self.memory)
        return reply

    async def say_quickly(self, text: str, session_id: str = "kitchen", *, by_guest: bool = False) -> str:
        """A turn that others follow before it is digested; its reply."""
        heard = Heard(text, session_id, by_guest=by_guest)
        said = [event async for event in self.dialogue.talk(heard)][-1]
        assert isinstance(said, Said)
        return said.text

    @property
    def asked_the_model(self) -> int:
        return len(self.replies.prompts)


@asynccontextmanager
async def open_house(path: Path, reply: str, manner: Manner = MANNER, **more: Any) -> AsyncIterator[House]:
    """`reply` is all that its model ever says; `more` is of the memory."""
    replies = ScriptedReplies(lambda messages: reply)
    async with Memory(path, serve=True, embedder=HashEmbedder(), **more) as memory:
        await memory.prepare()
        async with Dialogue(memory, replies, manner, max_text_characters=500) as dialogue:
            yield House(memory, dialogue, replies)
