"""What most tests of the memory engine begin with, those of a companion behind its doors, and those of pulling."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from memory_house import MUTE, Clock
from web_house import House, open_house
from weights_servers import Servers, running

from edge_memory.memory import Memory
from edge_memory.scripted import HashEmbedder
from edge_memory.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with Store(path, serve=True) as store:
        yield store


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


@pytest.fixture
async def servers() -> AsyncIterator[Servers]:
    """A hub and a package index, empty at first."""
    async with running(Servers()) as started:
        yield started
