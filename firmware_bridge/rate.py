"""How often somebody may do something."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from firmware_bridge.errors import TooOften

READINGS_FOR_A_TURN = 20  # how many readings of sensors a device may send for each turn that it may
_MOST_REMEMBERED = 1_024


class Rate:
    """`per_minute` for each caller: at once after a quiet minute, else evenly; 0 for any. `clock` is monotonic, in
    seconds.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how many, and at what time

    def charge(self, device: str) -> None:
        """Takes one. Raises TooOften where there is none left."""
        if wait := self.take(device):
            raise TooOften("this device asks too often", f"wait {wait:.0f} s, and send less", wait)

    def take(self, caller: str) -> float:
        """Takes one. The seconds to wait where there is none left, else 0."""
        if not self._most:
            return 0.0
        now = self._clock()
        left, at = self._left.pop(caller, (self._most, now))
        left = min(self._most, left + (now - at) * self._most / 60)
        taken = left >= 1
        self._left[caller] = (left - 1 if taken else left, now)
        if len(self._left) > _MOST_REMEMBERED:
            self._left.popitem(last=False)
        return 0.0 if taken else (1 - left) * 60 / self._most
