"""SQLite on a disk that tests make: every change that SQLite asks for passes through it before it is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import apsw

from edge_memory.store import checksums


class Disk(Protocol):
    """May note what happens, or raise what a disk would have SQLite see (apsw.IOError, apsw.FullError)."""

    def write(self, name: str, offset: int, data: bytes) -> None: ...
    def truncate(self, name: str, size: int) -> None: ...
    def sync(self, name: str) -> None: ...
    def delete(self, name: str) -> None: ...


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, base: str, name: Any, flags: list[int]) -> None:
        self._disk = disk
        self._name = Path(name.filename() if isinstance(name, apsw.URIFilename) else name or "temporary").name
        super().__init__(base, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's own names
        self._disk.write(self._name, offset, data)
        super().xWrite(data, offset)  # checksums are written into these very bytes

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._disk.truncate(self._name, size)
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.sync(self._name)
        super().xSync(flags)


class OnDisk(apsw.VFS):
    """Until it is unregistered, every database opened lies on `disk`."""

    def __init__(self, disk: Disk) -> None:
        checksums.vfs(without=False)  # from now on it is the default, which lies beneath this
        self._base = apsw.vfs_names()[0]
        self._disk = disk
        super().__init__("test disk", self._base, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> _File:  # noqa: N802
        return _File(self._disk, self._base, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:  # noqa: N802
        self._disk.delete(Path(name).name)
        super().xDelete(name, syncdir)
