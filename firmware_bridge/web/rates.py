"""How often a device may ask: one that floods is told to wait, and nobody else notices."""

from __future__ import annotations

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from firmware_bridge.rate import READINGS_FOR_A_TURN, Rate
from firmware_bridge.web.doors import caller_of

_OFTEN = {("POST", "/context/sensors"), ("GET", "/memory/search")}


def rate_keeper(turns_per_minute: int) -> Middleware:
    """A middleware behind the doors: 429 for devices, and unpaired guests, that send more. The owner is not counted.

    Whatever they POST counts as a turn, but readings of sensors, which have a count of their own with searches, that
    are computed before turns.
    """
    turns, often = Rate(turns_per_minute), Rate(turns_per_minute * READINGS_FOR_A_TURN)

    @web.middleware
    async def keep(request: web.Request, handler: Handler) -> web.StreamResponse:
        caller = caller_of(request)
        is_often = (request.method, request.path) in _OFTEN
        if not caller.is_owner and (is_often or request.method == "POST"):
            who = caller.device.device_id if caller.device else f"from {request.remote}"
            (often if is_often else turns).charge(who)
        return await handler(request)

    return keep
