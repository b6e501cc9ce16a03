"""Refusing requests that a web page made a browser send: by the name they call us, and by where they come from."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from aiohttp import web

from firmware_bridge.web.failures import Handler


def host_guard(allowed: Iterable[str]) -> web.middleware:  # type: ignore[valid-type]  # aiohttp's marker is a function
    """A middleware that answers 421 unless Host is an address, this machine's name or an allowed one,
    and the same for a foreign Origin. A name that points here by DNS rebinding is neither. Browsers always send Host;
    HTTP/1.0 clients may leave it out.
    """
    machine = socket.gethostname().lower()
    names = {"localhost", machine, f"{machine}.local", *(name.lower() for name in allowed)}

    def known(host: str) -> bool:
        name = urlsplit(f"//{host}").hostname or ""
        return name.lower() in names or _is_address(name)

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        foreign = origin is not None and urlsplit(origin).netloc != request.host
        if not known(request.headers.get("Host", "localhost")) or foreign:
            raise web.HTTPMisdirectedRequest(reason="not a name that this companion answers to")
        return await handler(request)

    return guard


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
