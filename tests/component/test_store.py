from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import apsw
import numpy as np
import pytest
from memory_house import NOON, turn
from whole_records import CAUSE, EMBEDDER, found, keep_whole

from edge_memory.errors import (
    EngineUnsafe,
    StoreDamaged,
    StoreError,
    StoreUnwritable,
)
from edge_memory.store import Connection, Store, conversation, finding, jobs, records, serving_address, vectors
from edge_memory.store.connection import APPLICATION_ID, check_engine, engine_version
from edge_memory.store.jobs import JobKind
from edge_memory.store.schema import newest_version


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


async def test_who_serves_a_file_tells_where_and_nobody_does_once_it_is_gone(path: Path) -> None:
    assert serving_address(path) == ""
    for address in ("http://127.0.0.1:8321", "http://[::1]:80"):
        async with Store(path, serve=True) as store:
            assert serving_address(path) == "", "what an owner of before said does not count"
            store.note_address(address)
            assert serving_address(path) == address
        assert serving_address(path) == ""


async def test_the_reader_cannot_write(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.read(lambda connection: keep_whole(connection, "sneaked in"))
    assert await store.read(lambda connection: finding.select(connection, records.Filter(), 10, 0)) == ([], 0)


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


async def test_a_text_index_that_lags_behind_is_found(store: Store) -> None:
    record_id = await store.write(lambda connection: keep_whole(connection, "The hens need grit"))

    def drift(connection: Connection) -> None:
        connection.execute("DROP TRIGGER records_fts_update")
        connection.execute("UPDATE records SET text = 'other words' WHERE id = ?", (record_id,))

    await store.check()
    await store.write(drift)
    with pytest.raises(StoreDamaged):
        await store.check()


async def test_own_writes_are_no_foreign_changes(store: Store) -> None:
    before = await store.foreign_changes()
    await store.write(lambda connection: keep_whole(connection, "The hens need grit"))
    assert await store.foreign_changes() == before


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
