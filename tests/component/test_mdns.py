"""A device and Home Assistant find the companion by mDNS, on loopback."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import prove_cable
import pytest
from web_house import open_house
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from firmware_bridge.integrations.mdns import SERVICE, WYOMING_SERVICE, Advertiser, reachable_addresses
from firmware_bridge.m5stack import finding


async def find(service: str, name: str) -> AsyncServiceInfo | None:
    device = AsyncZeroconf(interfaces=["127.0.0.1"])
    try:
        info = AsyncServiceInfo(service, name)
        return info if await info.async_request(device.zeroconf, 240_000) else None
    finally:
        await device.async_close()


@pytest.mark.parametrize("service", [SERVICE, WYOMING_SERVICE])
async def test_the_companion_is_found_while_it_runs(service: str) -> None:
    async with Advertiser(["127.0.0.1"], 8321, service) as advertiser:
        assert advertiser._zeroconf is not None
        (name,) = [info.name for info in advertiser._zeroconf.zeroconf.registry.async_get_service_infos()]
        assert name.endswith(service)
        found = await find(service, name)
        assert found is not None
        assert (found.parsed_addresses(), found.port) == (["127.0.0.1"], 8321)
        assert found.decoded_properties.get("pair") == ("/device/pair" if service == SERVICE else None)


async def test_the_devices_code_finds_it_and_talks_to_it(tmp_path: Path) -> None:
    pytest.importorskip("micropython_unix")
    flash = prove_cable.install(tmp_path / "flash")
    async with open_house(tmp_path, lambda _: "Hello.") as house:
        device = prove_cable.start_device(flash, "--find", "127.0.0.1")
        assert device.stdout is not None
        assert await asyncio.to_thread(device.stdout.readline) == "link> down no companion is found in this network\n"
        async with Advertiser(["127.0.0.1"], int(house.url.rpartition(":")[2])):
            told, _ = await asyncio.wait_for(asyncio.to_thread(device.communicate, "hello\n"), 240)
    assert "link> up" in told
    assert "done> respond: Hello." in told


def test_what_is_no_whole_answer_is_no_address() -> None:
    name = b"\x06_lobug\x04_tcp\x05local\0"
    srv = b"\xc0\x0c\0\x21\0\1\0\0\0\x78\0\x08\0\0\0\0\x20\x81\xc0\x0c"
    place = b"\xc0\x0c\0\1\0\1\0\0\0\x78\0\4\xc0\xa8\1\5"
    answer = b"\0\0\x84\0\0\1\0\2\0\0\0\0" + name + b"\0\x0c\0\1" + srv + place
    assert finding.read(answer) == "http://192.168.1.5:8321"
    for size in range(len(answer)):
        with suppress(IndexError):
            assert finding.read(answer[:size]) == ""
    assert finding.read(answer.replace(b"lobug", b"hobug")) == ""


async def test_nothing_is_announced_on_loopback_or_by_name() -> None:
    assert reachable_addresses("127.0.0.1") == []
    assert reachable_addresses("::1") == []
    assert reachable_addresses("localhost") == []
    assert reachable_addresses("192.0.2.7") == ["192.0.2.7"]
    assert "127.0.0.1" not in reachable_addresses("0.0.0.0")
    async with Advertiser([], 8321) as advertiser:
        assert advertiser._zeroconf is None
