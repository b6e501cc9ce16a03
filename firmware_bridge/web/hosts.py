"""Refusing requests that a web page made a browser send: by the name they call us, and by where they come from."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

_OWN = ("same-origin", "none")  # "none": typed, or a bookmark
_APART = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}


def host_guard(allowed: Iterable[str]) -> Middleware:
    """A middleware that answers 421 unless Host is an address, this machine's name or an allowed one,
    and the same to what a foreign page asks for. A name that points here by DNS rebinding is neither. Browsers always
    send Host; HTTP/1.0 clients may leave it out.
    """
    machine = socket.gethostname().lower()
    names = {"localhost", machine, f"{machine}.local", *(name.lower() for name in allowed)}

    def known(host: str) -> bool:
        name = _parts(f"//{host}").hostname or ""
        return name.lower() in names or _is_address(name)

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not known(request.headers.get("Host", "localhost")) or _is_foreign(request):
            raise web.HTTPMisdirectedRequest(reason="not a name that this companion answers to")
        return await handler(request)

    return guard


async def keep_apart(_: web.Request, response: web.StreamResponse) -> None:
    """Tells browsers that no other page may have any part of an answer. A signal, so that streams are told so, too."""
    response.headers.update(_APART)


def _is_foreign(request: web.Request) -> bool:
    """Whether a page of another origin has the browser ask. Images, scripts and frames have no Origin, but browsers say
    of each where it comes from. A link to the dashboard may stand anywhere.
    """
    origin = request.headers.get("Origin")
    if origin is not None and _parts(origin).netloc != request.host:
        return True
    is_link = request.headers.get("Sec-Fetch-Dest") == "document" and request.method == "GET" and request.path == "/"
    return request.headers.get("Sec-Fetch-Site", "none") not in _OWN and not is_link


def _parts(address: str) -> SplitResult:
    """Of what is no address, none: it names nobody."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
