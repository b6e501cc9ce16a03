"""How long this machine has lately taken from the end of hearing to the first sound of its reply."""

from __future__ import annotations

_NEWEST_SHARE = 0.4  # of the newest measurement in the average


class Pace:
    """An exponential average of what was measured, in seconds; 0 while nothing was."""

    def __init__(self) -> None:
        self.expected = 0.0

    def measured(self, seconds: float) -> None:
        self.expected += (seconds - self.expected) * (_NEWEST_SHARE if self.expected else 1.0)
