from __future__ import annotations

import asyncio
import gc
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import apsw
import numpy as np
import pytest
from memory_house import NOON, turn

from edge_memory.errors import (
    EngineUnsafe,
    StoreDamaged,
    StoreError,
    StoreInUse,
    StoreTooNew,
    StoreUnwritable,
)
from edge_memory.records import Kind, Layer, NewRecord, Status
from edge_memory.scripted import HashEmbedder
from edge_memory.store import Connection, Store, Visible, conversation, jobs, records, vectors, words
from edge_memory.store.connection import APPLICATION_ID, check_engine, connect, engine_version
from edge_memory.store.facets import Looked
from edge_memory.store.jobs import JobKind
from edge_memory.store.migrations import all_migrations
from edge_memory.store.records import Cause
from edge_memory.store.schema import newest_version

EVERYTHING = Visible("owner", frozenset(Status))
CAUSE = Cause("insert", "a test", "t1")
EMBEDDER = HashEmbedder(dimension=8)
VECTOR = np.eye(1, 8, dtype=np.float32)[0]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "memory.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with Store(path, serve=True) as store:
        yield store


def note(text: str) -> NewRecord:
    return NewRecord(Layer.SEMANTIC, Kind.FACT, text)


def keep_whole(connection: Connection, text: str) -> int:
    """Record, words and vector."""
    vectors.use_embedder(connection, EMBEDDER)
    record = records.insert(connection, note(text), CAUSE, NOON)
    vectors.put(connection, record.id, VECTOR)
    return record.id


def found(connection: Connection, text: str) -> tuple[list[int], list[int], int]:
    """Ids by words and by vector, and how many records there are."""
    by_words = [id_ for id_, _ in words.search(connection, text, Looked(connection, EVERYTHING).among, 10)]
    by_vector = [id_ for id_, _ in vectors.nearest(connection, VECTOR, EVERYTHING, 10)]
    return by_words, by_vector, records.select(connection, records.Filter(), 10, 0)[1]


# Settings


async def test_the_settings_that_keep_memory_safe_are_in_force(store: Store, path: Path) -> None:
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
        "foreign_keys": 1,
        "mmap_size": 0,
        "trusted_schema": 0,
        "cell_size_check": 1,
        "journal_size_limit": 8 * 1024 * 1024,
        "busy_timeout": 5_000,
        "application_id": APPLICATION_ID,
        "user_version": newest_version(),
    }

    def settings(connection: Connection) -> dict[str, object]:
        return {name: connection.pragma(name) for name in wanted}

    assert await store.write(settings) == wanted
    assert await store.read(settings) == wanted
    page_bytes = int(str(await store.read(lambda c: c.pragma("page_size"))))
    assert page_bytes == 1_024  # of a new file
    for durable, mebibytes in ((True, 16), (False, 8), (True, 16)):  # a job checkpoints before a turn has to
        pages = await store.write(lambda c: c.pragma("wal_autocheckpoint"), durable=durable)
        assert pages == mebibytes * 1024 * 1024 // page_bytes
    assert await store.read(lambda c: c.pragma("wal_autocheckpoint")) == 0
    secure = "SELECT v FROM records_fts_config WHERE k = 'secure-delete'"
    assert await store.read(lambda c: c.execute(secure).get) == 1


async def test_nobody_else_on_the_machine_may_read_it(store: Store, path: Path) -> None:
    await store.write(lambda connection: keep_whole(connection, "a secret"))
    assert path.parent.stat().st_mode & 0o777 == 0o700
    names = {file.name for file in path.parent.iterdir()}
    assert names == {"memory.db", "memory.db-wal", "memory.db-shm", "memory.db.lock"}
    assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}


async def test_the_reader_cannot_write(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.read(lambda connection: keep_whole(connection, "sneaked in"))
    assert await store.read(lambda connection: records.select(connection, records.Filter(), 10, 0)) == ([], 0)


@pytest.mark.parametrize("version", ["3.40.1", "3.51.2", "3.52.0"])
def test_an_engine_that_loses_data_is_refused(version: str) -> None:
    with pytest.raises(EngineUnsafe):
        check_engine(version)


@pytest.mark.parametrize("version", ["3.51.3", "3.54.0", engine_version()])
def test_a_safe_engine_is_taken(version: str) -> None:
    check_engine(version)


async def test_the_engine_gives_back_what_a_statement_took(store: Store) -> None:
    """apsw-sqlite3mc 3.54.0.0 kept a cursor for ever when another statement ran before it was dropped."""

    def two_statements(connection: Connection) -> None:
        rows = connection.execute("SELECT id FROM records")
        list(rows)
        connection.execute("SELECT 1").fetchall()

    def cursors() -> int:
        gc.collect()
        return sum(isinstance(one, apsw.Cursor) for one in gc.get_objects())

    before = cursors()
    for _ in range(20):
        await store.read(two_statements)
    assert cursors() - before < 5


# Transactions


async def test_record_words_vector_and_history_are_written_together(store: Store) -> None:
    record_id = await store.write(lambda connection: keep_whole(connection, "The hens need grit"))
    assert await store.read(lambda connection: found(connection, "grit")) == ([record_id], [record_id], 1)
    (entry,) = await store.read(lambda connection: records.history(connection, record_id))
    assert (entry.action, entry.before, entry.turn_id) == ("insert", None, "t1")
    assert entry.after is not None
    assert entry.after["text"] == "The hens need grit"


async def test_a_transaction_that_raises_leaves_nothing(store: Store, path: Path) -> None:
    def breaks(connection: Connection) -> None:
        record_id = keep_whole(connection, "The hens need grit")
        jobs.enqueue(connection, JobKind.EMBED, "records", {}, NOON)
        conversation.append_user(connection, turn("t1", "the hens need grit"))
        assert found(connection, "grit") == ([record_id], [record_id], 1)
        raise RuntimeError("the power went")

    await store.write(lambda connection: vectors.use_embedder(connection, EMBEDDER))
    with pytest.raises(RuntimeError, match="the power went"):
        await store.write(breaks)
    assert await store.read(lambda connection: found(connection, "grit")) == ([], [], 0)
    for table in ("records", "fact_history", "jobs", "conversation_log"):
        assert await store.read(lambda c, table=table: c.execute(f"SELECT count(*) FROM {table}").get) == 0
    await store.check()


async def test_a_change_of_text_reaches_the_words(store: Store) -> None:
    record_id = await store.write(lambda connection: keep_whole(connection, "The hens need grit"))
    await store.write(lambda c: records.change(c, record_id, CAUSE, NOON + 1, text="The geese need oats"))
    assert (await store.read(lambda connection: found(connection, "grit")))[0] == []
    assert (await store.read(lambda connection: found(connection, "oats")))[0] == [record_id]
    _, entry = await store.read(lambda connection: records.history(connection, record_id))
    assert entry.before is not None
    assert entry.after is not None
    assert (entry.before["text"], entry.after["text"]) == ("The hens need grit", "The geese need oats")


async def test_history_is_append_only(store: Store) -> None:
    await store.write(lambda connection: keep_whole(connection, "The hens need grit"))
    with pytest.raises(StoreError, match="append-only"):
        await store.write(lambda c: c.execute("UPDATE fact_history SET reason = 'rewritten'").get)


@pytest.mark.parametrize("vector", [np.zeros(8), np.full(8, np.nan), np.ones(8)])
async def test_a_vector_that_is_not_of_length_one_is_refused(store: Store, vector: np.ndarray) -> None:
    record_id = await store.write(lambda connection: keep_whole(connection, "The hens need grit"))
    with pytest.raises(Exception, match="length 1"):
        await store.write(lambda connection: vectors.put(connection, record_id, vector.astype(np.float32)))
    assert await store.read(vectors.count) == 1


async def test_jobs_are_rows(path: Path) -> None:
    async with Store(path, serve=True) as store:
        for number in (1, 2, 2):
            payload = {"turn_id": f"t{number}"}
            await store.write(lambda c, p=payload: jobs.enqueue(c, JobKind.OBSERVE, p["turn_id"], p, NOON))
        first = await store.read(lambda c: jobs.oldest(c, {JobKind.OBSERVE}, ()))
        assert first is not None
        assert not await store.write(lambda c: jobs.fail(c, first.id, "broke", 2))
        assert await store.write(lambda c: jobs.fail(c, first.id, "broke again", 2))
    async with Store(path, serve=True) as store:
        counts = await store.read(jobs.counts)
        assert (counts.pending, counts.parked) == (1, 1)
        second = await store.read(lambda c: jobs.oldest(c, {JobKind.OBSERVE}, ()))
        assert second is not None
        assert second.payload == {"turn_id": "t2"}
        assert await store.read(lambda c: jobs.oldest(c, {JobKind.OBSERVE}, {second.id})) is None
        assert await store.read(lambda c: jobs.oldest(c, {JobKind.EMBED}, ())) is None
        (parked,) = await store.read(jobs.parked)
        assert (parked["attempts"], parked["error"]) == (2, "broke again")
        assert await store.write(jobs.retry_parked) == 1
        assert await store.write(lambda c: jobs.finish(c, first.id))
        assert not await store.write(lambda c: jobs.finish(c, first.id))


async def test_turns_are_kept_once(store: Store) -> None:
    answer = conversation.Answer(turn("t1", "hello"), "Hi.", "clarify", {"total_ms": 3.0}, NOON)
    for _ in range(2):
        await store.write(lambda connection: conversation.append_user(connection, answer.turn))
    assert await store.write(lambda connection: conversation.append_assistant(connection, answer))
    assert not await store.write(lambda connection: conversation.append_assistant(connection, answer))
    (kept,) = await store.read(lambda connection: conversation.last_turns(connection, None, 10))
    assert (kept["heard"], kept["said"], kept["action"]) == ("hello", "Hi.", "clarify")
    assert kept["timings"] == {"total_ms": 3.0}


# Schema


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


# Files that are not ours to touch


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


async def test_a_text_index_that_lags_behind_is_found(store: Store) -> None:
    record_id = await store.write(lambda connection: keep_whole(connection, "The hens need grit"))

    def drift(connection: Connection) -> None:
        connection.execute("DROP TRIGGER records_fts_update")
        connection.execute("UPDATE records SET text = 'other words' WHERE id = ?", (record_id,))

    await store.check()
    await store.write(drift)
    with pytest.raises(StoreDamaged):
        await store.check()


async def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnwritable) as refusal:
        await open_and_close(tmp_path / "file" / "memory.db", serve=True)
    assert "--data-dir" in refusal.value.hint


async def test_a_folder_where_the_file_should_be(tmp_path: Path) -> None:
    (tmp_path / "memory.db").mkdir()
    with pytest.raises(StoreUnwritable):
        await open_and_close(tmp_path / "memory.db", serve=True)


# Two processes


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


async def test_own_writes_are_no_foreign_changes(store: Store) -> None:
    before = await store.foreign_changes()
    await store.write(lambda connection: keep_whole(connection, "The hens need grit"))
    assert await store.foreign_changes() == before


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


async def test_the_event_loop_goes_on_while_a_write_waits_for_another_process(store: Store) -> None:
    other = apsw.Connection(str(store.path))
    other.execute("BEGIN IMMEDIATE")
    write = asyncio.create_task(store.write(lambda c: jobs.enqueue(c, JobKind.EMBED, "records", {}, NOON)))
    for _ in range(20):
        await asyncio.sleep(0.01)
    assert not write.done(), "a loop that stood still would come here once it had failed"
    other.execute("ROLLBACK")
    other.close()
    await write


async def test_a_transaction_that_fails_leaves_nothing_and_holds_nothing(store: Store) -> None:
    def fail(connection: Connection) -> None:
        jobs.enqueue(connection, JobKind.EMBED, "records", {}, NOON)
        raise ValueError("on purpose")

    with pytest.raises(ValueError, match="on purpose"):
        await store.write(fail)
    assert await store.write(lambda c: jobs.oldest(c, {JobKind.EMBED}, ())) is None
    with pytest.raises(StoreUnwritable):
        await store.read(lambda c: jobs.enqueue(c, JobKind.EMBED, "records", {}, NOON))
    assert await store.read(lambda c: jobs.oldest(c, {JobKind.EMBED}, ())) is None
