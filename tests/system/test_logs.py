"""The log of the real process: one line for a turn, ids and timings, never words."""

from __future__ import annotations

import io
import json
import logging
import os
from pathlib import Path

from companion_process import Companion
from scripted_server import ScriptedServer

from firmware_bridge.app import logs

SAID = "my sister Philippa keeps bees"


def test_a_turn_is_one_json_line_without_words(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        environment = {**server.settings, "LOBUG_LOG_FORMAT": "json", "LOBUG_SPEECH__ENABLED": "off"}
        with Companion(tmp_path / "data", environment=environment) as companion:
            answer = companion.say(SAID, "kitchen")
            companion.wait_until_digested()
    told = companion.log().splitlines()
    lines = [json.loads(line) for line in told if line.startswith("{")]
    assert len(lines) == sum('"level"' in line for line in told), "each is an object"
    turns = [line for line in lines if line.get("turn_id") == answer["turn_id"]]
    assert len(turns) == 1
    assert turns[0]["level"] == "info"
    assert (turns[0]["session_id"], turns[0]["action"]) == ("kitchen", "respond")
    assert turns[0]["total_ms"] > 0
    assert not any(word in companion.log() for word in ("sister", "Philippa", "bees"))


def test_the_journal_is_given_priorities(tmp_path: Path) -> None:
    record = logging.LogRecord("lobug", logging.WARNING, "x.py", 1, "first\nsecond", None, None)
    with (tmp_path / "stderr").open("w") as stream:
        about = os.fstat(stream.fileno())
        environment = {"JOURNAL_STREAM": f"{about.st_dev}:{about.st_ino}"}
        assert logs._formatter("plain", environment, stream).format(record) == "<4>lobug: first\n<4>second"
        assert "WARNING" in logs._formatter("plain", {}, stream).format(record)
    assert "WARNING" in logs._formatter("plain", environment, io.StringIO()).format(record)


def test_what_went_wrong_stands_in_the_same_object() -> None:
    error = ValueError("broken")
    told = logging.LogRecord("lobug", logging.ERROR, "x.py", 1, "it broke", None, (ValueError, error, None))
    shown = json.loads(logs.JsonLines().format(told))
    assert shown["message"] == "it broke"
    assert "ValueError: broken" in shown["error"]
