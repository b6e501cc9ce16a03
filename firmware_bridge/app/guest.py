"""Memory for a process beside the companion, or without one: opened for each piece of work, found by meaning, too."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

from edge_memory.memory import Memory
from firmware_bridge.app.models import MemoryEmbedder, ModelLoader
from firmware_bridge.app.unlocking import unlocked
from firmware_bridge.inference import discard_heads
from firmware_bridge.lane import ComputeLane
from firmware_bridge.settings import Settings


@asynccontextmanager
async def guest_memory(settings: Settings, *, wait: bool = False) -> AsyncIterator[Callable[[], Memory]]:
    """What opens the file. The embedder loads meanwhile, or first if it is to `wait`; until then, or without its
    weights, recall goes by words.
    """
    lane = ComputeLane()
    models = ModelLoader(settings.model, settings.data_dir, settings.cache_dir, lane)
    embedder, erased = MemoryEmbedder(models.embedder), partial(discard_heads, settings.cache_dir)
    async with lane:
        loading = asyncio.create_task(models.load_embedder(), name="embedder of a guest")
        if wait:
            await asyncio.wait([loading])
        try:
            yield lambda: Memory(
                unlocked(settings), serve=False, config=settings.memory, embedder=embedder, erased=erased
            )
        finally:
            loading.cancel()
            await asyncio.gather(loading, return_exceptions=True)
            await models.embedder.aclose()
