from __future__ import annotations

from pathlib import Path

import pytest
from full_disk import can_mount, live_on, small_disk


def test_a_full_disk_still_answers_and_forgets_and_recovers(tmp_path: Path) -> None:
    if not can_mount(tmp_path / "try"):
        pytest.skip("only root may mount a disk")
    with small_disk(tmp_path, "ext4") as disk:
        assert live_on(disk) == ""
