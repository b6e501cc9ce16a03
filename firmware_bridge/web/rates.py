"""How often a device may ask: one that floods is told to wait, and nobody else notices."""

from __future__ import annotations

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from firmware_bridge.rate import READINGS_FOR_A_TURN, Rate
from firmware_bridge.web.doors import caller_of

_SENSORS = "/context/sensors"


def rate_keeper(turns_per_minute: int) -> Middleware:
    """A middleware behind the doors: 429 for devices, and unpaired guests, that send more. The owner is not counted.

    Whatever they POST counts as a turn, but readings of sensors, which have a count of their own.
    """
    turns, readings = Rate(turns_per_minute), Rate(turns_per_minute * READINGS_FOR_A_TURN)

    @web.middleware
    async def keep(request: web.Request, handler: Handler) -> web.StreamResponse:
        caller = caller_of(request)
        if request.method == "POST" and not caller.is_owner:
            who = caller.device.device_id if caller.device else f"from {request.remote}"
            (readings if request.path == _SENSORS else turns).charge(who)
        return await handler(request)

    return keep
