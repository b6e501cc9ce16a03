"""`GET /devices` and `GET /context/sensors`: the devices of the house, and what they sensed over time."""

from __future__ import annotations

from dataclasses import asdict

from aiohttp import web

from edge_memory.memory import Memory
from firmware_bridge.contracts import check_id
from firmware_bridge.web.doors import caller_of
from firmware_bridge.web.mailboxes import Board
from firmware_bridge.web.queries import SeriesQuery, read_query


class HouseholdRoutes:
    def __init__(self, memory: Memory, board: Board) -> None:
        self._memory = memory
        self._board = board

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/devices", self.devices), web.get("/context/sensors", self.readings)]

    async def devices(self, request: web.Request) -> web.Response:
        """The paired ones by name, each with when it was `last_seen` and whether it is `connected` now."""
        here = self._board.heard_by()
        shown = [
            asdict(device) | {"last_seen": at, "connected": device.device_id in here}
            for device, at in await self._memory.devices.seen()
        ]
        return web.json_response({"devices": shown})

    async def readings(self, request: web.Request) -> web.Response:
        """What was sensed `since` a Unix time, by device and name; devices see their own, guests that of guests."""
        asked, caller = read_query(SeriesQuery, request), caller_of(request)
        device_id = caller.device_id(asked.device_id)
        if device_id is not None:
            check_id("device_id", device_id)
        found = await self._memory.sensing.over_time(asked.since, device_id, asked.name)
        return web.json_response({"series": [asdict(series) for series in found if caller.may_hear(series.device_id)]})
