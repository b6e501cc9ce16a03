"""Programs of others that look into the file while it is served: a database browser, sqlite3, a replicator."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from memory_house import NOON

from edge_memory.errors import StoreLocked
from edge_memory.store import Backups, Store, jobs, make_key, use_key
from edge_memory.store.jobs import JobKind

_LOOK = """
import apsw, pathlib, sqlite3, sys
path, key = sys.argv[1:]
if key:
    connection = apsw.Connection(path)
    connection.pragma("cipher", "chacha20")
    connection.execute(f"PRAGMA key = 'raw:{key}'").fetchall()
else:
    connection = sqlite3.connect(path)
print(connection.execute("SELECT count(*) FROM jobs").fetchall()[0][0])
connection.close()
"""


@pytest.fixture(params=["plain", "encrypted"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "encrypted":
        make_key(_key(tmp_path / "memory.db"))
        use_key(_key(tmp_path / "memory.db"))
    async with Store(tmp_path / "memory.db", serve=True) as store:
        yield store
    use_key(None)


async def test_one_that_leaves_takes_no_log_away(store: Store) -> None:
    log = store.path.with_name("memory.db-wal")
    await _note(store, "before")
    assert await _look(store.path) == 1
    Backups(store.path, lambda: NOON).make("asked")  # the nightly copy is made by the process that serves
    assert await _look(store.path) == 1
    began_as = log.stat().st_ino
    await _note(store, "after")
    assert log.stat().st_ino == began_as
    assert await _look(store.path) == 2


async def test_a_plain_file_beside_a_key_is_refused_and_goes_on(tmp_path: Path) -> None:
    async with Store(tmp_path / "memory.db", serve=True) as store:
        make_key(_key(store.path))
        use_key(_key(store.path))
        try:
            with pytest.raises(StoreLocked, match="is not encrypted"):
                await Store(store.path, serve=False).__aenter__()
        finally:
            use_key(None)
        assert await _look(store.path) == 0
        await _note(store, "after")
        assert await _look(store.path) == 1


def test_what_it_looks_with_would_delete_a_log(tmp_path: Path) -> None:
    """So that the other tests here would notice."""
    log = tmp_path / "memory.db-wal"
    with closing(sqlite3.connect(tmp_path / "memory.db")) as careless:
        careless.execute("PRAGMA journal_mode = WAL")
        careless.execute("CREATE TABLE jobs (id)")
        (tmp_path / "memory.db").read_bytes()  # which takes this process its locks
        assert log.exists()
        assert asyncio.run(_look(tmp_path / "memory.db")) == 0
        assert not log.exists()


async def _note(store: Store, text: str) -> None:
    await store.write(lambda connection: jobs.enqueue(connection, JobKind.EMBED, text, {}, NOON))


async def _look(path: Path) -> int:
    """How many jobs another process sees, which leaves the file then."""
    key = _key(path).read_text().strip() if _key(path).exists() and _is_encrypted(path) else ""
    looking = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", _LOOK, str(path), key], capture_output=True, text=True, check=True
    )
    return int(looking.stdout)


def _key(path: Path) -> Path:
    return path.with_name("lobug.key")


def _is_encrypted(path: Path) -> bool:
    """Asked in another process, for the sake of this one's locks."""
    head = subprocess.run(["head", "-c", "15", str(path)], capture_output=True, check=True)
    return head.stdout != b"SQLite format 3"
