"""What a process that is offline may still reach. The hook is for the life of a process, so each test has its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

_OFFLINE = "import socket; from firmware_bridge.app.offline import forbid_outside_connections as go; go(); "


def does(work: str) -> str:
    """What it says in the end, when it does this offline."""
    done = subprocess.run([sys.executable, "-c", _OFFLINE + work], capture_output=True, text=True, timeout=120)
    return done.stderr.strip().splitlines()[-1] if done.returncode else "done"


@pytest.mark.parametrize(
    "work",
    [
        "socket.create_connection(('192.0.2.1', 80), 1)",
        "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
        "socket.getaddrinfo('192.0.2.1', 80)",
        "socket.gethostbyname('192.0.2.1')",
        "socket.gethostbyaddr('192.0.2.1')",
        "socket.getnameinfo(('192.0.2.1', 80), 0)",
    ],
)
def test_nothing_outside_is_reached_or_looked_up(work: str) -> None:
    assert does(work) == "PermissionError: offline: no connection to 192.0.2.1"


def test_this_machine_is() -> None:
    listening = "a = socket.create_server(('127.0.0.1', 0)); socket.create_connection(a.getsockname(), 5)"
    talking = "b = socket.socket(socket.AF_UNIX); b.bind('\\0lobug-offline'); b.listen(); "
    talking += "socket.socket(socket.AF_UNIX).connect(b'\\0lobug-offline')"
    assert does(f"{listening}; {talking}; socket.gethostbyname('localhost')") == "done"
