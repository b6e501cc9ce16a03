from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from full_disk import can_mount, fill, live_on, small_disk

from edge_memory.store import Store, tells_rot
from edge_memory.store.connection import open_connection
from edge_memory.store.schema import migrate


def test_a_full_disk_still_answers_and_forgets_and_recovers(tmp_path: Path) -> None:
    if not can_mount(tmp_path / "try"):
        pytest.skip("only root may mount a disk")
    with small_disk(tmp_path, "ext4") as disk:
        assert live_on(disk) == ""


async def test_a_file_that_cannot_be_written_anew_is_served_without_checksums_until_it_can(tmp_path: Path) -> None:
    if not can_mount(tmp_path / "try"):
        pytest.skip("only root may mount a disk")
    with small_disk(tmp_path, "tmpfs") as disk:
        path = disk / "home" / "memory.db"
        path.parent.mkdir()
        with closing(open_connection(path, writes=True, checkpoints=True, with_checksums=False)) as connection:
            migrate(connection, now=0.0)
        filler = fill(disk)
        with filler.open("r+b") as file:
            file.truncate(filler.stat().st_size - 2 * path.stat().st_size)
        async with Store(path, serve=True):
            pass
        assert not tells_rot(path)
        assert not (path.parent / "backups").exists()
        filler.unlink()
        async with Store(path, serve=True):
            pass
        assert tells_rot(path)
