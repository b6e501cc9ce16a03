"""`GET /devices` and `GET /context/sensors`: the devices of the house, and what they sensed over time."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import asdict
from typing import Protocol

from aiohttp import web

from edge_memory.memory import Memory
from firmware_bridge.errors import BadRequest
from firmware_bridge.web.doors import caller_of


class Presence(Protocol):
    def heard_by(self) -> Collection[str]:
        """The devices that listen now."""


class HouseholdRoutes:
    def __init__(self, memory: Memory, presence: Presence) -> None:
        self._memory = memory
        self._presence = presence

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/devices", self.devices), web.get("/context/sensors", self.readings)]

    async def devices(self, request: web.Request) -> web.Response:
        """The paired ones by name, each with when it was `last_seen` and whether it is `connected` now."""
        here = self._presence.heard_by()
        shown = [
            asdict(device) | {"last_seen": at, "connected": device.device_id in here}
            for device, at in await self._memory.devices.seen()
        ]
        return web.json_response({"devices": shown})

    async def readings(self, request: web.Request) -> web.Response:
        """What was sensed `since` a Unix time, by device and name; a device sees its own only."""
        device_id = caller_of(request).device_id(request.query.get("device_id"))
        found = await self._memory.sensing.over_time(_since(request), device_id, request.query.get("name"))
        return web.json_response({"series": [asdict(series) for series in found]})


def _since(request: web.Request) -> float:
    text = request.query.get("since", "0")
    try:
        at = float(text)
    except ValueError:
        at = math.nan
    if not math.isfinite(at):
        raise BadRequest(f"since is {text[:40]!r}", "give seconds since 1970")
    return at
