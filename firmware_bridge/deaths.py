"""What was being computed when the process died: what ended it twice is not tried a third time."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

_MOST_DEATHS = 2
_MOST_KNOWN = 50
_ROOM = 8_192  # bytes; one write of it is whole or not there when the process dies


class Deaths:
    """Kept in a file that may be deleted at any time, which forgives everything. Nothing is synced: what the kernel has
    outlives the process. Holds checksums only, no words.

    `begin` and `end` are called around each step by the thread that computes; the rest by any.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._died: dict[str, int] = {}

    def open(self) -> None:
        """To be called by the only process that computes here: what was at work when the last one ended has died."""
        known = self._read()
        died = known.get("died")
        self._died = {str(label): int(count) for label, count in died.items()} if isinstance(died, dict) else {}
        if label := str(known.get("working", "")):
            self._died[label] = self._died.pop(label, 0) + 1
        self._died = dict(list(self._died.items())[-_MOST_KNOWN:])
        with suppress(OSError):  # without the notes it works as before
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._note("")

    def is_deadly(self, label: str) -> bool:
        return self._died.get(label, 0) >= _MOST_DEATHS

    def begin(self, label: str) -> None:
        self._note(label)

    def end(self) -> None:
        self._note("")

    def forgive(self, label: str) -> None:
        """It came to its end."""
        if self._died.pop(label, 0):
            self._note("")

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _read(self) -> dict[str, object]:
        try:
            known = json.loads(self._path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}

    def _note(self, working: str) -> None:
        if self._file is not None:
            with suppress(OSError):
                os.pwrite(self._file, json.dumps({"working": working, "died": self._died}).ljust(_ROOM).encode(), 0)


def label_of(*parts: str) -> str:
    """A checksum that stands for a piece of work, in this process and in the next."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def label_of_file(path: Path) -> str:
    """Of reading a file, until that is another one."""
    try:
        stat = path.stat()
    except OSError:
        return label_of("read", str(path))
    return label_of("read", str(path), str(stat.st_size), str(stat.st_mtime_ns))
