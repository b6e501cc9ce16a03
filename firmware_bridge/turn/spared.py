"""A memory step that fails never costs the reply."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import TypeVar

from edge_memory.errors import EdgeMemoryError

_log = logging.getLogger(__name__)
T = TypeVar("T")


async def spared(asked: Awaitable[T], default: T) -> T:
    """What memory answers, or `default`."""
    try:
        return await asked
    except EdgeMemoryError as error:
        _log.warning("answered without a part of memory: %s", error.message)
        return default
