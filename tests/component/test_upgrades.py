from __future__ import annotations

from pathlib import Path

import pytest
from upgrades import die_at, look_after, released, rows, statements, tables, unpack, upgrade

from edge_memory.store.schema import newest_version

STEP = 9  # every so many statements; scripts/prove takes each


def test_every_released_schema_is_recorded() -> None:
    assert released() == list(range(1, newest_version() + 1)), "see scripts/record_schema.py"


@pytest.mark.parametrize("version", released())
def test_every_released_schema_is_brought_to_the_newest_with_all_its_rows(tmp_path: Path, version: int) -> None:
    path = tmp_path / "home" / "memory.db"
    unpack(version, path)
    before = rows(path)
    assert len(before) >= 9
    assert sum(map(len, before.values())) >= 50
    upgrade(path)
    assert rows(path, before) == before
    fresh = tmp_path / "fresh" / "memory.db"
    upgrade(fresh)
    assert tables(path) == tables(fresh)


def test_an_upgrade_killed_at_any_statement_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    unpack(1, tmp_path / "counted" / "memory.db")
    count = statements(tmp_path / "counted" / "memory.db")
    assert count > 60
    were_old = set()
    for statement in (*range(1, count, STEP), count):
        path = tmp_path / str(statement) / "memory.db"
        unpack(1, path)
        before = rows(path)
        die_at(path, statement)
        found = look_after(path, 1, before)
        assert not found.wrong, (statement, found)
        were_old.add(found.was_old)
    assert were_old == {True, False}
