from __future__ import annotations

import random
import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from corruption import DAMAGES, SECTORS, TURNS, Outcome, cut, make, survive
from encrypted import one_key

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
def test_a_damaged_file_never_starts_empty_and_what_was_not_hit_is_saved_without_a_copy(
    tmp_path: Path, original: Path, kind: str
) -> None:
    outcome = Outcome()
    for seed in range(10):
        survive(original, tmp_path / str(seed), DAMAGES[kind], seed, outcome)
    assert_saved(outcome)
    if DAMAGES[kind] is cut:
        assert outcome.told == outcome.tries


def test_of_an_encrypted_file_every_whole_page_is_saved(tmp_path: Path) -> None:
    with one_key(tmp_path / "key"):
        make(tmp_path / "whole" / "memory.db")
        for kind, harm in DAMAGES.items():
            outcome = Outcome()
            for seed in range(3):
                survive(tmp_path / "whole" / "memory.db", tmp_path / f"{kind}{seed}", harm, seed, outcome)
            assert outcome.told == outcome.tries
            assert_saved(outcome)


def assert_saved(outcome: Outcome) -> None:
    assert outcome.told > 0
    assert (outcome.empty, outcome.unnoticed, outcome.revived) == (0, 0, 0)
    assert outcome.saved >= 0.99 * outcome.rows


@pytest.mark.parametrize("sectors", [1, 4, 8, 16])
def test_the_beginning_of_the_file_may_be_lost(tmp_path: Path, original: Path, sectors: int) -> None:
    """With it the schema, where tables begin, and how large a page is."""

    def harm(path: Path, dice: random.Random) -> None:
        with path.open("r+b") as file:
            file.write(bytes(SECTORS * sectors))

    outcome = Outcome()
    survive(original, tmp_path / "damaged", harm, 1, outcome)
    assert_saved(outcome)


@pytest.mark.parametrize("at", [16, 18, 20, 28, 47, 52, 60, 63, 68, 100, 105])
def test_any_field_of_the_first_page_may_be_wrong(tmp_path: Path, original: Path, at: int) -> None:
    content = bytearray(original.read_bytes())
    content[at] ^= 0x10
    (tmp_path / "damaged.db").write_bytes(content)
    saved = {table.table: table.rows for table in salvage(tmp_path / "damaged.db", tmp_path / "fresh.db")}
    assert saved == {table.table: table.rows for table in salvage(original, tmp_path / "whole.db")}


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
