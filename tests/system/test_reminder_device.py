"""A reminder on its way through the real companion to a device, also when the companion is killed before it is due."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion_process import Companion
from scripted_server import ScriptedServer

PATIENCE_SECONDS = 240.0


def events(companion: Companion) -> Iterator[dict[str, Any]]:
    """What the device `desk` is told, by long poll."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with urllib.request.urlopen(
            f"{companion.url}/device/events?device_id=desk&wait=2", timeout=PATIENCE_SECONDS
        ) as answer:
            yield from json.loads(answer.read())["events"]


def say(companion: Companion, text: str) -> str:
    status, answer = companion.post("/chat/text", {"text": text, "device_id": "desk"})
    assert status == 200, answer
    return str(answer["text"])


def test_a_timer_rings_on_the_device_although_the_companion_was_killed(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        with Companion(tmp_path / "data", environment=server.settings) as companion:
            assert say(companion, "remind me in three seconds to feed the cat") == "Okay, in 3 seconds: feed the cat."
            companion.kill()
        with Companion(tmp_path / "data", environment=server.settings) as companion:
            told = events(companion)
            due = next(event for event in told if event["event"] == "reminder")
            assert due["text"] == "feed the cat"
            assert due["due_at"] <= time.time()
            assert next(told) == {"event": "face", "expression": "alert"}
            assert companion.get("/device/events?device_id=desk&wait=0")[0] == 200, "asking again says that it arrived"
            (rung,) = companion.get("/reminders")[1]["reminders"]
            assert rung["state"] == "rung"
            assert say(companion, "what are my reminders") == "You have no reminders."


def test_a_turn_shows_on_the_device_and_face_down_means_quiet(tmp_path: Path) -> None:
    with ScriptedServer() as server, Companion(tmp_path / "data", environment=server.settings) as companion:
        assert companion.get("/device/events?device_id=desk&wait=0")[1]["events"] == []
        assert say(companion, "kites are fun") == "You said kites are fun"
        assert companion.post("/context/sensors", {"device_id": "desk", "orientation": "face down"})[0] == 204
        told = []
        for event in events(companion):
            told.append(event)
            if event["event"] == "volume":
                break
        assert [event["event"] for event in told] == ["face", "sentence", "face", "volume"]
        assert told[0]["expression"] == "thinking"
        assert told[1]["text"] == "You said kites are fun"
        assert told[3]["percent"] == 0
