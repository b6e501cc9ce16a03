"""HTTP below any route: the way of small devices is met, and what is broken is told in the same form as every other
error, never with what was sent.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import suppress
from typing import Any

from aiohttp import HttpVersion11, web
from aiohttp.http_exceptions import LineTooLong
from aiohttp.web_protocol import RequestHandler

from firmware_bridge.crowd import Crowd
from firmware_bridge.web.failures import body
from firmware_bridge.web.opening import Opening

_log = logging.getLogger(__name__)
_STOCK_LOG = logging.getLogger("aiohttp.server")  # its tracebacks quote the request, and with it what people said
_UNREAD_SECONDS = 30  # a device that reads nothing of what it is sent for so long has gone
_LONGEST_PAUSE_SECONDS = 1.0  # between the packets of one small request


_LEFT_SECONDS, _LOOK_SECONDS = 1.0, 0.05
_LEAVING: set[asyncio.Task[None]] = set()


class _Connection(RequestHandler):
    __slots__ = ("_address", "_crowd", "_opening", "_pause")

    def __init__(self, server: _Server, crowd: Crowd, **stock: Any) -> None:
        super().__init__(server, **stock)
        self._crowd = crowd
        self._address: str | None = None
        self._opening: Opening | None = Opening()
        self._pause: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        _notice_absence(transport.get_extra_info("socket"))
        address = (transport.get_extra_info("peername") or ("",))[0]
        if self._crowd.enter(address):
            self._address = address
        else:
            _log.warning("no room for another connection from %s", address)
            self.force_close()

    def data_received(self, data: bytes) -> None:
        if self._opening is None:
            super().data_received(data)
        else:
            self._open(self._opening.feed(data))

    def eof_received(self) -> None:
        self._hold_no_longer()
        super().eof_received()

    def connection_lost(self, exc: BaseException | None) -> None:
        """As of aiohttp, which lets go of what was sent and not read yet, and ends what answers it. A body that came
        whole is read before that: who sends a recording and leaves has said it.
        """
        if self._pause is not None:
            self._pause.cancel()
        if self._address is not None:
            self._crowd.leave(self._address)
        request, answering = self._current_request, self._task_handler
        if request is not None and answering is not None and request.body_exists and request.content.is_eof():
            self._current_request = self._task_handler = None
            leaving = self._loop.create_task(_leave(request, answering), name="who left")
            _LEAVING.add(leaving)
            leaving.add_done_callback(_LEAVING.discard)
        super().connection_lost(exc)

    def _open(self, ready: bytes) -> None:
        if self._pause is not None:
            self._pause.cancel()
        if ready:
            self._opening = None
            super().data_received(ready)
        else:
            self._pause = self._loop.call_later(_LONGEST_PAUSE_SECONDS, self._hold_no_longer)

    def _hold_no_longer(self) -> None:
        if self._opening is not None and (held := self._opening.rest()):
            self._open(held)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """As of aiohttp, which calls this for what its parser refuses."""
        _log.info("a request from %s was not HTTP: %s", request.remote, type(exc).__name__)
        if request.writer.output_size > 0:
            raise ConnectionError("the answer is on its way already")
        hint = "check method, headers and framing of the request"
        if isinstance(exc, LineTooLong):
            hint = "a line of its head is too long: keep address and headers under 8 kB each"
        response = web.json_response(body("bad_http", "this is not a request that HTTP allows", hint), status=status)
        response.force_close()
        return response


async def _leave(request: web.BaseRequest, answering: asyncio.Task[None]) -> None:
    """Ends what answers a request once it had time to begin with the body."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_UNREAD_SECONDS):
            while not (request.content.at_eof() or answering.done()):  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(_LOOK_SECONDS)
    await asyncio.wait({answering}, timeout=_LEFT_SECONDS)
    answering.cancel()


def _notice_absence(connection: socket.socket) -> None:
    """The kernel ends a connection whose other end was switched off, or does not read, where it knows how to."""
    for option, seconds in (("TCP_KEEPIDLE", _UNREAD_SECONDS), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), seconds)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNREAD_SECONDS * 1_000)


class _Server(web.Server):
    crowd: Crowd

    def __call__(self) -> RequestHandler:
        return _Connection(self, self.crowd, loop=self._loop, **self._kwargs)


class Runner(web.AppRunner):
    """aiohttp's runner whose connections are counted, and answer broken HTTP in our form."""

    def __init__(self, app: web.Application, crowd: Crowd, **stock: Any) -> None:
        super().__init__(app, **stock)
        self._crowd = crowd

    async def _make_server(self) -> web.Server:
        _STOCK_LOG.setLevel(logging.CRITICAL)
        stock = await super()._make_server()
        server = _Server(
            stock.request_handler,
            request_factory=stock.request_factory,
            handler_cancellation=stock.handler_cancellation,
            loop=stock._loop,
            **stock._kwargs,
        )
        server.crowd = self._crowd
        return server


async def meet_expectation(request: web.Request) -> web.StreamResponse | None:
    """For `Expect` headers: 100-continue is met, anything else refused in our form."""
    if request.headers["Expect"].lower() != "100-continue":
        told = body("unknown_expectation", "this expectation cannot be met", "send 100-continue, or no Expect header")
        return web.json_response(told, status=417)
    if request.version == HttpVersion11:
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0  # the interim answer is not the beginning of the real one
    return None
