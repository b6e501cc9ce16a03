"""`/xiaozhi/ota/`: what a device is told at its start, and that nobody gets a token who was not let in."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from web_house import House, open_house

from edge_memory.store.devices import Invitation

pytest.importorskip("av")
MAC, SECRET = "02:aa:bb:cc:dd:01", "0b7c5a4e-8a30-4c9e-a0f4-3d1f2f6a9c11"
SYSTEM = {"version": 2, "mac_address": MAC, "application": {"name": "xiaozhi", "version": "2.0.3"}}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Loopback is not trusted here, so that every caller stands where the network stands."""
    async with open_house(tmp_path, trust_loopback=False) as house:
        yield house


async def ota(house: House, mac: str = MAC, secret: str = SECRET, path: str = "/xiaozhi/ota/", **more: Any) -> Any:
    return await house.ask("POST", path, headers={"Device-Id": mac, "Client-Id": secret}, **{"json": SYSTEM, **more})


async def activate(house: House, mac: str = MAC, secret: str = SECRET) -> int:
    headers = {"Device-Id": mac, "Client-Id": secret}
    return (await house.ask("POST", "/xiaozhi/ota/activate", headers=headers, json={}))[0]


async def test_a_device_is_let_in_by_the_code_that_it_shows(house: House) -> None:
    status, told = await ota(house)
    assert (status, told["websocket"]["token"], told["activation"]["code"]) == (200, "", "")
    assert "lobug devices pair" in told["activation"]["message"]
    assert await activate(house) == 202
    await house.memory.devices.open_window(Invitation("alex", "Desk", "study"))
    assert await activate(house) == 200, "asking anew brings a code"
    _, told = await ota(house)
    code = told["activation"]["code"]
    assert re.fullmatch(r"\d{6}", code)
    assert code in told["activation"]["message"]
    assert (await ota(house))[1]["activation"]["code"] == code, "the firmware asks again and again"
    assert (await ota(house))[1]["websocket"]["token"] == ""
    assert await activate(house) == 202
    assert await house.memory.devices.confirm(code)
    assert await activate(house) == 200
    _, told = await ota(house)
    assert "activation" not in told
    token = told["websocket"]["token"]
    assert (await house.ask("GET", "/health", token))[0] == 200
    (device,) = await house.memory.devices.all()
    assert (device.device_id, device.name, device.place, device.user_id) == (MAC, "Desk", "study", "alex")
    assert (await ota(house))[1]["websocket"]["token"] == token, "the same at each start"
    await house.memory.devices.revoke(MAC)
    assert (await ota(house))[1]["websocket"]["token"] == ""
    assert (await house.ask("GET", "/health", token))[0] == 401


async def test_nobody_else_gets_the_token(house: House) -> None:
    await house.memory.devices.open_window(Invitation("owner"))
    _, told = await ota(house)
    for mac, secret in ((MAC, SECRET[:-1] + "2"), ("02:aa:bb:cc:dd:02", SECRET)):
        _, other = await ota(house, mac, secret)
        assert (other["websocket"]["token"], other["activation"]["code"]) == ("", "")
        assert await activate(house, mac, secret) == 202
    assert await house.memory.devices.confirm(told["activation"]["code"])
    for mac, secret in ((MAC, SECRET[:-1] + "2"), ("02:aa:bb:cc:dd:02", SECRET)):
        assert (await ota(house, mac, secret))[1]["websocket"]["token"] == ""
    assert (await ota(house))[1]["websocket"]["token"]
    await house.memory.devices.close_window()
    _, other = await ota(house, secret=SECRET[:-1] + "2")
    assert other["websocket"]["token"] == ""
    await house.memory.devices.open_window(Invitation("owner"))
    _, other = await ota(house, secret=SECRET[:-1] + "2")
    assert "lobug devices pair --replace" in other["activation"]["message"]
    assert other["websocket"]["token"] == ""
    await house.memory.devices.open_window(Invitation("owner", replaces=True))
    _, other = await ota(house, secret=SECRET[:-1] + "2")  # its flash was erased
    await house.memory.devices.confirm(other["activation"]["code"])
    assert (await ota(house, secret=SECRET[:-1] + "2"))[1]["websocket"]["token"]
    assert (await ota(house))[1]["websocket"]["token"] == "", "the old id opens nothing any more"


async def test_no_secret_of_a_device_stands_in_the_file(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False) as house:
        await house.memory.devices.open_window(Invitation("owner"))
        _, told = await ota(house)
        await house.memory.devices.confirm(told["activation"]["code"])
        token = (await ota(house))[1]["websocket"]["token"]
    for raw in [file.read_bytes() for file in sorted(tmp_path.iterdir())]:
        assert SECRET.encode() not in raw
        assert token.removeprefix("lobug_").encode() not in raw


async def test_the_answer_is_what_the_firmware_reads(house: House) -> None:
    for version, echoed in (("2.0.3", "2.0.3"), ("1.8.5-beta", "0.0.0"), (7, "0.0.0"), (None, "0.0.0")):
        _, told = await ota(house, json={"application": {"version": version}})
        assert told["firmware"] == {"version": echoed, "url": ""}
        assert "mqtt" not in told
    assert told["websocket"]["url"] == house.url.replace("http", "ws") + "/xiaozhi/v1/"
    assert told["websocket"]["version"] == 1
    assert told["server_time"]["timestamp"] > 1e12
    assert -720 <= told["server_time"]["timezone_offset"] <= 840
    assert told["activation"]["challenge"]
    assert (await ota(house, path="/xiaozhi/ota"))[0] == 200
    headers = {"Device-Id": MAC, "Client-Id": SECRET, "X-Forwarded-Proto": "https"}
    status, told = await house.ask("GET", "/xiaozhi/ota/", headers=headers)
    assert (status, told["websocket"]["url"][:6]) == (200, "wss://")
    async with house.session.get(house.url + "/xiaozhi/ota/") as page:
        assert (page.status, page.content_type) == (200, "text/plain")


async def test_on_this_machine_and_where_guests_are_let_in_no_code_is_asked_for(tmp_path: Path) -> None:
    for settings in ({}, {"trust_loopback": False, "allow_unpaired": True}):
        async with open_house(tmp_path, **settings) as house:
            _, told = await ota(house)
            assert "activation" not in told
            assert told["websocket"]["token"] == ""
            assert await activate(house) == 200
            for secret in ("", "desk", "ä" * 20):
                assert (await ota(house, secret=secret))[0] == 200


async def test_nonsense_is_refused(house: House) -> None:
    for mac, secret in (("x y", SECRET), ("", SECRET), (MAC, ""), (MAC, "short"), (MAC, "x" * 129)):
        assert (await ota(house, mac, secret))[0] == 422
    for body in ("[]", "nonsense", "{" * 50_000, '{"application": []}', '"x"'):
        status, _ = await ota(house, json=None, data=body)
        assert status in (200, 400)
    assert (await ota(house, json={"x": "y" * 300_000}))[0] == 413
    assert (await house.memory.devices.all()) == []
