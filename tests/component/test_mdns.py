"""A device and Home Assistant find the companion by mDNS, on loopback."""

from __future__ import annotations

import pytest
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from firmware_bridge.integrations.mdns import SERVICE, WYOMING_SERVICE, Advertiser, reachable_addresses


async def find(service: str, name: str) -> AsyncServiceInfo | None:
    device = AsyncZeroconf(interfaces=["127.0.0.1"])
    try:
        info = AsyncServiceInfo(service, name)
        return info if await info.async_request(device.zeroconf, 3_000) else None
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
        assert found.decoded_properties["pair"] == "/device/pair"


async def test_nothing_is_announced_on_loopback_or_by_name() -> None:
    assert reachable_addresses("127.0.0.1") == []
    assert reachable_addresses("::1") == []
    assert reachable_addresses("localhost") == []
    assert reachable_addresses("192.0.2.7") == ["192.0.2.7"]
    assert "127.0.0.1" not in reachable_addresses("0.0.0.0")
    async with Advertiser([], 8321) as advertiser:
        assert advertiser._zeroconf is None
