"""`/xiaozhi/v1/`: the socket that stock XiaoZhi firmware talks over."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractAsyncContextManager, suppress
from typing import Protocol

from aiohttp import WSCloseCode, WSMsgType, web

from edge_memory.errors import EdgeMemoryError
from firmware_bridge.contracts import Heard, check_id
from firmware_bridge.errors import BridgeError
from firmware_bridge.web.doors import caller_of, still_welcome

_log = logging.getLogger(__name__)
SOCKET_PATH = "/xiaozhi/v1/"
_LARGEST_MESSAGE = 64 * 1024
_HEARTBEAT_SECONDS = 20.0
_GOODBYE_SECONDS = 2.0
_LOOK_SECONDS = 1.0
_SENDING_SECONDS = 10.0  # a device that takes nothing for so long is gone


class Talk(Protocol):
    async def take(self, message: str | bytes) -> None:
        """A text or a binary message of the device."""

    def part(self) -> None:
        """The device ends the talk."""


class Hall(Protocol):
    def talk(self, visitor: Heard, line: SocketLine) -> AbstractAsyncContextManager[Talk]:
        """Raises SpeechMissing."""


class SocketLine:
    """The device's end of a socket. What is sent when it has gone is lost without an error."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket

    async def send_text(self, text: str) -> None:
        await self._send(text)

    async def send_binary(self, data: bytes) -> None:
        await self._send(data)

    async def close(self) -> None:
        await self._socket.close(code=WSCloseCode.OK)

    async def _send(self, message: str | bytes) -> None:
        if self._socket.closed:
            return
        try:
            async with asyncio.timeout(_SENDING_SECONDS):
                if isinstance(message, str):
                    await self._socket.send_str(message)
                else:
                    await self._socket.send_bytes(message)
        except TimeoutError:
            await self.close()
        except ConnectionError:
            pass  # the reader of the socket sees it, too, and ends the talk


class XiaoZhiRoutes:
    """After `close`, every talk is ended."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._open: set[SocketLine] = set()

    def routes(self) -> list[web.RouteDef]:
        return [web.get(SOCKET_PATH, self.socket)]

    async def close(self, _: web.Application) -> None:
        await asyncio.gather(*(line.close() for line in list(self._open)))

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """A paired device talks in its own conversation; one of this machine for the owner, in one named after it. The
        talk of a device that is locked out ends.
        """
        visitor = _visitor(request)
        socket = web.WebSocketResponse(
            heartbeat=_HEARTBEAT_SECONDS, max_msg_size=_LARGEST_MESSAGE, compress=False, timeout=_GOODBYE_SECONDS
        )
        await socket.prepare(request)
        line = SocketLine(socket)
        self._open.add(line)
        watching = asyncio.create_task(_watch(request, line), name=f"whether {visitor.device_id} is still welcome")
        try:
            async with self._hall.talk(visitor, line) as talk:
                while (message := await socket.receive()).type in (WSMsgType.TEXT, WSMsgType.BINARY):
                    await talk.take(message.data)
                    await asyncio.sleep(0)  # others have their turn, however many wait here
                if message.type is WSMsgType.CLOSE:
                    talk.part()
        except BridgeError as error:
            _log.info("no talk with %s: %s", visitor.device_id, error.message)
        finally:
            watching.cancel()
            self._open.discard(line)
            await line.close()
        return socket


async def _watch(request: web.Request, line: SocketLine) -> None:
    with suppress(EdgeMemoryError):  # who cannot be looked up is not let stay
        while await still_welcome(request):  # noqa: ASYNC110 - another process may have done it
            await asyncio.sleep(_LOOK_SECONDS)
    await line.close()


def _visitor(request: web.Request) -> Heard:
    """Whose device it is. Clients in browsers tell their id in the query. Raises OtherDevice, BadId."""
    caller = caller_of(request)
    named = request.headers.get("Device-Id") or request.query.get("device-id")
    device_id = check_id("Device-Id", caller.device_or_any(named))
    return caller.heard("", None if caller.device else device_id, device_id)
