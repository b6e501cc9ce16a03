"""A USB cable made of two pseudo-terminals: it can be pulled and plugged in again, and has a speed."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import tty
from pathlib import Path

_BITS_A_BYTE = 10  # start bit, eight data bits, stop bit
_TICK_SECONDS = 0.005


class PtyCable:
    """The device opens `device_port`, which never goes away; the companion opens `host_port` while it is plugged in.

    `baud` 0 carries as fast as it can. What is written while it is unplugged is lost, as on a real one.
    """

    def __init__(self, host_port: Path, baud: int = 0) -> None:
        self.host_port = str(host_port)
        self._bytes_a_tick = max(1, int(baud / _BITS_A_BYTE * _TICK_SECONDS)) if baud else 0
        self._device, slave = os.openpty()
        tty.setraw(slave)
        self.device_port = os.ttyname(slave)
        self._device_slave = slave
        self._host = self._host_slave = -1
        os.set_blocking(self._device, False)
        self._waiting = {True: b"", False: b""}  # by direction, what the other side has not taken yet
        self._lock = threading.Lock()
        self._ending = False
        self.carried = 0
        self._thread = threading.Thread(target=self._carry, name="pty cable", daemon=True)

    def __enter__(self) -> PtyCable:
        self.plug()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending = True
        self._thread.join()
        self.unplug()
        os.close(self._device)
        os.close(self._device_slave)

    def plug(self) -> None:
        host, slave = os.openpty()
        tty.setraw(slave)
        Path(self.host_port).symlink_to(os.ttyname(slave))
        os.set_blocking(host, False)
        with self._lock:
            self._host, self._host_slave = host, slave
            self._waiting[True] = b""

    def unplug(self) -> None:
        with self._lock:
            host, slave, self._host, self._host_slave = self._host, self._host_slave, -1, -1
        if host >= 0:
            Path(self.host_port).unlink()
            os.close(slave)
            os.close(host)

    def _carry(self) -> None:
        begun = time.monotonic()
        ticks = 0
        while not self._ending:
            with self._lock:
                moved = self._move(self._device, self._host, up=True) + self._move(self._host, self._device, up=False)
            if self._bytes_a_tick:
                ticks += 1
                time.sleep(max(0.0, begun + ticks * _TICK_SECONDS - time.monotonic()))
            elif not moved:
                time.sleep(0.0005)

    def _move(self, source: int, target: int, *, up: bool) -> int:
        """At most a tick's worth, and nothing more before the other side took what waits."""
        with contextlib.suppress(OSError):  # nothing there, no room, or the slave is not open
            if not self._waiting[up] and source >= 0:
                self._waiting[up] = os.read(source, self._bytes_a_tick or 4_096)
            if target < 0:
                self._waiting[up] = b""
            elif self._waiting[up]:
                taken = os.write(target, self._waiting[up])
                self._waiting[up] = self._waiting[up][taken:]
                self.carried += taken
                return taken
        return 0
