"""The device's own code under real MicroPython, on a pty cable, with the real companion process."""

from __future__ import annotations

from pathlib import Path

import pytest
from companion_process import Companion, lobug
from device_process import MICROPYTHON, install, start_device

from firmware_bridge.device.pty_cable import PtyCable

SAID = ["my sister Jörg lives in Graz", "hello"]
pytestmark = [
    pytest.mark.weights,
    pytest.mark.skipif(not Path(MICROPYTHON).exists(), reason="MicroPython's unix port is built for x86_64 only"),
]


def test_a_text_conversation_over_the_cable(tmp_path: Path) -> None:
    flash = install(tmp_path / "flash")
    with (
        PtyCable(tmp_path / "usb0") as cable,
        Companion(tmp_path / "data", environment={"LOBUG_SERIAL__PORTS": cable.host_port}) as companion,
    ):
        device = start_device(flash, "--cable", cable.device_port, lines=SAID)
        told, _ = device.communicate(timeout=90)
        turns = companion.get("/memory/turns?session_id=desk")[1]["turns"]
        assert companion.get("/memory/turns?session_id=default")[1]["turns"] == []
    assert device.returncode == 0, told
    assert [turn["heard"] for turn in turns] == SAID
    assert all(turn["device_id"] == "desk" for turn in turns)
    for turn in turns:
        assert f"done> respond: {turn['said']}" in told


def test_ports_shows_who_answers(tmp_path: Path) -> None:
    flash = install(tmp_path / "flash")
    with PtyCable(tmp_path / "usb0") as cable:
        device = start_device(flash, "--cable", cable.device_port, lines=["never heard"])
        try:
            done = lobug("devices", "ports", environment={"LOBUG_SERIAL__PORTS": cable.host_port})
        finally:
            device.kill()
            device.communicate()
    assert done.returncode == 0, done.stderr
    assert f"{cable.host_port}  from the settings  device desk" in done.stdout
