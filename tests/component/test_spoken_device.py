"""The device's code under real MicroPython in a spoken conversation, by cable and by HTTP.

Everything between is real: link, routes, endpointing, turns, memory. What was heard is scripted, and tones answer.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import prove_cable
import pytest
from sounds import silence, speech, wav
from web_house import House, open_house

from firmware_bridge.app.cables import CabledCompanion
from firmware_bridge.device import SerialDoor
from firmware_bridge.device.pty_cable import PtyCable
from firmware_bridge.settings import SerialSettings

pytest.importorskip("av")
pytest.importorskip("micropython_unix")
REPLY = "You said hello there."
SPOKEN = int((4 * 0.3 + 0.12) * 16_000) * 2  # bytes: its words as tones, and a pause


@pytest.fixture
def flash(tmp_path: Path) -> Path:
    (tmp_path / "question.wav").write_bytes(wav(speech()))
    (tmp_path / "silence.wav").write_bytes(wav(silence(1.0)))
    return prove_cable.install(tmp_path / "flash")


async def converse(house: House, flash: Path, *arguments: str) -> str:
    """What the device showed; what it played is checked."""
    out = flash / "played.pcm"
    question = ("--wav", str(flash.parent / "question.wav"))
    process = prove_cable.start_device(
        flash, *arguments, *question, *question, "--out", str(out), "--speed", "8", "--linger", "4000"
    )
    told, _ = await asyncio.wait_for(asyncio.to_thread(process.communicate, ""), 240)
    assert process.returncode == 0, told
    turns = [turn for turn in await house.memory.turns(None, 10) if turn["device_id"] == "desk"]
    assert [(turn["heard"], turn["said"]) for turn in turns] == [("hello there", REPLY)] * 2
    assert len(out.read_bytes()) == pytest.approx(2 * SPOKEN, abs=200)
    assert told.count("you> hello there") == 2
    assert told.count("done> ") == 2
    return told


async def test_by_cable(tmp_path: Path, flash: Path) -> None:
    with PtyCable(tmp_path / "usb0", 921_600) as cable:
        async with (
            open_house(tmp_path, lambda _: REPLY) as house,
            SerialDoor(SerialSettings(ports=(cable.host_port,)), cabled(house), house.board),
        ):
            told = await converse(house, flash, "--cable", cable.device_port)
    assert told.count(f"done> respond: {REPLY}") == 2


async def test_by_http(tmp_path: Path, flash: Path) -> None:
    async with open_house(tmp_path, lambda _: REPLY) as house:
        told = await converse(house, flash, "--url", house.url)
    assert told.count(f"notice> {REPLY}") == 2


async def test_silence_is_not_answered(tmp_path: Path, flash: Path) -> None:
    with PtyCable(tmp_path / "usb0") as cable:
        async with (
            open_house(tmp_path, lambda _: REPLY) as house,
            SerialDoor(SerialSettings(ports=(cable.host_port,)), cabled(house), house.board),
        ):
            arguments = ("--cable", cable.device_port, "--wav", str(tmp_path / "silence.wav"))
            process = prove_cable.start_device(flash, *arguments)
            told, _ = await asyncio.wait_for(asyncio.to_thread(process.communicate, ""), 240)
    assert "done> ignore" in told
    assert "speaker> " not in told


def cabled(house: House) -> CabledCompanion:
    return CabledCompanion(house.companion, house.memory.devices)


@pytest.mark.parametrize(
    ("figures", "faults"),
    [
        ({"turns lost": 0, "back after, longest s": 1.9}, []),
        ({"turns doubled": 1, "back after, longest s": 2.1}, ["turns doubled", "back after, longest s"]),
        ({"sound, s": 3, "to the companion, s": 1, "to the device, s": 3.1, "gaps in the speaker, ms": 0}, []),
        ({"sound, s": 3, "to the companion, s": 3.5, "to the device, s": 1}, ["to the companion, s"]),
        ({"bytes wrong": 1, "gaps in the speaker, ms": 4}, ["bytes wrong", "gaps in the speaker, ms"]),
    ],
)
def test_the_proof_of_the_cable_names_its_faults(figures: dict[str, float], faults: list[str]) -> None:
    assert prove_cable._faults(figures) == faults
