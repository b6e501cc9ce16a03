"""A lock between processes, so that two pulls into one folder take turns."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO

_POLL_SECONDS = 0.2


@asynccontextmanager
async def exclusive(path: Path, waiting: Callable[[], None]) -> AsyncIterator[None]:
    """Holds the lock until left, or until the process ends; calls `waiting` once if someone else has it.

    The empty file stays: removing it would let a third process lock a new file of the same name.
    """
    with _opened(path) as file:
        if not _locked(file):
            waiting()
            while not _locked(file):  # noqa: ASYNC110 - the one to wait for is another process
                await asyncio.sleep(_POLL_SECONDS)
        yield


def _opened(path: Path) -> BinaryIO:
    return path.open("ab")


def _locked(file: BinaryIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
