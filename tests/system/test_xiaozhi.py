"""The running companion and `xiaozhi-sdk`, a client of the XiaoZhi protocol that nobody here wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from companion_process import Companion
from scripted_server import ScriptedServer

pytest.importorskip("av")
pytest.importorskip("xiaozhi_sdk")
from xiaozhi_client import MAC, Device


async def test_typed_words_are_answered_in_the_firmwares_order(tmp_path: Path) -> None:
    with ScriptedServer() as server, Companion(tmp_path / "data", environment=server.settings) as companion:
        async with Device(companion.url + "/xiaozhi/ota/") as device:
            await device.sdk.send_text("hello there")
            assert await device.reply()
            kinds = [
                (message["type"], message.get("state")) for message in device.messages() if message["type"] != "llm"
            ]
            assert kinds[:3] == [("stt", None), ("tts", "start"), ("tts", "sentence_start")]
            assert kinds[-1] == ("tts", "stop")
            emotions = [message["emotion"] for message in device.messages() if message["type"] == "llm"]
            assert emotions[0] == "thinking"
        (turn,) = companion.get("/memory/turns?limit=5")[1]["turns"]
        assert (turn["heard"], turn["session_id"], turn["device_id"]) == ("hello there", MAC, MAC)
