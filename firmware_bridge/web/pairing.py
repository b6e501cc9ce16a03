"""Pairing over the network: a device asks, shows the code that it is given, and fetches its token."""

from __future__ import annotations

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field

from edge_memory.devices import Devices
from edge_memory.store.devices import PAIRING_SECONDS
from firmware_bridge.contracts import check_id
from firmware_bridge.web.answers import Paired, PairingAsked, PairingWaits
from firmware_bridge.web.bodies import Id, parse, read_json


class PairBody(BaseModel):
    """`POST /device/pair`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    device_id: Id = Field(description="what the device calls itself")
    claim: str | None = Field(None, description="the secret that came with the code, to fetch the token")


class PairingRoutes:
    def __init__(self, devices: Devices) -> None:
        self._devices = devices

    def routes(self) -> list[web.RouteDef]:
        return [web.post("/device/pair", self.pair)]

    async def pair(self, request: web.Request) -> web.Response:
        """202 with a code and a claim at first, 202 while the owner has not typed the code, then 200 with the token."""
        body = parse(PairBody, await read_json(request))
        device_id = check_id("device_id", body.device_id)
        if body.claim is None:
            asked = await self._devices.ask(device_id)
            told = PairingAsked(code=asked.code, claim=asked.claim, expires_in=int(PAIRING_SECONDS))
            return web.json_response(told, status=202)
        token = await self._devices.fetch(device_id, body.claim)
        if token is None:
            return web.json_response(PairingWaits(state="waiting"), status=202)
        return web.json_response(Paired(token=token, device_id=device_id))
