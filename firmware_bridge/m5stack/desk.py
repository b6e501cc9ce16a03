"""The device's code without a device, for MicroPython's unix port:

micropython -m lobug.desk (--cable PORT | (--url URL | --find ADDRESS) [--token TOKEN])
    [--name ID] [--wav FILE] [--out FILE] [--linger MS]

Each line of the standard input is typed, and each `--wav` spoken, once the turn before it is over. `--out` gets what
the speaker plays, as raw PCM16. `--find` looks for the companion in the network where this machine has that address.
"""

import select
import struct
import sys
import termios
import time

from .board_desk import DeskBoard
from .cable import Cable
from .device import Device
from .finding import find
from .wifi import Wifi

_BREATH_MS = 300  # the sound of a reply may begin after its words are done; who speaks before that cuts it off


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


class Lines:
    """The standard input, a line at a time, without waiting."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        self.ended = False

    def next(self) -> str | None:
        if self.ended or not self._poll.poll(0):
            return None
        line = sys.stdin.readline()
        self.ended = not line
        return line.strip() or None


def read_wav(path: str) -> tuple:
    """(pcm, rate) of a WAV file with 16-bit samples of one channel."""
    with open(path, "rb") as file:
        raw = file.read()
    rate = struct.unpack("<I", raw[24:28])[0]
    return raw[raw.find(b"data") + 8 :], rate


def options(arguments: list) -> dict:
    """Names with the values that were given for them."""
    given = {}
    for place in range(0, len(arguments), 2):
        given.setdefault(arguments[place].lstrip("-"), []).append(arguments[place + 1])
    return given


def _finder(given: dict):
    if "find" not in given:
        return None
    own = bytes(int(part) for part in given["find"][0].split("."))
    return lambda: find(own)


def run(device: Device, board: DeskBoard, lines, files: list, linger_ms: int = 0) -> None:
    """Types and speaks one thing after another, until all is said and `linger_ms` more have passed."""
    board.lines = lambda: None if device.busy or board.playing() else lines.next()
    idle_at = quiet_at = board.ticks_ms()

    def speech():
        if not files or board.ticks_diff(board.ticks_ms(), quiet_at) < _BREATH_MS:
            return None
        return read_wav(files.pop(0))

    board.speech = speech
    while True:
        device.step()
        now = board.ticks_ms()
        if device.busy or board.playing():
            quiet_at = now
        if quiet_at == now or files or not lines.ended:
            idle_at = now
        elif board.ticks_diff(now, idle_at) >= linger_ms:
            board.show_speaker()
            return
        time.sleep(0.001)


def main(arguments: list) -> None:
    given = options(arguments)
    name = given.get("name", ["desk"])[0]
    if "cable" in given:
        board = DeskBoard(Tty(given["cable"][0]), name=name)
        link = Cable(board, name)
    else:
        board = DeskBoard(name=name)
        link = Wifi(board, name, given.get("url", [""])[0], given.get("token", [""])[0], _finder(given))
    board.speaker_speed = int(given.get("speed", ["1"])[0])
    run(Device(board, link), board, Lines(), given.get("wav", []), int(given.get("linger", ["0"])[0]))
    if "out" in given:
        with open(given["out"][0], "wb") as file:
            file.write(board.played()[0])


if __name__ == "__main__":
    main(sys.argv[1:])
