"""Reading what was told holds nothing else up."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

from memory_house import believed, tell

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.observe import read_statements
from edge_memory.scripted import ScriptedChat

SMALL = MemoryConfig(short_term_threshold=6, short_term_keep=2)


async def test_what_was_told_is_read_beside_the_event_loop(path: Path) -> None:
    here: list[str] = []

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code is read_statements.__code__:
            here.append(str(frame.f_back))

    chat = ScriptedChat(lambda messages: "The user drinks tea.")
    sys.setprofile(watch)  # of this thread alone, which is the loop's
    try:
        async with Memory(path, serve=True, chat=chat, config=SMALL) as memory:
            await tell(memory, "I drink tea", "I drink mate", "I drink cocoa")
            assert len(await believed(memory)) == 3
            assert len((await memory.export())["summaries"]) == 1
    finally:
        sys.setprofile(None)
    assert here == []
