"""How a device is paired over the network, and what ends that: codes, windows, revoking."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from web_house import MANNER, House, ScriptedCompanion, echo, open_house, voice_over

from edge_memory.errors import DeviceKnown, PairingClosed, WrongCode
from edge_memory.memory import Memory
from edge_memory.store import devices
from edge_memory.store.devices import Invitation
from firmware_bridge.device import NoticeBoard
from firmware_bridge.errors import UnsafeBind
from firmware_bridge.lane import ComputeLane
from firmware_bridge.settings import ServerSettings
from firmware_bridge.turn import Dialogue
from firmware_bridge.turn.scripted import ScriptedReplies
from firmware_bridge.web import WebSite

TALK = {"text": "hello there"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Loopback is not trusted here, so that every caller stands where the network stands."""
    async with open_house(tmp_path, trust_loopback=False) as house:
        yield house


async def test_the_network_is_not_listened_to_before_a_device_is_paired(tmp_path: Path) -> None:
    async with Memory(tmp_path / "memory.db", serve=True) as memory:
        replies = ScriptedReplies(echo)
        dialogue = Dialogue(memory, replies, MANNER, 100)
        companion = ScriptedCompanion(memory, dialogue, replies, voice_over(ComputeLane(), memory, dialogue))
        with pytest.raises(UnsafeBind, match="no device is paired"):
            await WebSite(companion, memory, NoticeBoard(), ServerSettings(host="0.0.0.0", port=0)).__aenter__()
    async with open_house(tmp_path, host="0.0.0.0", allow_pairing=True) as house:
        await house.pair("desk")
    async with open_house(tmp_path, host="0.0.0.0") as house:
        assert re.fullmatch(r"http://0\.0\.0\.0:\d+", house.url)
        house.url = house.url.replace("0.0.0.0", "127.0.0.1")
        assert (await house.ask("GET", "/health"))[0] == 200


async def test_pairing_over_the_network(house: House) -> None:
    ask = {"device_id": "desk"}
    status, closed = await house.ask("POST", "/device/pair", json=ask)
    assert (status, closed["error"]["code"]) == (410, "pairing_closed")
    await house.memory.devices.open_window(Invitation("alex", "Desk lamp", "study"))
    with pytest.raises(WrongCode):
        await house.memory.devices.confirm("000000")
    status, asked = await house.ask("POST", "/device/pair", json=ask)
    assert (status, asked["expires_in"]) == (202, 120)
    assert re.fullmatch(r"\d{6}", asked["code"])
    status, taken = await house.ask("POST", "/device/pair", json={"device_id": "stranger"})
    assert (status, taken["error"]["code"]) == (409, "pairing_taken")
    claim = ask | {"claim": asked["claim"]}
    assert await house.ask("POST", "/device/pair", json=claim) == (202, {"state": "waiting"})
    for body in ({"device_id": "stranger", "claim": asked["claim"]}, ask | {"claim": asked["claim"][:-1]}):
        assert (await house.ask("POST", "/device/pair", json=body))[0] == 410
    assert await house.memory.devices.confirm(asked["code"])
    status, paired = await house.ask("POST", "/device/pair", json=claim)
    assert (status, paired["device_id"]) == (200, "desk")
    assert (await house.ask("GET", "/health", paired["token"]))[0] == 200
    (device,) = await house.memory.devices.all()
    assert (device.name, device.place, device.user_id) == ("Desk lamp", "study", "alex")
    _, again = await house.ask("POST", "/device/pair", json=claim)  # the first answer was lost on its way
    assert (await house.ask("GET", "/health", again["token"]))[0] == 200
    assert (await house.ask("GET", "/health", paired["token"]))[0] == 401


async def test_five_wrong_codes_close_the_window(house: House) -> None:
    await house.memory.devices.open_window(Invitation("owner"))
    _, asked = await house.ask("POST", "/device/pair", json={"device_id": "desk"})
    wrong = "000000" if asked["code"] != "000000" else "000001"
    for _ in range(5):
        assert not await house.memory.devices.confirm(wrong)
    with pytest.raises(PairingClosed):
        await house.memory.devices.confirm(asked["code"])
    status, _ = await house.ask("POST", "/device/pair", json={"device_id": "desk", "claim": asked["claim"]})
    assert status == 410
    assert await house.memory.devices.all() == []


@pytest.mark.parametrize("later", [121.0, -121.0, 1.8e9])
async def test_a_window_is_open_for_two_minutes_whatever_the_clock_does(tmp_path: Path, later: float) -> None:
    now = [1_900_000_000.0]
    async with Memory(tmp_path / "memory.db", serve=True, clock=lambda: now[0]) as memory:
        await memory.devices.open_window(Invitation("owner"))
        asked = await memory.devices.ask("desk")
        now[0] += later
        with pytest.raises(PairingClosed):
            await memory.devices.confirm(asked.code)


async def test_two_devices_with_one_id(house: House) -> None:
    token = await house.pair("desk")
    with pytest.raises(DeviceKnown):
        await house.pair("desk")
    await house.memory.devices.open_window(Invitation("owner"))
    status, answer = await house.ask("POST", "/device/pair", json={"device_id": "desk"})
    assert (status, answer["error"]["code"]) == (409, "device_known")
    assert (await house.ask("GET", "/health", token))[0] == 200
    newer = await house.pair("desk", replaces=True)
    assert [(await house.ask("GET", "/health", t))[0] for t in (token, newer)] == [401, 200]


async def test_no_secret_stands_in_the_file(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        token = await house.pair("desk")
        await house.memory.devices.open_window(Invitation("owner"))
        _, asked = await house.ask("POST", "/device/pair", json={"device_id": "bed"})
    for raw in [file.read_bytes() for file in sorted(tmp_path.iterdir())]:
        assert token.encode() not in raw
        assert token.removeprefix(devices.TOKEN_PREFIX).encode() not in raw
        assert asked["claim"].encode() not in raw


async def test_revoking_works_at_once_also_from_another_process(tmp_path: Path, house: House) -> None:
    token = await house.pair("desk")
    assert (await house.ask("GET", "/health", token))[0] == 200
    async with Memory(tmp_path / "memory.db", serve=False) as guest:
        await guest.devices.revoke("desk")
    assert (await house.ask("GET", "/health", token))[0] == 401


async def test_many_devices_asking_at_once_get_one_code(house: House) -> None:
    await house.memory.devices.open_window(Invitation("owner"))
    answers = await asyncio.gather(*(house.ask("POST", "/device/pair", json={"device_id": f"d{n}"}) for n in range(20)))
    assert sorted(status for status, _ in answers) == [202] + [409] * 19
