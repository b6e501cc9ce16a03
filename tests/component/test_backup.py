from __future__ import annotations

import asyncio
import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from memory_house import Clock, believed, digest, rows, say, tell, texts

from edge_memory.config import MemoryConfig
from edge_memory.errors import StoreDamaged, StoreError, StoreInUse, StoreTooNew
from edge_memory.memory import Memory
from edge_memory.store import Backups, copy_checked, restore
from edge_memory.store.connection import connect
from edge_memory.store.migrations import all_migrations

DAY = 86_400.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "memory.db"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "elsewhere" / "copy.db"


async def alive(path: Path, *sentences: str) -> list[str]:
    async with Memory(path, serve=True, clock=Clock()) as memory:
        await tell(memory, *sentences)
        return await texts(memory)


def live(path: Path, *sentences: str) -> list[str]:
    """Tells these sentences to the memory in `path`; returns what is believed in the end."""
    return asyncio.run(alive(path, *sentences))


def mode_of(only: Path) -> int:
    """Of a file that must be alone in its folder."""
    assert list(only.parent.iterdir()) == [only]
    return only.stat().st_mode & 0o777


async def test_a_copy_made_while_the_file_is_served_has_everything_answered_so_far(path: Path, copy: Path) -> None:
    async with Memory(path, serve=True) as memory:
        await tell(memory, "my name is Alex")
        shares: list[float] = []
        await memory.transfer.backup(copy, shares.append)
        await tell(memory, "i live in Leeds")
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    assert mode_of(copy) == 0o600
    assert await alive(copy) == ["The user's name is Alex"]


def test_a_restored_file_is_what_the_copy_was_and_the_old_one_is_kept(path: Path, copy: Path) -> None:
    live(path, "my name is Alex")
    copy_checked(path, copy)
    live(path, "i live in Leeds")
    aside = Backups(path, Clock()).next_name("replaced")
    assert restore(copy, path, aside)
    assert live(path) == ["The user's name is Alex"]
    assert "The user lives in Leeds" in live(aside)


async def test_what_the_log_still_held_is_in_the_file_kept_aside(path: Path, copy: Path) -> None:
    await alive(path, "my name is Alex")
    copy_checked(path, copy)
    async with Memory(path, serve=True) as memory:
        await tell(memory, "i live in Leeds")
        killed = path.parent.with_name("killed")
        shutil.copytree(path.parent, killed)  # as kill -9 leaves it: the newest pages are in the log only
    database = killed / "memory.db"
    assert (killed / "memory.db-wal").stat().st_size
    aside = killed / "aside.db"
    assert restore(copy, database, aside)
    assert await alive(database) == ["The user's name is Alex"]
    assert "The user lives in Leeds" in await alive(aside)


def test_restoring_where_nothing_was_makes_the_file(path: Path, copy: Path) -> None:
    live(copy, "my name is Alex")
    assert not restore(copy, path, path.with_name("aside.db"))
    assert live(path) == ["The user's name is Alex"]


def test_a_damaged_file_is_replaced_and_kept_with_its_log(path: Path, copy: Path) -> None:
    live(path, "my name is Alex")
    copy_checked(path, copy)
    path.write_bytes(b"rubbish" * 1_000)
    path.with_name("memory.db-wal").write_bytes(b"log of another file")
    aside = path.with_name("aside.db")
    assert restore(copy, path, aside)
    assert live(path) == ["The user's name is Alex"]
    assert aside.read_bytes().startswith(b"rubbish")
    assert aside.with_name("aside.db-wal").read_bytes() == b"log of another file"


@pytest.mark.parametrize("damage", ["cut", "page", "foreign", "empty", "missing", "newer"])
def test_what_cannot_be_checked_is_refused_and_nothing_changes(path: Path, copy: Path, damage: str) -> None:
    live(path, "my name is Alex")
    copy_checked(path, copy)
    content = bytearray(copy.read_bytes())
    match damage:
        case "cut":
            copy.write_bytes(content[: len(content) // 2])
        case "page":
            at = content.index(b"The user's name is Alex") // 4096 * 4096
            content[at : at + 64] = os.urandom(64)
            copy.write_bytes(content)
        case "foreign":
            copy.write_bytes(b"SQLite format 3\0" + bytes(8_000))
        case "empty":
            copy.write_bytes(b"")
        case "missing":
            copy.unlink()
        case "newer":
            with closing(connect(copy)) as connection:
                connection.pragma("user_version", 99)
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    with pytest.raises(StoreError) as refusal:
        restore(copy, path, path.with_name("aside.db"))
    assert isinstance(refusal.value, StoreTooNew if damage == "newer" else StoreDamaged) or damage == "missing"
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before
    assert live(path) == ["The user's name is Alex"]


async def test_a_served_file_is_not_replaced(path: Path, copy: Path) -> None:
    await alive(path, "my name is Alex")
    copy_checked(path, copy)
    async with Memory(path, serve=True) as memory:
        with pytest.raises(StoreInUse):
            restore(copy, path, path.with_name("aside.db"))
        assert await texts(memory) == ["The user's name is Alex"]


async def test_a_copy_is_made_every_day_and_the_newest_are_kept(path: Path) -> None:
    clock = Clock()
    async with Memory(path, serve=True, config=MemoryConfig(backups_kept=2), clock=clock) as memory:
        for day, town in enumerate(("Leeds", "York", "Hull", "Derby", "Luton")):
            await say(memory, f"t{day}", f"i live in {town}", at=clock.now)
            await say(memory, f"again{day}", "hello", at=clock.now)
            await digest(memory)
            clock.now += DAY
    copies = Backups(path, clock).all()
    assert [int(copy.name[:6]) for copy in copies] == [3, 4]
    assert [await alive(copy) for copy in copies] == [["The user lives in Derby"], ["The user lives in Luton"]]


async def test_what_is_forgotten_is_in_no_copy(path: Path) -> None:
    clock = Clock()
    async with Memory(path, serve=True, clock=clock) as memory:
        for number, sentence in enumerate(("my name is Alex", "my sister is called Philomena", "hello")):
            await say(memory, f"t{number}", sentence, at=clock.now)
            await digest(memory)
            clock.now += DAY
        backups = Backups(path, clock)
        assert any(b"Philomena" in copy.read_bytes() for copy in backups.all())
        doomed = [record for record in await believed(memory) if "Philomena" in record.text]
        await memory.forget(doomed)
    (left,) = backups.all()
    assert b"Philomena" not in left.read_bytes()
    assert await alive(left) == ["The user's name is Alex"]


def test_an_older_file_is_copied_before_it_is_changed(path: Path) -> None:
    path.parent.mkdir()
    oldest = all_migrations()[0]
    import apsw

    connection = apsw.Connection(str(path))
    connection.execute(oldest.sql)
    connection.execute("INSERT INTO meta (name, value) VALUES ('mark', 'old')")
    connection.pragma("application_id", 0x4C6F4275)
    connection.pragma("user_version", 1)
    connection.close()
    assert live(path) == []
    (copy,) = Backups(path, Clock()).all()
    assert copy.name.endswith("-schema.db")
    assert rows(copy, "PRAGMA user_version") == [(1,)]
    assert rows(copy, "SELECT value FROM meta WHERE name = 'mark'") == [("old",)]


def test_a_file_that_was_emptied_is_not_taken_for_a_new_one(path: Path) -> None:
    live(path, "my name is Alex")
    made = Backups(path, Clock()).make("asked")
    path.write_bytes(b"")
    with pytest.raises(StoreDamaged) as refusal:
        live(path)
    assert str(made) in refusal.value.hint
