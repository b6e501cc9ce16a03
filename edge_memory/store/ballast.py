"""Space held back for the day on which the disk is full: without it not even an erasure could be written."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

_MARGIN = 4 * 1024 * 1024  # what must be free beside it


class Ballast:
    """A file of `size` bytes beside the database, of no content; 0 holds nothing back."""

    def __init__(self, database: Path, size: int) -> None:
        self._path = database.with_name(f"{database.name}.ballast")
        self._size = size

    def load(self) -> bool:
        """Holds the space back if the disk has it to spare. False if not."""
        try:
            held = self._size == 0 or (self._path.exists() and self._path.stat().st_size == self._size)
            if shutil.disk_usage(self._path.parent).free < _MARGIN + (0 if held else self._size):
                return False
            if not held:
                self._allocate()
        except OSError:
            self.drop()
            return False
        return True

    def drop(self) -> bool:
        """Gives the space free. False if there was none."""
        try:
            self._path.unlink()
        except OSError:
            return False
        return True

    def _allocate(self) -> None:
        self.drop()
        with suppress(FileExistsError):  # another process is quicker
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                os.posix_fallocate(descriptor, 0, self._size)
            finally:
                os.close(descriptor)
