"""The copies that memory makes of itself, in a folder beside the file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from edge_memory.errors import StoreFull, StoreInUse, StoreUnwritable
from edge_memory.store.lock import ServingLock
from edge_memory.store.snapshot import Progress, copy_checked

_PATIENCE_SECONDS = 60.0

Occasion = Literal["daily", "asked", "schema", "erasure", "replaced"]
"""A day passed; the owner wanted it; a newer version changes the file; words were erased; a restore took its place."""


class Backups:
    """`<database's folder>/backups`, one checked file a copy. Blocks: for threads of their own.

    Names begin with a number that only grows, because a clock may be wrong. What is forgotten leaves the copies too:
    after an erasure one fresh copy stands for all older ones.
    """

    def __init__(self, database: Path, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        self.folder = database.parent / "backups"

    def all(self) -> list[Path]:
        """Oldest first."""
        return sorted(path for path in self.folder.glob("[0-9]*-*.db") if path.is_file())

    def next_name(self, occasion: Occasion) -> Path:
        """Where the next copy belongs."""
        number = max((int(path.name.partition("-")[0]) for path in self.all()), default=0) + 1
        day = time.strftime("%Y%m%d-%H%M%S", time.localtime(self._clock()))
        return self.folder / f"{number:06}-{day}-{occasion}.db"

    def make(self, occasion: Occasion, progress: Progress = lambda _: None) -> Path:
        """Makes a copy. Raises StoreError."""
        with self._alone():
            made = self.next_name(occasion)
            copy_checked(self._database, made, progress)
        return made

    def make_daily(self, kept: int) -> None:
        """Makes a copy, then leaves the newest `kept` (1 or more) of these. Raises StoreError, and all are there."""
        self.make("daily")
        self._remove([path for path in self.all() if path.stem.endswith("-daily")][:-kept])

    def renew(self) -> None:
        """After an erasure: no copy holds what is erased. Raises StoreError.

        Where the disk has no space for one more, the old copies go first, and if need be no copy is left.
        """
        if self.all():
            with self._alone():
                old, fresh = self.all(), self.next_name("erasure")
                try:
                    copy_checked(self._database, fresh)
                except (StoreFull, StoreUnwritable):
                    self._remove(old)
                    with suppress(StoreFull, StoreUnwritable):
                        copy_checked(self._database, fresh)
                else:
                    self._remove(old)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """A copy begun before an erasure must not appear after it. Raises StoreError."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnwritable(
                f"cannot make {self.folder}: {error.strerror}", "check owner and free space"
            ) from error
        lock = ServingLock(self.folder / "copies")
        if not lock.acquire(_PATIENCE_SECONDS):
            raise StoreInUse(f"another program makes a copy in {self.folder}", "try again when it ended")
        try:
            yield
        finally:
            lock.release()

    @staticmethod
    def _remove(copies: list[Path]) -> None:
        for copy in copies:
            copy.unlink(missing_ok=True)
            copy.with_name(f"{copy.name}-wal").unlink(missing_ok=True)
