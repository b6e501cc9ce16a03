"""`/xiaozhi/ota/`: where XiaoZhi firmware asks at each start which server to talk to, and how it becomes paired.

A token is only ever told to who shows the id (`Client-Id`) with which the device was paired; the firmware draws that id
at random and tells it to no one else.
"""

from __future__ import annotations

import re
import time
from typing import Any

from aiohttp import web

from edge_memory.devices import Devices
from edge_memory.errors import DeviceKnown, EdgeMemoryError, PairingClosed
from firmware_bridge.contracts import check_id
from firmware_bridge.errors import BadRequest
from firmware_bridge.web.bodies import read_json
from firmware_bridge.web.doors import caller_of
from firmware_bridge.web.xiaozhi import SOCKET_PATH

_PATH = "/xiaozhi/ota"
_BINARY_VERSION = 1
_CHALLENGE = "lobug"  # makes the firmware ask again; what it makes of it with its maker's key is not looked at
_PATIENCE_MS = 30_000
_VERSION = re.compile(r"\d{1,6}(?:\.\d{1,6}){0,3}")  # the firmware crashes on anything else
_OLDEST = "0.0.0"
_CLIENT_ID = re.compile(r"[\x21-\x7e]{16,128}")


class OtaRoutes:
    def __init__(self, devices: Devices) -> None:
        self._devices = devices

    def routes(self) -> list[web.RouteDef]:
        paths = (_PATH, f"{_PATH}/")
        asking = [route(path, self.ask) for path in paths for route in (web.get, web.post)]
        return [*asking, web.post(f"{_PATH}/activate", self.activate)]

    async def ask(self, request: web.Request) -> web.Response:
        """Where to talk, with the token of a paired device; else with the code that the device is to show."""
        if request.method == "GET" and "Device-Id" not in request.headers:
            return web.Response(text=f"This address is for XiaoZhi firmware, which will talk at {_url(request)}\n")
        device_id, secret = _who(request)
        token, activation = await self._admitted(device_id, secret, caller_of(request).is_stranger)
        told: dict[str, Any] = {
            "server_time": _server_time(),
            "firmware": {"version": await _firmware(request), "url": ""},
            "websocket": {"url": _url(request), "token": token or "", "version": _BINARY_VERSION},
        }
        if activation is not None:
            told["activation"] = activation
        return web.json_response(told)

    async def activate(self, request: web.Request) -> web.Response:
        """200 once asking anew would bring something new: a code, or the token. 202 until then."""
        device_id, secret = _who(request)
        window = await self._devices.window()
        news = window is not None and (window.device_id is None or (window.confirmed and window.device_id == device_id))
        if not news:
            known = not caller_of(request).is_stranger
            news = known or await self._devices.token_of(device_id, secret) is not None
        return web.json_response({}, status=200 if news else 202)

    async def _admitted(
        self, device_id: str, secret: str, is_stranger: bool
    ) -> tuple[str | None, dict[str, Any] | None]:
        """The token of a device that is paired, or now becomes so; else what a stranger's device is to show."""
        token = await self._devices.token_of(device_id, secret)
        if token is not None or not is_stranger:
            return token, None
        activation = await self._activation(device_id, secret)
        return (None, activation) if activation else (await self._devices.token_of(device_id, secret), None)

    async def _activation(self, device_id: str, secret: str) -> dict[str, Any] | None:
        """What the device shows, and speaks digit by digit; None once the owner has typed its code."""
        code = ""
        try:
            code = await self._devices.admit(device_id, secret)
            if not code:
                return None
            message = f"Type this code at Lo-Bug:\n{code}"
        except PairingClosed:
            message = "On Lo-Bug's machine, run:\nlobug devices pair"
        except DeviceKnown:
            message = "It has forgotten who it was. Run:\nlobug devices pair --replace"
        except EdgeMemoryError as error:
            message = f"{error.message}\n{error.hint}"
        return {"message": message, "code": code, "challenge": _CHALLENGE, "timeout_ms": _PATIENCE_MS}


def _who(request: web.Request) -> tuple[str, str]:
    """The device's id, and its secret: empty where it has none, which strangers must have. Raises BadId, BadRequest."""
    told = request.headers.get("Client-Id", "")
    secret = told if _CLIENT_ID.fullmatch(told) else ""
    if not secret and caller_of(request).is_stranger:
        raise BadRequest("Client-Id is missing, or too short to be a secret", "send 16 to 128 visible characters")
    return check_id("Device-Id", request.headers.get("Device-Id", "")), secret


async def _firmware(request: web.Request) -> str:
    """The version that the device has, so that it sees nothing newer."""
    told: Any = await read_json(request) if request.method == "POST" and request.can_read_body else {}
    application = told.get("application") if isinstance(told, dict) else None
    version = application.get("version") if isinstance(application, dict) else None
    return version if isinstance(version, str) and _VERSION.fullmatch(version) else _OLDEST


def _server_time() -> dict[str, int]:
    now = time.time()
    return {"timestamp": int(now * 1000), "timezone_offset": (time.localtime(now).tm_gmtoff or 0) // 60}


def _url(request: web.Request) -> str:
    """The socket at the address by which the device came here, encrypted if a proxy says that the way to it is."""
    scheme = "wss" if request.headers.get("X-Forwarded-Proto") == "https" else "ws"
    host = request.headers.get("Host")
    if host is None:
        address, port, *_ = request.transport.get_extra_info("sockname") if request.transport else ("127.0.0.1", 0)
        host = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    return f"{scheme}://{host}{SOCKET_PATH}"
