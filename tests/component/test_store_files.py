"""Which files the store opens: of every age, foreign, damaged, locked, or left by a kill."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from memory_house import NOON
from whole_records import found, keep_whole

from edge_memory.errors import (
    StoreDamaged,
    StoreError,
    StoreInUse,
    StoreTooNew,
    StoreUnwritable,
)
from edge_memory.records import Kind, Layer, NewRecord
from edge_memory.store import Store, records
from edge_memory.store.connection import APPLICATION_ID, connect
from edge_memory.store.migrations import all_migrations
from edge_memory.store.records import Cause
from edge_memory.store.schema import newest_version


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "memory.db"


@pytest.mark.parametrize("shipped", range(len(all_migrations()) + 1))
async def test_every_shipped_schema_comes_to_the_newest(path: Path, shipped: int) -> None:
    path.parent.mkdir()
    old = apsw.Connection(str(path))
    for step in all_migrations()[:shipped]:
        old.execute(step.sql)
        old.pragma("application_id", APPLICATION_ID)
        old.pragma("user_version", step.number)
    old.close()
    async with Store(path, serve=True) as store:
        record_id = await store.write(lambda connection: keep_whole(connection, "The hens need grit"))
        assert await store.read(lambda connection: found(connection, "grit")) == ([record_id], [record_id], 1)
        assert await store.read(lambda c: (c.pragma("user_version"), c.pragma("application_id"))) == (
            newest_version(),
            APPLICATION_ID,
        )
        stamps = await store.read(lambda c: c.execute("SELECT count(*) FROM meta WHERE name LIKE 'migration%'").get)
        assert stamps == newest_version() - shipped


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("diabetic", "user.condition"),
        ("lactose intolerant", "user.condition"),
        ("gluten-free", "user.diet_rule"),
        ("vegetarian", "user.diet"),
    ],
)
async def test_conditions_leave_the_slot_of_the_diet(path: Path, value: str, key: str) -> None:
    path.parent.mkdir()
    with closing(apsw.Connection(str(path))) as old:
        for step in all_migrations()[:8]:
            old.execute(step.sql)
        old.pragma("application_id", APPLICATION_ID)
        old.pragma("user_version", 8)
        new = NewRecord(Layer.PROFILE, Kind.POLICY, f"The user is {value}", key="user.diet", value=value)
        kept = records.insert(old, new, Cause("insert"), NOON)
    async with Store(path, serve=True) as store:
        moved = await store.read(lambda connection: records.get(connection, kept.id))
        history = await store.read(lambda connection: records.history(connection, kept.id))
    assert (moved.key, moved.many, moved.value) == (key, key != "user.diet", value)
    assert [entry.after and entry.after["key"] for entry in history] == ["user.diet", key][: 1 + moved.many]


def home_made(path: Path) -> None:
    path.parent.mkdir(parents=True)

    async def fill() -> None:
        async with Store(path, serve=True) as store:
            for number in range(50):
                await store.write(lambda c, n=number: keep_whole(c, f"The hens need {n} sacks of grit"))

    asyncio.run(fill())


def foreign(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.commit()
    connection.close()


def newer(path: Path) -> None:
    with closing(connect(path)) as connection:
        connection.pragma("user_version", newest_version() + 1)


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 // 4096 * 4096)


def zeroed_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4 * 4096)
        file.write(bytes(4096))


def garbage(path: Path) -> None:
    path.write_bytes(b"not a database at all, " * 1_000)


def stump(path: Path) -> None:
    path.write_bytes(b"x")


@pytest.mark.parametrize(
    ("spoil", "serve", "error"),
    [
        *((spoil, serve, StoreDamaged) for spoil in (garbage, stump, foreign) for serve in (True, False)),
        *((spoil, True, StoreDamaged) for spoil in (truncated, zeroed_page)),  # a guest does not look through it all
        *((newer, serve, StoreTooNew) for serve in (True, False)),
    ],
)
def test_a_file_that_is_not_ours_or_not_whole_is_refused_untouched(
    path: Path, spoil: Callable[[Path], None], serve: bool, error: type[StoreError]
) -> None:
    home_made(path)
    spoil(path)
    before = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(error) as refusal:
        asyncio.run(open_and_close(path, serve=serve))
    assert refusal.value.hint
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert not path.with_name("memory.db-wal").exists() or not path.with_name("memory.db-wal").read_bytes()


async def open_and_close(path: Path, *, serve: bool) -> None:
    async with Store(path, serve=serve):
        pass


async def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnwritable) as refusal:
        await open_and_close(tmp_path / "file" / "memory.db", serve=True)
    assert "--data-dir" in refusal.value.hint


async def test_a_folder_where_the_file_should_be(tmp_path: Path) -> None:
    (tmp_path / "memory.db").mkdir()
    with pytest.raises(StoreUnwritable):
        await open_and_close(tmp_path / "memory.db", serve=True)


async def test_a_second_server_is_refused_and_a_guest_is_not(store: Store, path: Path) -> None:
    with pytest.raises(StoreInUse):
        await open_and_close(path, serve=True)
    mine = await store.write(lambda connection: keep_whole(connection, "The hens need grit"))
    async with Store(path, serve=False) as guest:
        assert await guest.read(lambda connection: found(connection, "grit")) == ([mine], [mine], 1)
        before = await store.foreign_changes()
        theirs = await guest.write(lambda connection: keep_whole(connection, "The geese need oats"))
        assert await store.foreign_changes() != before
        assert await guest.write(lambda c: c.pragma("wal_autocheckpoint")) == 0
    assert (await store.read(lambda connection: found(connection, "oats")))[0] == [theirs]


def test_the_lock_goes_with_the_process_that_is_killed(path: Path) -> None:
    script = (
        "import asyncio, pathlib, sys\n"
        "from edge_memory.store import Store\n"
        "async def main():\n"
        "    async with Store(pathlib.Path(sys.argv[1]), serve=True):\n"
        "        print('serving', flush=True)\n"
        "        await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"serving\n"
        with pytest.raises(StoreInUse):
            asyncio.run(open_and_close(path, serve=True))
        server.send_signal(signal.SIGKILL)
        server.wait()
    asyncio.run(open_and_close(path, serve=True))


async def test_a_log_left_by_a_kill_is_not_touched_by_a_refusal(path: Path, tmp_path: Path) -> None:
    """A copy of a live file and its log stands for what a kill leaves."""
    left = tmp_path / "left" / "memory.db"
    left.parent.mkdir()
    async with Store(path, serve=True) as store:
        await store.write(lambda connection: keep_whole(connection, "The hens need grit"))
        await store.write(lambda c: c.pragma("user_version", newest_version() + 1))
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{left}{suffix}")
    log = left.with_name("memory.db-wal")
    before = left.read_bytes(), log.read_bytes()
    with pytest.raises(StoreTooNew):
        await open_and_close(left, serve=True)
    assert (left.read_bytes(), log.read_bytes()) == before
