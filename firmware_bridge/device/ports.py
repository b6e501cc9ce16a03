"""Which serial ports this machine has, and behind which a Lo-Bug device answers."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports

from firmware_bridge.device.framing import Frame, FrameReader, Kind, encode
from firmware_bridge.device.messages import Hello, parse_hello
from firmware_bridge.device.port import SerialPort
from firmware_bridge.errors import BridgeError

_BY_ID = Path("/dev/serial/by-id")
_PROBE_SECONDS = 2.5
# USB vendors of what M5Stack builds in: Espressif's own USB, and the bridges CH9102, CP2104 and FT232.
_VENDORS = frozenset({0x303A, 0x1A86, 0x10C4, 0x0403})


@dataclass(frozen=True, slots=True)
class Port:
    """`path` is the name under /dev/serial/by-id, which stays the same, if there is one."""

    path: str
    description: str
    likely: bool


@dataclass(frozen=True, slots=True)
class Probed:
    """What a port answered: a device's hello, or why there is none."""

    port: Port
    hello: Hello | None
    problem: str = ""


def known_ports() -> list[Port]:
    """The USB serial ports of this machine."""
    stable = {str(link.resolve()): str(link) for link in sorted(_BY_ID.glob("*"))}
    found = [info for info in list_ports.comports() if info.vid is not None]
    return [Port(stable.get(info.device, info.device), info.description, info.vid in _VENDORS) for info in found]


async def probe(port: Port, baud: int) -> Probed:
    """Hails, without resetting the board, and waits for a hello."""
    try:
        async with SerialPort(port.path, baud) as wire:
            await wire.send(encode(Frame(Kind.HAIL)))
            reader = FrameReader()
            with suppress(TimeoutError):
                async with asyncio.timeout(_PROBE_SECONDS):
                    while True:
                        for item in reader.feed(await wire.receive()):
                            if isinstance(item, Frame) and item.kind is Kind.HELLO:
                                return Probed(port, parse_hello(item.payload))
    except BridgeError as error:
        return Probed(port, None, error.message)
    return Probed(port, None, "nothing there speaks Lo-Bug's protocol")
