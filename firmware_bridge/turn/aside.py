"""Reading by rule beside the event loop, where a text is so long that others would wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

_LONG = 1_000  # characters: read in some tens of milliseconds, and what people say is shorter

T = TypeVar("T")


async def aside(text: str, read: Callable[[], T]) -> T:
    """What `read` makes of a text; it must need nothing of the event loop."""
    return read() if len(text) <= _LONG else await asyncio.to_thread(read)
