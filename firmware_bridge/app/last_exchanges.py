"""What the ears must know of each device's last exchange: what it was told, and whether it was asked again."""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

from firmware_bridge.contracts import Action
from firmware_bridge.speech import Situation

_ECHO_SECONDS = 4.0  # after the sound has ended, for slow loudspeakers and long rooms
_MOST_DEVICES = 256


@dataclass(frozen=True, slots=True)
class _Last:
    text: str
    action: Action
    sounding_until: float


class LastExchanges:
    """`clock` is monotonic, in seconds. A device without a name is its session."""

    def __init__(self, follow_up_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._follow_up = follow_up_seconds
        self._clock = clock
        self._last: OrderedDict[str, _Last] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def lock(self, device: str) -> asyncio.Lock:
        """Held for one reply: a second utterance of the same device waits until the first is answered."""
        return self._locks.setdefault(device, asyncio.Lock())

    def situation(self, device: str) -> Situation:
        last = self._last.get(device)
        if last is None:
            return Situation()
        since = self._clock() - last.sounding_until
        return Situation(
            own_reply=last.text if since <= _ECHO_SECONDS else "",
            asked_again=last.action is Action.CLARIFY,
            in_conversation=last.action is not Action.IGNORE and since <= self._follow_up,
        )

    def saying(self, device: str, text: str, action: Action = Action.RESPOND) -> None:
        """What the device is told, as far as it is written. What is ignored changes nothing: do not tell it."""
        self._last.pop(device, None)
        self._last[device] = _Last(text, action, math.inf)
        if len(self._last) > _MOST_DEVICES:
            self._last.popitem(last=False)

    def ended(self, device: str, sound_seconds: float) -> None:
        """An exchange is over; its sound plays for so long from now."""
        last = self._last.get(device)
        if last is not None and last.sounding_until == math.inf:
            self._last[device] = replace(last, sounding_until=self._clock() + sound_seconds)
