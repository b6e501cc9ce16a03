#!/usr/bin/env -S .venv/bin/python
"""What the device's code under MicroPython shows while it talks to a companion of its own: by cable, then over HTTP.

usage: show_device.py [options of `lobug serve`, such as --profile small]
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import prove_cable

from firmware_bridge.device.pty_cable import PtyCable

_LOBUG = Path(sys.executable).with_name("lobug")
_SAID = {
    "cable": ("my cat is called Miso", "remind me in two seconds to feed Miso"),
    "http": ("what is my cat called", "what are my reminders", "timer three seconds"),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        flash = prove_cable.install(Path(folder) / "flash")
        with PtyCable(Path(folder) / "usb0") as cable:
            port = _free_port()
            companion = _serve(Path(folder), port, cable.host_port)
            try:
                _wait_for(port)
                _show("--cable PORT", flash, "--cable", cable.device_port, said=_SAID["cable"])
                _show("--url URL", flash, "--url", f"http://127.0.0.1:{port}", said=_SAID["http"])
            finally:
                companion.terminate()
                companion.wait()


def _serve(folder: Path, port: int, cable: str) -> subprocess.Popen[bytes]:
    command = [str(_LOBUG), "serve", "--data-dir", str(folder / "data"), "--port", str(port), *sys.argv[1:]]
    environment = os.environ | {"LOBUG_SERIAL__PORTS": cable, "LOBUG_SPEECH__ENABLED": "off"}
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def _wait_for(port: int) -> None:
    """Until the companion answers; turns wait for its model by themselves."""
    for _ in range(120):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.5)
        else:
            return
    sys.exit("the companion did not start")


def _show(title: str, flash: Path, *arguments: str, said: tuple[str, ...]) -> None:
    print(f"$ micropython -m lobug.desk {title} --linger 5000")
    device = prove_cable.start_device(flash, *arguments, "--linger", "5000")
    told, _ = device.communicate("".join(f"{line}\n" for line in said), timeout=120)
    print(told)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
