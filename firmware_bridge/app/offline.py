"""Proving that nothing leaves this machine: connections to anywhere else, and questions to name servers, are refused
where Python makes them.
"""

from __future__ import annotations

import sys
from typing import Any

from firmware_bridge.addresses import is_loopback

# Audit events of CPython's module socket, by where they tell the address.
_REACHING = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_LOOKING_UP = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"})
_active = False


def forbid_outside_connections() -> None:
    """From now on this process reaches loopback only; anything else raises PermissionError. Cannot be undone."""
    global _active  # noqa: PLW0603 - an audit hook is for the life of the process, and one is enough
    if not _active:
        _active = True
        sys.addaudithook(_refuse_outside)


def _refuse_outside(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _LOOKING_UP:
        target = arguments[0]
    elif event in _REACHING and not isinstance(arguments[1], str | bytes):  # that is a unix socket's path
        target = arguments[1]
    else:
        return
    host = target[0] if isinstance(target, tuple) else target
    if host is not None and not _stays_here(host):
        raise PermissionError(f"offline: no connection to {host}")


def _stays_here(host: object) -> bool:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    return not name or is_loopback(name)
