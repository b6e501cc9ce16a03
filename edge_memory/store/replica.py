"""A second file that follows the first, by SQLite's own replicator: only the pages that differ travel."""

from __future__ import annotations

import subprocess
from pathlib import Path

import apsw.sqlite_extra

from edge_memory.errors import StoreError

_UNTIL_KILLED_SECONDS = 3_600.0

State = tuple[tuple[int, int], ...]
"""Of a database on the disk: another one after each commit."""


def state_of(database: Path) -> State:
    """Does not open it: who closes a file loses the locks of its process."""
    return tuple(_state(database.with_name(database.name + ending)) for ending in ("", "-wal"))


def replicate(database: Path, target: str, program: str | None = None) -> None:
    """Makes `target`, a path or USER@HOST:PATH, page by page what `database` is at one moment, while that is in use.

    What was erased there goes here. `program` is where sqlite3_rsync is on that host. Raises StoreError, and `target`
    is as it was.
    """
    command = [_replicator(), str(database), target, *(("--exe", program) if program else ())]
    try:
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, check=False, timeout=_UNTIL_KILLED_SECONDS, umask=0o077
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StoreError(f"{target} does not follow: {error}", "is it in reach?") from error
    if done.returncode:
        told = " ".join((done.stderr or done.stdout).split())
        raise StoreError(
            f"{target} does not follow: {told}",
            "check the folder; another machine needs your ssh key, and SQLite's sqlite3_rsync on its PATH, or --exe",
        )


def _replicator() -> str:
    try:
        return str(apsw.sqlite_extra.path("sqlite3_rsync"))
    except (LookupError, apsw.sqlite_extra.NotAvailable) as error:
        raise StoreError("there is no sqlite3_rsync here", "run scripts/setup again: it comes with SQLite") from error


def _state(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except FileNotFoundError:
        return (0, 0)
    return found.st_mtime_ns, found.st_size
