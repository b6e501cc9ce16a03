from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from corruption import DAMAGES, TURNS, Outcome, cut, flip, make, survive, zero

from edge_memory.errors import StoreDamaged
from edge_memory.memory import Memory
from edge_memory.store import salvage
from edge_memory.store.records import Filter


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "memory.db"
    make(path)
    return path


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_file_never_starts_empty_and_is_saved_without_a_copy(
    tmp_path: Path, original: Path, kind: str
) -> None:
    outcome = Outcome()
    for seed in range(10):
        survive(original, tmp_path / str(seed), DAMAGES[kind], seed, outcome)
    assert outcome.empty == 0
    if DAMAGES[kind] is flip:
        assert outcome.saved >= 0.9 * outcome.rows
    if DAMAGES[kind] is zero:
        assert outcome.told > 0
        assert outcome.saved > outcome.rows / 2
    if DAMAGES[kind] is cut:
        assert outcome.told == outcome.tries


def test_of_a_whole_file_all_is_saved(tmp_path: Path, original: Path) -> None:
    saved = {table.table: table for table in salvage(original, tmp_path / "fresh.db")}
    assert saved["conversation_log"].rows == 2 * TURNS
    assert saved["records"].rows > TURNS / 2
    assert not any(table.lost for table in saved.values())


async def test_a_document_that_cannot_be_read_any_more_costs_no_row(tmp_path: Path, original: Path) -> None:
    damaged, path = tmp_path / "damaged.db", tmp_path / "home" / "memory.db"
    shutil.copy(original, damaged)
    with closing(apsw.Connection(str(damaged))) as other:
        other.execute("UPDATE records SET surprise = '{\"score\"; 1}' WHERE id = (SELECT min(id) FROM records)")
        count = other.execute("SELECT count(*) FROM records").get
    path.parent.mkdir()
    salvage(damaged, path)
    async with Memory(path, serve=True) as memory:
        kept, total = await memory.select(Filter(), 1_000)
    assert total == count
    assert {} in [record.surprise for record in kept]


def test_what_is_no_memory_file_is_not_saved(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_bytes(b"rubbish" * 1_000)
    with pytest.raises(StoreDamaged):
        salvage(tmp_path / "memory.db", tmp_path / "fresh.db")
