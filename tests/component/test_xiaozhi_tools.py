"""The tools of a device over MCP: its status becomes readings, its volume is set, and a broken one harms nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from web_house import House, until
from xiaozhi_socket import MAC, Device, connected

from firmware_bridge.contracts import SetVolume

pytest.importorskip("av")
STATUS = {"audio_speaker": {"volume": 70}, "battery": {"level": 12, "charging": False}, "chip": {"temperature": 41.5}}


def tools_of(status: Any, asked: list[Any]) -> Callable[[dict[str, Any]], dict[str, Any] | None]:
    """A device whose list of tools has two pages."""

    def answer(request: dict[str, Any]) -> dict[str, Any] | None:
        asked.append((request["method"], request.get("params")))
        params = request.get("params", {})
        match request["method"], params.get("cursor"), params.get("name"):
            case "initialize", _, _:
                return {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "desk"}}
            case "tools/list", "", _:
                return {"tools": [{"name": "self.get_device_status"}], "nextCursor": "self.audio_speaker.set_volume"}
            case "tools/list", _, _:
                return {"tools": [{"name": "self.audio_speaker.set_volume"}]}
            case "tools/call", _, "self.get_device_status":
                return {"content": [{"type": "text", "text": status}], "isError": False}
            case "tools/call", _, _:
                return {"content": [{"type": "text", "text": "true"}], "isError": False}
        return None

    return answer


async def serve(device: Device, answer: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    """Answers every request that comes, until it is cancelled."""
    answered = 0
    while True:
        requests = [message["payload"] for message in device.messages() if message["type"] == "mcp"]
        for request in requests[answered:]:
            result = answer(request)
            if "id" in request and result is not None:
                payload = {"jsonrpc": "2.0", "id": request["id"], "result": result}
                await device.tell(type="mcp", payload=payload)
        answered = len(requests)
        await asyncio.sleep(0.01)


async def test_the_status_becomes_readings_and_the_volume_is_set(house: House) -> None:
    asked: list[Any] = []
    async with connected(house) as device, asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(serve(device, tools_of(json.dumps(STATUS), asked)))
        await device.hello(features={"mcp": True})
        while (state := await house.memory.sensing.sensed(MAC)) is None:
            await asyncio.sleep(0.01)
        assert dict(state.readings) == {"volume": 70, "battery": 12, "charging": False}
        house.board.post(SetVolume(30), MAC)
        volume = {"name": "self.audio_speaker.set_volume", "arguments": {"volume": 30}}
        await until(lambda: ("tools/call", volume) in asked)
        serving.cancel()
    assert asked[0][1]["capabilities"]["vision"] == {"url": "", "token": ""}
    assert ("tools/list", {"cursor": "self.audio_speaker.set_volume", "withUserTools": False}) in asked


async def test_a_device_that_told_nonsense_once_is_asked_again(house: House) -> None:
    asked: list[Any] = []
    right, wrong = (tools_of(status, asked) for status in (json.dumps(STATUS), "nonsense"))

    def answer(request: dict[str, Any]) -> dict[str, Any] | None:
        return (wrong if sum(method == "tools/call" for method, _ in asked) < 2 else right)(request)

    async with connected(house) as device, asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(serve(device, answer))
        await device.hello(features={"mcp": True})
        while (state := await house.memory.sensing.sensed(MAC)) is None:
            await asyncio.sleep(0.05)
        assert state.readings["battery"] == 12
        serving.cancel()


BROKEN: list[dict[str, Any]] = [
    {},
    {"tools": "none"},
    {"tools": [7, {"name": []}, {}], "nextCursor": "again"},
    {"tools": [{"name": "self.get_device_status"}], "content": "x"},
    {"tools": [{"name": "self.get_device_status"}], "content": [{"text": "nonsense"}]},
    {"tools": [{"name": "self.get_device_status"}], "content": [{"text": '{"battery": 7}'}]},
    {"tools": [{"name": "self.get_device_status"}], "content": [], "isError": True},
]


async def test_devices_whose_tools_are_broken_talk_all_the_same(house: House) -> None:
    async def talk(mac: str, result: dict[str, Any]) -> None:
        async with connected(house, mac=mac) as device, asyncio.TaskGroup() as tasks:
            serving = tasks.create_task(serve(device, lambda _: result))
            await device.hello(features={"mcp": True})
            await asyncio.sleep(0.2)
            await device.tell(type="mcp", payload={"id": 99, "result": {}})
            await device.listen("detect", text="hi")
            await device.until("tts", state="start")
            serving.cancel()
        assert await house.memory.sensing.sensed(mac) is None

    await asyncio.gather(*(talk(f"02:aa:bb:cc:dd:1{number}", result) for number, result in enumerate(BROKEN)))
