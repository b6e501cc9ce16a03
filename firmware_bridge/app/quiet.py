"""A device that lies face down is not to speak: its volume goes to nothing, and comes back when it is turned up."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from edge_memory.sensing.notable import is_face_down
from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import Notice, SetVolume

_USUAL_PERCENT = 60


class QuietDevices:
    """`post` takes a notice and the device that it is for."""

    def __init__(self, post: Callable[[Notice, str | None], object]) -> None:
        self._post = post
        self._volumes: dict[str, int] = {}  # of the devices that lie face down, as they were before
        self._known: dict[str, int] = {}

    def sensed(self, device_id: str, readings: Mapping[str, Reading]) -> None:
        """Given what a device senses. Its own `volume` among the readings, in percent, is what it goes back to."""
        volume = readings.get("volume")
        if isinstance(volume, int) and not isinstance(volume, bool) and 0 < volume <= 100:
            self._known[device_id] = volume
        if "orientation" not in readings:
            return
        down = is_face_down(readings["orientation"])
        if down and device_id not in self._volumes:
            self._volumes[device_id] = self._known.get(device_id, _USUAL_PERCENT)
            self._post(SetVolume(0), device_id)
        elif not down and device_id in self._volumes:
            self._post(SetVolume(self._volumes.pop(device_id)), device_id)
