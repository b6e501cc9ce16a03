"""What most tests of the memory engine begin with, and those of a companion behind its doors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from memory_house import MUTE, Clock
from web_house import House, open_house

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


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A companion that echoes what it is told."""
    async with open_house(tmp_path) as house:
        yield house
