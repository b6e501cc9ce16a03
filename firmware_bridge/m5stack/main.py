"""What the board runs. Copy this file to /flash/main.py; settings are in /flash/lobug.json, all of them optional:

{"device_id": "kitchen", "link": "cable", "uart": 0, "baud": 921600}
{"device_id": "kitchen", "link": "wifi", "ssid": "...", "password": "...", "url": "http://192.168.1.5:8321"}

Without "url" the companion is looked for by mDNS.
"""

import binascii
import json
import os
import select
import sys
import time

_SETTINGS = "/flash/lobug.json"
_OPEN_S = 8  # after a reset, in which mpremote gets in; then the cable belongs to the companion


class Uart:
    """The cable of boards with a USB bridge (Core2, Atom Echo)."""

    def __init__(self, number: int, baud: int) -> None:
        import machine

        self._uart = machine.UART(number, baudrate=baud, rxbuf=8192, txbuf=4096)

    def read(self) -> bytes:
        return self._uart.read() or b""

    def write(self, data: bytes) -> None:
        self._uart.write(data)


class Usb:
    """The cable of boards whose processor speaks USB itself (CoreS3): standard input and output, as bytes."""

    def __init__(self) -> None:
        import micropython

        micropython.kbd_intr(-1)  # a frame may have a Ctrl-C in it
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def read(self) -> bytes:
        received = bytearray()
        while len(received) < 1024 and self._poll.poll(0):
            received += sys.stdin.buffer.read(1)
        return bytes(received)

    def write(self, data: bytes) -> None:
        sys.stdout.buffer.write(data)


def load() -> dict:
    try:
        with open(_SETTINGS) as file:
            return json.load(file)
    except OSError:
        return {}


def keep_token(token: str) -> None:
    """A board that loses power meanwhile keeps the settings it had."""
    settings = dict(load(), token=token)
    with open(_SETTINGS + ".new", "w") as file:
        json.dump(settings, file)
    os.rename(_SETTINGS + ".new", _SETTINGS)


def join_network(ssid: str, password: str) -> None:
    import network

    station = network.WLAN(network.STA_IF)
    station.active(True)
    if ssid and not station.isconnected():
        station.connect(ssid, password)
        while not station.isconnected():
            time.sleep_ms(200)


def run() -> None:
    import machine
    from lobug.board_m5 import M5Board
    from lobug.cable import Cable
    from lobug.device import Device
    from lobug.finding import find
    from lobug.wifi import Wifi

    settings = load()
    name = settings.get("device_id") or "m5-" + binascii.hexlify(machine.unique_id()).decode()[-6:]
    token = settings.get("token", "")
    if settings.get("link") == "wifi":
        join_network(settings.get("ssid", ""), settings.get("password", ""))
        board = M5Board(name=name, token=token, keep=keep_token)
        url = settings.get("url", "")
        link = Wifi(board, name, url, token, None if url else find)
    else:
        uart = settings.get("uart", 0 if "S3" not in sys.implementation._machine else None)
        stream = Usb() if uart is None else Uart(uart, settings.get("baud", 921600))
        board = M5Board(stream, name, token, keep_token)
        link = Cable(board, name)
    device = Device(board, link)
    while True:
        device.step()
        time.sleep_ms(1)


def main() -> None:
    """Begins anew after any failure, such as memory that ran out."""
    import machine

    time.sleep(_OPEN_S)
    try:
        run()
    except Exception as error:  # noqa: BLE001 - nobody is there to see it end
        sys.print_exception(error)
        machine.reset()


if __name__ == "__main__":
    main()
