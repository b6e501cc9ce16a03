"""What most tests of the memory engine begin with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from memory_house import MUTE, Clock

from edge_memory.memory import Memory
from edge_memory.scripted import HashEmbedder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
async def memory(path: Path) -> AsyncIterator[Memory]:
    """A new file at noon, with vectors and a model that says nothing."""
    async with Memory(path, serve=True, embedder=HashEmbedder(), chat=MUTE, clock=Clock()) as memory:
        await memory.prepare()
        yield memory
