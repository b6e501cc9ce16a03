"""Checksums of files: computing them, and remembering them while a file does not change."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from pathlib import Path

_RECORD = re.compile(r"([0-9a-f]{64}) [ *]")


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Digests:
    """The checksums of a folder's files, remembered in a file that may be deleted at any time.

    A remembered checksum holds while the file's size, modification time and inode stay the same.
    """

    def __init__(self, memory: Path) -> None:
        self._memory = memory

    def of(self, path: Path, *, fresh: bool = False) -> str:
        """The checksum of `path`; with `fresh` computed in any case. Reads the whole file if it is not known."""
        stamp = _stamp(path)
        known = self._read().get(self._name(path))
        if not fresh and isinstance(known, dict) and known.get("stamp") == stamp:
            return str(known.get("sha256"))
        sha256 = sha256_of(path)
        if _stamp(path) == stamp:
            self._write(self._name(path), stamp, sha256)
        return sha256

    def learn(self, path: Path, sha256: str) -> None:
        """Remembers a checksum that was computed just before the file got its name."""
        self._write(self._name(path), _stamp(path), sha256)

    def _name(self, path: Path) -> str:
        return path.relative_to(self._memory.parent).as_posix()

    def _read(self) -> dict[str, object]:
        try:
            content = json.loads(self._memory.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return content if isinstance(content, dict) else {}

    def _write(self, name: str, stamp: list[int], sha256: str) -> None:
        content = self._read() | {name: {"stamp": stamp, "sha256": sha256}}
        draft = self._memory.with_name(f"{self._memory.name}.{os.getpid()}")
        with contextlib.suppress(OSError):  # a read-only folder only costs time at the next check
            draft.write_text(json.dumps(content, indent=1), encoding="utf-8")
            draft.replace(self._memory)


def record_path(path: Path) -> Path:
    """Where the checksum that a hub published for `path` is kept, in the form that sha256sum reads."""
    return path.with_name(path.name + ".sha256")


def write_record(path: Path, sha256: str) -> None:
    record_path(path).write_text(f"{sha256}  {path.name}\n", encoding="utf-8")


def read_record(path: Path) -> str | None:
    try:
        match = _RECORD.match(record_path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    return match[1] if match else None


def _stamp(path: Path) -> list[int]:
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns, stat.st_ino]
