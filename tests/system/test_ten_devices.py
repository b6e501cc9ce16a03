"""Ten devices of four protocols at once on one companion: no turn is lost, and no conversation hears another. Without
MicroPython there is no cable, and more of them come by HTTP."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path

import aiohttp
import prove_cable
import pytest
from companion_process import Companion
from device_process import MICROPYTHON, start_device
from scripted_server import ScriptedServer
from wyoming.asr import Transcript
from wyoming.client import AsyncTcpClient
from wyoming.handle import Handled
from wyoming_port import ANY_PORT, port_of

from firmware_bridge.device.pty_cable import PtyCable

pytest.importorskip("av")
pytest.importorskip("xiaozhi_sdk")
from xiaozhi_client import Device

TURNS = 4
CABLES = 2 if Path(MICROPYTHON).exists() else 0  # MicroPython's unix port is built for x86_64 only


def lines(name: str) -> list[str]:
    return [f"{name} counts {turn} sheep" for turn in range(TURNS)]


async def by_http(companion: Companion, name: str) -> str:
    async with aiohttp.ClientSession(companion.url) as session:
        for line in lines(name):
            body = {"text": line, "session_id": name, "device_id": name}
            async with session.post("/chat/text", json=body) as response:
                assert line in (await response.json())["text"]
    return name


async def by_wyoming(companion: Companion, name: str) -> str:
    for line in lines(name):
        async with AsyncTcpClient("127.0.0.1", port_of(companion), read_timeout=240) as client:
            await client.write_event(Transcript(line, context={"conversation_id": name}).event())
            event = await client.read_event()
            assert event is not None
            assert line in str(Handled.from_event(event).text)
    return f"wyoming:{name}"


async def by_cable(cable: PtyCable, folder: Path, name: str) -> str:
    """The board's own code, under MicroPython."""
    flash = prove_cable.install(folder / name)
    device = start_device(flash, "--cable", cable.device_port, "--name", name, lines=lines(name))
    told, _ = await asyncio.to_thread(device.communicate, timeout=240)
    assert told.count("done> ") == TURNS
    return name


async def by_xiaozhi(companion: Companion, mac: str) -> str:
    async with Device(companion.url + "/xiaozhi/ota/", mac=mac) as device:
        for line in lines(mac):
            since = len(device.told)
            await device.sdk.send_text(line)
            assert line in await device.reply(since)
    return mac


async def test_ten_devices_of_four_protocols(tmp_path: Path) -> None:
    with ExitStack() as stack:
        model = stack.enter_context(ScriptedServer(seconds=0.05))
        cables = [stack.enter_context(PtyCable(tmp_path / f"usb{number}")) for number in range(CABLES)]
        ports = {"LOBUG_SERIAL__PORTS": ",".join(cable.host_port for cable in cables)}
        environment = {**ports, **ANY_PORT, **model.settings, "LOBUG_SPEECH__ENABLED": "off"}
        companion = stack.enter_context(Companion(tmp_path / "data", "--wyoming", environment=environment))
        sessions = await asyncio.gather(
            *(by_http(companion, f"http{number}") for number in range(5 - CABLES)),
            *(by_wyoming(companion, f"assist{number}") for number in range(3)),
            *(by_cable(cable, tmp_path, f"cabled{number}") for number, cable in enumerate(cables)),
            *(by_xiaozhi(companion, f"02:00:00:00:00:0{number}") for number in range(2)),
        )
        assert len(set(sessions)) == 10
        for session in sessions:
            turns = companion.get(f"/memory/turns?session_id={session}&limit=100")[1]["turns"]
            said = lines(session.removeprefix("wyoming:"))
            assert [turn["heard"] for turn in turns] == said
            assert all(line in turn["said"] for line, turn in zip(said, turns, strict=True))
        assert companion.get("/memory/stats")[1]["turns"] == 10 * TURNS
