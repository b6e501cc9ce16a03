"""The device's code without a device, for MicroPython's unix port: micropython -m lobug.desk PORT NAME TEXT..."""

import sys
import termios
import time

from .board_desk import DeskBoard
from .cable import Cable
from .device import Device


class Tty:
    """A serial port that never waits."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "r+b")
        descriptor = self._file.fileno()
        termios.setraw(descriptor)
        attributes = termios.tcgetattr(descriptor)
        attributes[6][5] = attributes[6][6] = 0  # VTIME, VMIN: a read returns what is there
        termios.tcsetattr(descriptor, termios.TCSANOW, attributes)
        self._buffer = bytearray(2048)

    def read(self) -> bytes:
        size = self._file.readinto(self._buffer)
        return bytes(self._buffer[:size]) if size else b""

    def write(self, data: bytes) -> None:
        self._file.write(data)


def main(arguments: list) -> None:
    path, name, *lines = arguments
    board = DeskBoard(Tty(path), lines=None)
    device = Device(board, Cable(board, name))
    board._lines = lambda: lines.pop(0) if lines and not device.busy else None
    while lines or device.busy:
        device.step()
        time.sleep_ms(2)


main(sys.argv[1:])
