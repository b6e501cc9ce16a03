"""`lobug simulate`: the device's own code on this computer, with a terminal for its keyboard and screen."""

from __future__ import annotations

import errno
import os
import queue
import signal
import sys
import threading
import tty
import wave
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.cli.console import DEFAULT_URL, Url, check_writable
from firmware_bridge.errors import BadRequest, PortUnusable


def simulate(
    url: Url = DEFAULT_URL,
    cable: Annotated[
        Path | None,
        typer.Option(
            "--cable", help="Be on a cable instead: makes this serial port, for serial.ports of the companion."
        ),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="What the device calls itself.")] = "desk",
    token: Annotated[str, typer.Option("--token", help="Of an earlier pairing.", envvar="LOBUG_TOKEN")] = "",
    wav: Annotated[list[Path] | None, typer.Option("--wav", help="Say this recording (16 bit, one channel).")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Keep what the speaker plays, as WAV.")] = None,
) -> None:
    """Be a device, as an M5Stack would. Type or say recordings, over HTTP or a serial port; Ctrl-D ends."""
    from firmware_bridge.contracts import check_id
    from firmware_bridge.m5stack.board_desk import DeskBoard
    from firmware_bridge.m5stack.cable import Cable
    from firmware_bridge.m5stack.desk import run
    from firmware_bridge.m5stack.device import Device
    from firmware_bridge.m5stack.wifi import Wifi

    check_id("name", name)
    if out is not None:
        check_writable(out)
    files = [str(_checked(path)) for path in wav or []]
    with _serial_port(cable) as port:
        board = DeskBoard(port, name, token, _tell_token)
        link = Wifi(board, name, url, token) if port is None else Cable(board, name)
        if cable is not None:
            typer.echo(f"{name} is on {cable}; start the companion with LOBUG_SERIAL__PORTS={cable}")
        run(Device(board, link), board, Keyboard(), files, 500)
    if out is not None:
        _write_wav(out, *board.played())


def _tell_token(token: str) -> None:
    typer.echo(f"this is kept nowhere; the next time: lobug simulate --token {token}")


class Keyboard:
    """Lines of the standard input, read by a thread of its own."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.ended = False
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def next(self) -> str | None:
        """None while nothing is typed."""
        try:
            line = self._lines.get_nowait()
        except queue.Empty:
            return None
        self.ended = not line
        return line.strip() or None

    def _read(self) -> None:
        for line in sys.stdin:
            self._lines.put(line)
        self._lines.put("")


class PtyPort:
    """The device's end of a serial port that others open."""

    def __init__(self, master: int) -> None:
        self._master = master

    def read(self) -> bytes:
        """What is there."""
        with suppress(BlockingIOError):
            return os.read(self._master, 4_096)
        return b""

    def write(self, data: bytes) -> None:
        """What nobody takes is lost, as on a cable that is not plugged in."""
        with suppress(BlockingIOError):
            os.write(self._master, data)


@contextmanager
def _serial_port(path: Path | None) -> Iterator[PtyPort | None]:
    """Gone afterwards, also when the terminal is closed: the next terminal may get the number that it leads to.

    Raises PortUnusable when the path cannot be made.
    """
    if path is None:
        yield None
        return
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, lambda number, _: sys.exit(128 + number))
    if path.is_symlink() and not path.exists():
        path.unlink()  # of a device that was killed
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    try:
        path.symlink_to(os.ttyname(slave))
    except OSError as error:
        hint = "it exists; take another, or remove it" if error.errno == errno.EEXIST else "give another path"
        raise PortUnusable(f"{path} cannot be made: {error.strerror}", hint) from error
    try:
        yield PtyPort(master)
    finally:
        path.unlink(missing_ok=True)
        os.close(slave)
        os.close(master)


def _checked(path: Path) -> Path:
    """Raises BadRequest for a file that is not such a recording."""
    try:
        with wave.open(str(path), "rb") as file:
            if (file.getnchannels(), file.getsampwidth()) == (1, 2):
                return path
        problem = "it needs one channel with 16 bits"
    except (OSError, wave.Error, EOFError) as error:
        problem = str(error)
    raise BadRequest(
        f"{path} is no recording for a device: {problem}", "for example: sox IN -c 1 -b 16 -r 16000 OUT.wav"
    )


def _write_wav(path: Path, pcm: bytes, rate: int) -> None:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(pcm)
