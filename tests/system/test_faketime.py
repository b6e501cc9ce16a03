"""The whole process under libfaketime: the machine's clock lies, and nothing is dated by it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from companion_process import Companion
from scripted_server import ScriptedServer

_LIBRARY = next(iter(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)


@pytest.mark.skipif(_LIBRARY is None, reason="Debian's package faketime is not installed")
def test_turns_keep_their_order_and_are_dated_after_those_before(tmp_path: Path) -> None:
    with ScriptedServer() as models:
        for lie in ("", "@1970-01-02 00:00:00", "+20440d"):
            faked = {"LD_PRELOAD": str(_LIBRARY), "FAKETIME": lie, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
            with Companion(tmp_path / "home", environment=models.memory_settings | (faked if lie else {})) as companion:
                companion.say(f"my friend Nora plays the harp {lie}")
    with closing(sqlite3.connect(f"file:{tmp_path / 'home' / 'memory.db'}?mode=ro", uri=True)) as file:
        dates = [row[0] for row in file.execute("SELECT created_at FROM conversation_log ORDER BY id")]
    assert len(dates) == 6
    assert dates == sorted(dates)
    assert dates[-1] - dates[0] < 600
