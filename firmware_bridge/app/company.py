"""What the ears must know of each device's last exchange: what it was told, and whether it was asked again."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

from firmware_bridge.contracts import Action, Said
from firmware_bridge.speech import Situation

_ECHO_SECONDS = 4.0  # after the sound has ended, for slow loudspeakers and long rooms
_MOST_DEVICES = 256


@dataclass(frozen=True, slots=True)
class _Last:
    text: str
    action: Action
    sounding_until: float


class Company:
    """`clock` is monotonic, in seconds. A device without a name is its session."""

    def __init__(self, follow_up_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._follow_up = follow_up_seconds
        self._clock = clock
        self._last: OrderedDict[str, _Last] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def lock(self, device: str) -> asyncio.Lock:
        """Held for one exchange: a second utterance of the same device waits until the first is answered."""
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

    def ended(self, device: str, said: Said, sound_seconds: float) -> None:
        """An exchange is over; its sound plays for so long from now. What was ignored changes nothing."""
        if said.action is Action.IGNORE:
            return
        self._last.pop(device, None)
        self._last[device] = _Last(said.text, said.action, self._clock() + sound_seconds)
        if len(self._last) > _MOST_DEVICES:
            self._last.popitem(last=False)
