"""How loud each device is. One that lies face down is not to speak: its volume goes to nothing, and comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from edge_memory.sensing.notable import is_face_down
from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import Notice, SetVolume

_USUAL_PERCENT = 60


class Volumes:
    """`post` takes a notice and the device that it is for, and returns how many took it."""

    def __init__(self, post: Callable[[Notice, str | None], int]) -> None:
        self._post = post
        self._percent: dict[str, int] = {}
        self._face_down: set[str] = set()

    def volume(self, device_id: str) -> int:
        return self._percent.get(device_id, _USUAL_PERCENT)

    def set_volume(self, device_id: str, percent: int) -> bool:
        """Whether the device heard of it. One that lies face down stays quiet until it is turned up."""
        self._percent[device_id] = percent
        return self._post(SetVolume(0 if device_id in self._face_down else percent), device_id) > 0

    def is_quiet(self, device_id: str) -> bool:
        return device_id in self._face_down or self.volume(device_id) == 0

    def sensed(self, device_id: str, readings: Mapping[str, Reading]) -> None:
        """Given what a device senses: its orientation, and its `volume` in percent if it tells that."""
        volume = readings.get("volume")
        if device_id not in self._face_down and isinstance(volume, int) and 0 < volume <= 100:
            self._percent[device_id] = int(volume)
        if "orientation" not in readings:
            return
        down = is_face_down(readings["orientation"])
        if down and device_id not in self._face_down:
            self._face_down.add(device_id)
            self._post(SetVolume(0), device_id)
        elif not down and device_id in self._face_down:
            self._face_down.remove(device_id)
            self._post(SetVolume(self.volume(device_id)), device_id)
