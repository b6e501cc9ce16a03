"""The only door to pyserial: a serial port as bytes in and bytes out, opened without resetting the board behind it.

Opening a port raises DTR and RTS, closing it drops them, and on an ESP32 one line without the other means reset or boot
loader. So both stay raised as the kernel left them, and HUPCL is cleared so that closing drops neither.
"""

from __future__ import annotations

import asyncio
import termios
from types import TracebackType
from typing import Self

import serial

from firmware_bridge.errors import CableLost, PortUnusable

_PORTION = 4_096
_MOST_WAITING = 64 * 1024


class SerialPort:
    """An async context manager. One reader and any number of writers."""

    def __init__(self, path: str, baud: int) -> None:
        self.path = path
        self._baud = baud
        self._unsent = bytearray()
        self._readable = asyncio.Event()
        self._drained = asyncio.Event()
        self._error: CableLost | None = None

    async def __aenter__(self) -> Self:
        """Raises PortUnusable."""
        try:
            self._serial = serial.Serial(self.path, self._baud, timeout=0, write_timeout=0, exclusive=True)
            self._fd = self._serial.fileno()
            _keep_lines_on_close(self._fd)
        except (OSError, ValueError, termios.error) as error:
            raise PortUnusable(
                f"{self.path} does not open: {error}", "is it plugged in, yours to use, and used by nothing else?"
            ) from error
        asyncio.get_running_loop().add_reader(self._fd, self._readable.set)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._fd)
        loop.remove_writer(self._fd)
        self._serial.close()

    async def receive(self) -> bytes:
        """At least one byte. Raises CableLost."""
        while True:
            await self._readable.wait()
            self._readable.clear()
            try:
                portion = bytes(self._serial.read(_PORTION))
            except (OSError, serial.SerialException, TypeError) as error:
                raise self._lost(error) from error
            if portion:
                return portion

    async def send(self, data: bytes) -> None:
        """Returns once it is on its way, or nearly. Raises CableLost, also for a port that takes nothing for long."""
        if self._error is not None:
            raise self._error
        if not self._unsent:
            asyncio.get_running_loop().add_writer(self._fd, self._write)
        self._unsent += data
        if len(self._unsent) > _MOST_WAITING:
            raise self._lost(BufferError("it takes no data"))
        while len(self._unsent) > _PORTION:
            self._drained.clear()
            await self._drained.wait()
            if self._error is not None:
                raise self._error

    def _write(self) -> None:
        try:
            written = self._serial.write(self._unsent[:_PORTION]) or 0
        except (OSError, serial.SerialException) as error:
            self._lost(error)
            self._unsent.clear()
        else:
            del self._unsent[:written]
        if not self._unsent:
            asyncio.get_running_loop().remove_writer(self._fd)
        self._drained.set()

    def _lost(self, error: Exception) -> CableLost:
        if self._error is None:
            self._error = CableLost(f"{self.path} was unplugged ({error})", "plug it in again")
        self._readable.set()
        self._drained.set()
        return self._error


def _keep_lines_on_close(fd: int) -> None:
    attributes = termios.tcgetattr(fd)
    attributes[2] &= ~termios.HUPCL
    termios.tcsetattr(fd, termios.TCSANOW, attributes)
