"""Counting the tokens of what clients send, beside the event loop: of the longest body it takes tenths of a second."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence


async def tokens_of(texts: Sequence[str], count: Callable[[str], int]) -> int:
    """Of all texts together. Who is cancelled waits for the count, for the model must not be freed meanwhile."""
    counting = asyncio.ensure_future(asyncio.to_thread(lambda: sum(map(count, texts))))
    try:
        return await asyncio.shield(counting)
    except asyncio.CancelledError:
        await asyncio.wait([counting])
        raise
