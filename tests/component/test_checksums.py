from __future__ import annotations

import logging
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from corruption import Outcome, flip, make, survive
from memory_house import Clock, recalled, rows, texts

from edge_memory.errors import StoreDamaged
from edge_memory.memory import Memory
from edge_memory.scripted import HashEmbedder
from edge_memory.store import Backups, checksums, copy_checked, decrypt, encrypt, make_key, tells_rot, use_key
from edge_memory.store.connection import connect, engine_errors, open_connection

MORE_THAN_IS_CACHED = 5_000  # pages; SQLite then writes them in an order of its own


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "memory.db"
    make(path)
    return path


@pytest.fixture
def older(tmp_path: Path, original: Path) -> Path:
    """The same without checksums, as older versions wrote it."""
    path, key = tmp_path / "home" / "memory.db", tmp_path / "a.key"
    path.parent.mkdir()
    shutil.copy(original, path)
    make_key(key)
    try:
        encrypt(path, key, Backups(path, Clock()))
        decrypt(path, key, Backups(path, Clock()))
    finally:
        use_key(None)
    assert not tells_rot(path)
    return path


def flip_bit(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


def grow(path: Path) -> None:
    with closing(open_connection(path, writes=True, checkpoints=True)) as connection, connection:
        connection.execute("CREATE TABLE IF NOT EXISTS fillers (name TEXT, value TEXT)")
        for number in range(MORE_THAN_IS_CACHED):
            connection.execute("INSERT INTO fillers VALUES (?, hex(randomblob(400)))", (f"filler {number}",))


def open_memory(path: Path) -> Memory:
    return Memory(path, serve=True, embedder=HashEmbedder(), clock=Clock())


def test_a_flipped_bit_is_told_or_hits_what_is_not_in_use(tmp_path: Path, original: Path) -> None:
    outcome = Outcome()
    for seed in range(40):
        survive(original, tmp_path / str(seed), flip, seed, outcome)
    assert outcome.told + outcome.harmless == outcome.tries
    assert outcome.told > 0.9 * outcome.tries
    assert outcome.saved >= 0.99 * outcome.rows


def test_a_page_that_rots_while_the_file_is_served_is_told_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    grow(path)
    with closing(open_connection(path, writes=False, checkpoints=False)) as connection:
        flip_bit(path, path.stat().st_size - 100)
        with pytest.raises(StoreDamaged, match="not what was written"), engine_errors(path):
            connection.execute("SELECT sum(length(value)) FROM fillers").fetchall()


async def test_an_older_file_gets_checksums_after_a_copy(older: Path) -> None:
    async with open_memory(older) as memory:
        assert tells_rot(older)
        assert len(await texts(memory)) > 50
    (copy,) = [path for path in Backups(older, Clock()).all() if path.stem.endswith("-schema")]
    assert not tells_rot(copy)
    assert wrong_pages(older) == 0


async def test_vectors_are_found_as_before_once_an_older_file_got_checksums(older: Path, original: Path) -> None:
    async with open_memory(original) as memory:
        before = [await recalled(memory, f"where does Nora{number} live") for number in range(0, 60, 7)]
    async with open_memory(older) as memory:
        assert [await recalled(memory, f"where does Nora{number} live") for number in range(0, 60, 7)] == before


def test_a_copy_of_a_file_that_no_cache_holds_has_them_on_every_page(tmp_path: Path, original: Path) -> None:
    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    shutil.copy(original, path)
    grow(path)
    copy_checked(path, copy)
    assert tells_rot(copy)
    assert wrong_pages(copy) == wrong_pages(path) == 0


def test_an_older_file_that_no_cache_holds_gets_them_on_every_page(older: Path) -> None:
    grow(older)
    assert wrong_pages(older) > MORE_THAN_IS_CACHED / 2
    with closing(open_connection(older, writes=True, checkpoints=True)) as connection:
        checksums.want(connection)
        connection.execute("VACUUM")
    assert wrong_pages(older) == 0


def test_another_sqlite_reads_the_file(original: Path) -> None:
    assert rows(original, "PRAGMA integrity_check") == [("ok",)]
    assert rows(original, "SELECT count(*) FROM conversation_log") == [(120,)]


def test_what_lacks_the_extension_goes_without(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert checksums.load("no such extension") is None
    assert "no checksums" in caplog.text


def wrong_pages(path: Path) -> int:
    content = path.read_bytes()
    size = int.from_bytes(content[16:18], "big")
    pages = [content[at : at + size] for at in range(0, len(content), size)]
    with closing(connect(path)) as connection:
        return sum(not connection.execute("SELECT verify_checksum(?)", (page,)).get for page in pages)
