"""The time that memory goes by, on machines whose clock is wrong after each boot until the network sets it."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_RELEASED = 1_767_225_600.0  # 2026-01-01: no file is older
_SLACK_SECONDS = 3_600.0
_LONGEST_PAUSE_SECONDS = 366 * 86_400.0  # what a machine without network may have been off for
_AFTER_SECONDS = 1.0  # so that what is in the file already is never taken for something of this boot
_STEP_SECONDS = 2.0  # less is the slewing of a clock that is kept right
_STA_UNSYNC, _STATUS_AT = 0x40, 40  # adjtimex(2), on 64-bit Linux


@dataclass(frozen=True, slots=True)
class BootTime:
    """Seconds that the machine has been up, asleep or not. It knows no jumps."""

    boot_id: str
    seconds: float


def boot_time() -> BootTime:
    boot_id = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return BootTime(boot_id, time.clock_gettime(time.CLOCK_BOOTTIME))


@dataclass(frozen=True, slots=True)
class Shift:
    """What was dated from `since` to `until`, both included, happened `by` seconds later."""

    since: float
    until: float
    by: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """The time since `since`, in which this clock was the boot's seconds and `offset`, right or not."""

    boot_id: str
    since: float
    offset: float


class HouseClock:
    """Unix seconds that go on evenly with the boot's own seconds, from the newest time that the file knows.

    The machine's clock is followed while it is believable: the kernel calls it synchronised, or it is neither before
    the newest time in the file nor more than a year after it. When it steps, `settle` tells what is to be dated anew.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        boot: Callable[[], BootTime] = boot_time,
        is_set: Callable[[], bool] | None = None,
    ) -> None:
        self._wall = wall
        self._boot = boot
        self._is_set = is_set or kernel_is_synchronised
        self._newest = _RELEASED
        self._offset = wall() - boot().seconds
        self._since = self()

    def __call__(self) -> float:
        return self._boot().seconds + self._offset

    def start(self, newest: float | None, stretch: Stretch | None) -> Stretch | None:
        """`newest` is the newest time in the file, `stretch` what the last process got back from here. That is kept in
        the file while nothing says that the machine's clock is right.
        """
        self._newest = max(newest or 0.0, _RELEASED)
        boot, wall = self._boot(), self._wall()
        if stretch is not None and stretch.boot_id == boot.boot_id:  # `settle` puts it right
            self._offset, self._since = stretch.offset, stretch.since
        else:
            self._offset = (wall if self._is_believable(wall) else self._newest + _AFTER_SECONDS) - boot.seconds
            self._since = self()
        return None if self._is_set() else Stretch(boot.boot_id, self._since, self._offset)

    def settle(self) -> Shift | None:
        """To be called every few seconds."""
        if not self._is_believable(wall := self._wall()):
            return None
        until, self._offset = self(), wall - self._boot().seconds
        if abs(wall - until) < _STEP_SECONDS:
            return None
        shift = Shift(self._since, until, wall - until)
        self._since = wall
        return shift

    def _is_believable(self, wall: float) -> bool:
        return self._is_set() or self._newest - _SLACK_SECONDS <= wall <= self._newest + _LONGEST_PAUSE_SECONDS


def kernel_is_synchronised() -> bool:
    """False also where the kernel does not say."""
    state = ctypes.create_string_buffer(256)
    if ctypes.CDLL(None).adjtimex(state) < 0:
        return False
    return not int.from_bytes(state.raw[_STATUS_AT : _STATUS_AT + 4], "little") & _STA_UNSYNC
