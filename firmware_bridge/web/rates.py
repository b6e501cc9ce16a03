"""How often a device may ask: one that floods is told to wait, and nobody else notices."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from aiohttp import web

from firmware_bridge.errors import TooOften
from firmware_bridge.web.doors import caller_of
from firmware_bridge.web.failures import Handler

_READINGS_FOR_A_TURN = 20
_SENSORS = "/context/sensors"
_MOST_REMEMBERED = 1_024


class Rate:
    """`per_minute` for each caller: at once after a quiet minute, else evenly. `clock` is monotonic, in seconds."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how many, and at what time

    def take(self, caller: str) -> float:
        """Takes one. The seconds to wait where there is none left, else 0."""
        now = self._clock()
        left, at = self._left.pop(caller, (self._most, now))
        left = min(self._most, left + (now - at) * self._most / 60)
        taken = left >= 1
        self._left[caller] = (left - 1 if taken else left, now)
        if len(self._left) > _MOST_REMEMBERED:
            self._left.popitem(last=False)
        return 0.0 if taken else (1 - left) * 60 / self._most


def rate_keeper(turns_per_minute: int) -> web.middleware:  # type: ignore[valid-type]
    """A middleware behind the doors: 429 for devices, and unpaired guests, that send more. The owner is not counted.

    Whatever they POST counts as a turn, but readings of sensors, which have a count of their own.
    """
    turns, readings = Rate(turns_per_minute), Rate(turns_per_minute * _READINGS_FOR_A_TURN)

    @web.middleware
    async def keep(request: web.Request, handler: Handler) -> web.StreamResponse:
        caller = caller_of(request)
        if request.method == "POST" and turns_per_minute and not caller.is_owner:
            who = caller.device.device_id if caller.device else f"from {request.remote}"
            rate = readings if request.path == _SENSORS else turns
            if wait := rate.take(who):
                raise TooOften("this device asks too often", f"wait {wait:.0f} s, and send less", wait)
        return await handler(request)

    return keep
