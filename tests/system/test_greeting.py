"""What a person at a terminal is told at the start, over a real pseudo-terminal; and that logs stay quiet elsewhere."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest
from companion_process import LOBUG, Companion
from scripted_server import ScriptedServer

_PATIENCE_SECONDS = 240.0


def told_at_a_terminal(data_dir: Path, until: str, environment: dict[str, str]) -> str:
    """What stands on the terminal once `until` does."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "LOBUG_MODEL__THREADS": "1", "LOBUG_SPEECH__ENABLED": "off", **environment}
    process = subprocess.Popen(
        [LOBUG, "serve", "--port", "0", "--data-dir", str(data_dir), "--profile", "tiny"],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    os.close(theirs)
    told, deadline = "", time.monotonic() + _PATIENCE_SECONDS
    try:
        while until not in told and time.monotonic() < deadline:
            if not select.select([ours], [], [], 1)[0]:
                continue
            told += os.read(ours, 4096).decode()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(_PATIENCE_SECONDS)
        os.close(ours)
    return told


def test_a_person_is_told_how_to_talk_where_to_look_and_how_to_pair(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        told = told_at_a_terminal(tmp_path / "data", "devices pair", server.settings)
    assert "Hello, I am Lo-Bug." in told
    assert "profile    the model that was set" in told
    assert "chat, or " in told
    assert "dashboard  http://127.0.0.1:" in told
    assert "--allow-pairing" in told
    assert "?" not in told, "nothing is asked"


@pytest.mark.weights
def test_the_speed_is_measured_once_and_kept(tmp_path: Path) -> None:
    told = told_at_a_terminal(tmp_path / "data", "of an answer", {})
    assert "profile    tiny (smollm2-135m-instruct), as you asked" in told
    assert "tokens a second and writes" in told
    kept = tmp_path / "data" / "cache" / "speed.json"
    speed = json.loads(kept.read_text())
    assert speed["read"] > 0
    assert speed["written"] > 0
    kept.write_text(json.dumps({**speed, "read": 12345.0}))
    assert "reads 12345 tokens" in told_at_a_terminal(tmp_path / "data", "of an answer", {})


def test_elsewhere_one_line_tells_the_address(tmp_path: Path) -> None:
    with ScriptedServer() as server, Companion(tmp_path / "data", environment=server.settings) as companion:
        said = [line for line in companion.log().splitlines() if not line[:1].isdigit()]
    assert len(said) == 1
    assert said[0].startswith("Lo-Bug answers at http://127.0.0.1:")
