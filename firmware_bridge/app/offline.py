"""Proving that nothing leaves this machine: connections to anywhere else are refused where Python makes them."""

from __future__ import annotations

import sys
from typing import Any

from firmware_bridge.addresses import is_loopback

_GUARDED = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"})
_active = False


def forbid_outside_connections() -> None:
    """From now on this process reaches loopback only; anything else raises PermissionError. Cannot be undone."""
    global _active  # noqa: PLW0603 - an audit hook is for the life of the process, and one is enough
    if not _active:
        _active = True
        sys.addaudithook(_refuse_outside)


def _refuse_outside(event: str, arguments: tuple[Any, ...]) -> None:
    if event not in _GUARDED:
        return
    target = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
    host = target[0] if isinstance(target, tuple) else target
    if isinstance(target, str) and event != "socket.getaddrinfo":
        return  # a unix socket's path
    if host is not None and not _stays_here(host):
        raise PermissionError(f"offline: no connection to {host}")


def _stays_here(host: object) -> bool:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    return not name or is_loopback(name)
