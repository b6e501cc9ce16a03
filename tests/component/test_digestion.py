"""Reading what was told holds nothing else up."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from memory_house import believed, tell

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.observe import Statement, read_statements
from edge_memory.scripted import ScriptedChat

SMALL = MemoryConfig(short_term_threshold=6, short_term_keep=2)


async def test_everything_else_goes_on_while_what_was_told_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loop, went_on = asyncio.get_running_loop(), threading.Event()

    def reads(*told: Any) -> list[Statement]:
        went_on.clear()
        loop.call_soon_threadsafe(went_on.set)
        assert went_on.wait(2)
        return read_statements(*told)

    for module in ("edge_memory.observe.observer", "edge_memory.digestion"):
        monkeypatch.setattr(f"{module}.read_statements", reads)
    chat = ScriptedChat(lambda messages: "The user drinks tea.")
    async with Memory(path, serve=True, chat=chat, config=SMALL) as memory:
        await tell(memory, "I drink tea", "I drink mate", "I drink cocoa")
        assert len(await believed(memory)) == 3
        assert len((await memory.export())["summaries"]) == 1
