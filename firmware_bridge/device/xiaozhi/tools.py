"""The tools that a device offers over MCP: here the companion is the client, and the socket carries JSON-RPC."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from edge_memory.store.sensors import Reading
from firmware_bridge.errors import BadMessage, DeviceSilent

_log = logging.getLogger(__name__)
_PROTOCOL = "2024-11-05"
_PATIENCE_SECONDS = 10.0
_MOST_PAGES = 16
STATUS, SET_VOLUME = "self.get_device_status", "self.audio_speaker.set_volume"
_READINGS = {  # our name, and where the status holds it; the heat of the chip would be taken for the room's
    "battery": ("battery", "level"),
    "charging": ("battery", "charging"),
    "volume": ("audio_speaker", "volume"),
    "wifi_signal": ("network", "signal"),
}


class DeviceTools:
    """`send` is given the payload of an `mcp` message; every payload that comes back goes to `take`."""

    def __init__(self, send: Callable[[Mapping[str, Any]], Awaitable[None]]) -> None:
        self._send = send
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self.names: frozenset[str] = frozenset()

    def take(self, payload: Mapping[str, Any]) -> None:
        """Answers that nobody waits for, requests and notifications are let go."""
        number = payload.get("id")
        waiting = self._waiting.get(number) if isinstance(number, int) else None
        if waiting is not None and not waiting.done():
            waiting.set_result(payload)

    async def discover(self) -> None:
        """Fills `names`. Raises BadMessage, DeviceSilent."""
        about = {"name": "lobug", "version": "1"}
        seeing = {"vision": {"url": "", "token": ""}}  # clients look for it without asking whether it is there
        await self._ask("initialize", {"protocolVersion": _PROTOCOL, "capabilities": seeing, "clientInfo": about})
        await self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        names: set[str] = set()
        cursor = ""
        for _ in range(_MOST_PAGES):
            page = await self._ask("tools/list", {"cursor": cursor, "withUserTools": False})
            tools = page.get("tools")
            if not isinstance(tools, list):
                raise BadMessage("a list of tools without tools", "see docs/mcp-protocol.md of the firmware")
            names |= {tool["name"] for tool in tools if isinstance(tool, dict) and isinstance(tool.get("name"), str)}
            cursor = page.get("nextCursor", "")
            if not isinstance(cursor, str) or not cursor:
                break
        self.names = frozenset(names)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The text that a tool answers. Raises BadMessage for an error, DeviceSilent."""
        result = await self._ask("tools/call", {"name": name, "arguments": dict(arguments)})
        content = result.get("content")
        first = content[0] if isinstance(content, list) and content else {}
        if result.get("isError") or not isinstance(first, dict):
            raise BadMessage(f"the device's tool {name} failed", "its log may say why")
        return str(first.get("text", ""))

    async def status(self) -> dict[str, Reading]:
        """What the device tells of itself, by our names of readings. Raises BadMessage, DeviceSilent."""
        try:
            told = json.loads(await self.call(STATUS, {}))
        except (ValueError, RecursionError) as error:
            raise BadMessage("a status that is not JSON", "see docs/mcp-usage.md of the firmware") from error
        return readings_of(told)

    async def _ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            await self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)})
            async with asyncio.timeout(_PATIENCE_SECONDS):
                told = await answer
        except TimeoutError as error:
            raise DeviceSilent(f"the device does not answer {method}", "its firmware may have no MCP") from error
        finally:
            del self._waiting[number]
        result = told.get("result")
        if not isinstance(result, dict):
            raise BadMessage(f"the device refused {method}", "its log may say why")
        return result


def readings_of(status: Any) -> dict[str, Reading]:
    """The readings in a status, and whatever of it is not there is left out."""
    found: dict[str, Reading] = {}
    for name, (part, field) in _READINGS.items():
        inner = status.get(part) if isinstance(status, dict) else None
        value = inner.get(field) if isinstance(inner, dict) else None
        if isinstance(value, (bool, int, float)) or (isinstance(value, str) and 0 < len(value) <= 40):
            found[name] = value
    return found
