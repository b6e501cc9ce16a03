"""The lock that lets one process serve a file."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from edge_memory.errors import StoreUnwritable

_POLL_SECONDS = 0.1


def is_served(database: Path) -> bool:
    """Whether a process owns the file now."""
    lock = ServingLock(database)
    if not lock.path.exists():
        return False
    free = lock.acquire(0.0)
    lock.release()
    return not free


def serving_address(database: Path) -> str:
    """Where the process that owns the file now says that it answers; empty if nobody does, or it has not said."""
    if not is_served(database):
        return ""
    return ServingLock(database).path.read_text(encoding="utf-8", errors="replace").strip()


class ServingLock:
    """Held by the process that owns the file; the system frees it even after kill -9."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(database.name + ".lock")
        self._descriptor: int | None = None

    def acquire(self, patience: float) -> bool:
        """False when another process still holds it after `patience` seconds. Raises StoreUnwritable."""
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreUnwritable(
                f"cannot write in {self.path.parent}: {error.strerror}",
                "check the owner, or give another --data-dir",
            ) from error
        deadline = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    os.close(descriptor)
                    return False
                time.sleep(_POLL_SECONDS)
            else:
                os.ftruncate(descriptor, 0)  # what an owner of before wrote
                self._descriptor = descriptor
                return True

    def note(self, address: str) -> None:
        """For whoever asks `serving_address`. Raises OSError where it cannot be written."""
        if self._descriptor is not None:
            os.pwrite(self._descriptor, address.encode(), 0)

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
