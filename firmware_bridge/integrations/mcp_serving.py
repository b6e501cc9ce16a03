"""Speaking MCP: over stdin and stdout with whoever started this process, or over HTTP with programs on this machine:
any of them, or where `server.trust_loopback` is off, those that send the owner's key."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from firmware_bridge.errors import AddressInUse, BridgeError, NotPaired
from firmware_bridge.integrations.mcp_tools import OpenMemory, memory_server

_LOOPBACK = "127.0.0.1"
_PATH = "/mcp"
_LARGEST_BODY = 256 * 1024
# A web page that the user looks at can send requests here, too: it is known by the names it uses.
_NAMES = TransportSecuritySettings(
    allowed_hosts=["127.0.0.1:*", "localhost:*"],
    allowed_origins=["http://127.0.0.1:*", "http://localhost:*"],
)


async def speak(open_memory: OpenMemory, version: str) -> None:
    """Over stdin and stdout, until stdin ends."""
    await memory_server(open_memory, version).run_stdio_async()


async def listen(
    open_memory: OpenMemory, version: str, port: int, announce: Callable[[str], None], *, trust_loopback: bool
) -> None:
    """Over HTTP, on loopback only, until SIGINT or SIGTERM. `announce` is given the URL. Raises AddressInUse."""
    app: ASGIApp = memory_server(open_memory, version).streamable_http_app(
        streamable_http_path=_PATH,
        stateless_http=True,
        json_response=True,
        max_request_body_size=_LARGEST_BODY,
        transport_security=_NAMES,
        host=_LOOPBACK,
    )
    if not trust_loopback:
        app = OwnersOnly(app, open_memory)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        _bind(listener, port)
        announce(f"http://{_LOOPBACK}:{listener.getsockname()[1]}{_PATH}")
        await uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).serve(sockets=[listener])


class OwnersOnly:
    """Answers 401 to requests without the owner's key."""

    def __init__(self, app: ASGIApp, open_memory: OpenMemory) -> None:
        self._app = app
        self._open_memory = open_memory

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if scope["type"] != "lifespan" and not await self._is_owner(Headers(scope=scope)):
            error = NotPaired(
                "this is for the owner: server.trust_loopback is off",
                "send Authorization: Bearer KEY, with the key of `lobug dashboard --key`",
            )
            told = {"error": {"code": error.code, "message": error.message, "hint": error.hint}}
            app = JSONResponse(told, error.status, {"WWW-Authenticate": "Bearer"})
        await app(scope, receive, send)

    async def _is_owner(self, headers: Headers) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return False
        async with self._open_memory() as memory:
            return await memory.devices.is_owner_key(token.strip())


def _bind(listener: socket.socket, port: int) -> None:
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_LOOPBACK, port))
        listener.listen()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise AddressInUse(
                f"port {port} is in use", "is `lobug mcp` running already? else give another --port"
            ) from error
        raise BridgeError(f"cannot listen on port {port}: {error.strerror}", "give another --port") from error
