"""Work beside the turns that must not end while the companion runs, whatever breaks in it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from edge_memory.errors import EdgeMemoryError

_log = logging.getLogger(__name__)
_PAUSE_SECONDS = 5.0


async def unending(what: str, work: Callable[[], Awaitable[object]], pause: float = _PAUSE_SECONDS) -> None:
    """Does `work` over and over until it is cancelled. A failure is told to the log, and `pause` seconds later it goes
    on.
    """
    while True:
        try:
            await work()
        except EdgeMemoryError as error:
            _log.warning("%s waits: %s", what, error.message)
            await asyncio.sleep(pause)
        except Exception:  # noqa: BLE001 - the companion goes on, and so must this
            _log.exception("%s broke off and begins again in %s s", what, pause)
            await asyncio.sleep(pause)
