"""When each frame of sound may leave, so that the device neither starves nor throws anything away. Pure.

The firmware queues 2.4 s of undecoded frames and silently drops what is beyond. A few frames go out at once, so that
a network's hiccup is not heard; each further one when its turn is come.
"""

from __future__ import annotations

from firmware_bridge.device.xiaozhi.messages import FRAME_MS

FRAME_SECONDS = FRAME_MS / 1000
AHEAD_FRAMES = 5


class Pacer:
    """One stretch of sound. All times are in seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._played_until: float | None = None  # when the device will have played what was sent

    def wait(self, now: float) -> float:
        """Seconds to wait before the next frame may leave."""
        return max(0.0, self.queued(now) - (AHEAD_FRAMES - 1) * FRAME_SECONDS)

    def sent(self, now: float) -> None:
        """One more frame has left."""
        self._played_until = max(now, self._played_until or now) + FRAME_SECONDS

    def queued(self, now: float) -> float:
        """Seconds of sound that wait at the device."""
        return 0.0 if self._played_until is None else max(0.0, self._played_until - now)
