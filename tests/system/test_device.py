"""The device's own code under real MicroPython, on a pty cable and over HTTP, with the real companion process."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from companion_process import LOBUG, Companion, lobug
from device_process import MICROPYTHON, install, start_device

from firmware_bridge.device.pty_cable import PtyCable

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import prove_cable

SAID = ["my sister Jörg lives in Graz", "你好"]
pytestmark = pytest.mark.skipif(not Path(MICROPYTHON).exists(), reason="MicroPython's unix port is for x86_64 only")


@pytest.fixture
def flash(tmp_path: Path) -> Path:
    return install(tmp_path / "flash")


@pytest.mark.weights
def test_a_text_conversation_over_the_cable(tmp_path: Path, flash: Path) -> None:
    with (
        PtyCable(tmp_path / "usb0") as cable,
        Companion(tmp_path / "data", environment={"LOBUG_SERIAL__PORTS": cable.host_port}) as companion,
    ):
        device = start_device(flash, "--cable", cable.device_port, lines=SAID)
        check_conversation(device, companion, "desk")


@pytest.mark.weights
def test_a_text_conversation_over_http(tmp_path: Path, flash: Path) -> None:
    with Companion(tmp_path / "data") as companion:
        device = start_device(flash, "--url", companion.url, "--linger", "300", lines=SAID)
        told = check_conversation(device, companion, "default")
    assert "link> up" in told
    assert "face> thinking" in told


def check_conversation(device: subprocess.Popen[str], companion: Companion, session_id: str) -> str:
    """What the device showed, after its turns were found in memory and on its screen, once each."""
    told, _ = device.communicate(timeout=90)
    turns = companion.get(f"/memory/turns?session_id={session_id}")[1]["turns"]
    assert device.returncode == 0, told
    assert [turn["heard"] for turn in turns] == SAID
    assert {turn["device_id"] for turn in turns} == {"desk"}
    assert told.count("done> ") == len(SAID)
    for turn in turns:
        assert f"done> {turn['action']}: {turn['said']}" in told
    return told


@pytest.mark.weights
def test_a_device_on_the_network_is_paired_by_the_code_that_it_shows(tmp_path: Path, flash: Path) -> None:
    environment = {"LOBUG_SERVER__TRUST_LOOPBACK": "false"}
    with Companion(tmp_path / "data", environment=environment) as companion:
        pairing = subprocess.Popen(
            [LOBUG, "devices", "pair", "--place", "kitchen", "--data-dir", str(companion.data_dir)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert pairing.stdin is not None
        assert pairing.stdout is not None
        assert "Start pairing" in pairing.stdout.readline()
        device = start_device(flash, "--url", companion.url, lines=["hello"])
        assert device.stdout is not None
        code = next(line for line in device.stdout if line.startswith("code> ")).split()[1]
        pairing.stdin.write(f"{code}\n")
        pairing.stdin.close()
        told = device.stdout.read()
        assert "desk is paired" in pairing.stdout.read()
        assert pairing.wait(10) == device.wait(10) == 0, told
        pairing.stdout.close()
    assert "paired> yes" in told
    assert told.count("done> ") == 1


def test_ports_shows_who_answers(tmp_path: Path, flash: Path) -> None:
    with PtyCable(tmp_path / "usb0") as cable:
        device = start_device(flash, "--cable", cable.device_port, lines=["never heard"])
        try:
            done = lobug("devices", "ports", environment={"LOBUG_SERIAL__PORTS": cable.host_port})
        finally:
            device.kill()
            device.communicate()
    assert done.returncode == 0, done.stderr
    assert f"{cable.host_port}  from the settings  device desk" in done.stdout


async def test_no_turn_is_lost_or_doubled_when_the_cable_is_pulled(tmp_path: Path) -> None:
    table = await prove_cable.replug(15, seed=3, folder=tmp_path)
    assert table["turns"] >= 5
    assert [table[f"{what} {how}"] for what in ("turns", "answers") for how in ("lost", "doubled")] == [0, 0, 0, 0]
    assert table["back after, longest s"] < 2.0


async def test_sound_goes_both_ways_faster_than_it_is_spoken(tmp_path: Path) -> None:
    table = await asyncio.wait_for(prove_cable.sound(2, 921_600, 3, tmp_path), 60)
    assert table["bytes wrong"] == 0
    assert table["to the companion, s"] < table["sound, s"]
    assert table["gaps in the speaker, ms"] < 100
