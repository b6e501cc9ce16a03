from __future__ import annotations

from pathlib import Path

from idle import idle_writes


def test_an_idle_companion_writes_nothing(tmp_path: Path) -> None:
    assert idle_writes(tmp_path, 4.0) == 0
