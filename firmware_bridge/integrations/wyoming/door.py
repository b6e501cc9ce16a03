"""Listening for Wyoming clients. The protocol has no tokens: who may connect is known by address."""

from __future__ import annotations

import asyncio
import errno
import logging
from types import TracebackType
from typing import Self

from firmware_bridge.addresses import is_loopback, is_within
from firmware_bridge.crowd import Crowd
from firmware_bridge.errors import AddressInUse, BridgeError, UnsafeBind
from firmware_bridge.integrations.wyoming.line import PATIENCE_SECONDS, EventLine
from firmware_bridge.integrations.wyoming.session import Companion, WyomingSession
from firmware_bridge.settings import WyomingSettings

_log = logging.getLogger(__name__)
_ONE_PART = 4  # of all connections, one address may have a quarter
_LEAVING_SECONDS = 5.0


class WyomingDoor:
    """An async context manager; inside it clients are met at `port`, as the owner: those of `wyoming.clients`, and this
    machine's own where `trust_loopback` says so.

    Raises AddressInUse, and UnsafeBind where `wyoming.clients` names nobody, and not only trusted programs can connect.
    """

    def __init__(
        self,
        settings: WyomingSettings,
        companion: Companion,
        persona: str,
        language: str,
        longest_text: int,
        patience: float = PATIENCE_SECONDS,
        *,
        trust_loopback: bool = True,
    ) -> None:
        self._settings = settings
        self._companion = companion
        self._told = (persona, language, longest_text)
        self._patience = patience
        self._trust_loopback = trust_loopback
        self._crowd = Crowd(settings.most_connections, settings.most_connections // _ONE_PART)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    async def __aenter__(self) -> Self:
        host, port = self._settings.host, self._settings.port
        if not self._settings.clients and not (self._trust_loopback and is_loopback(host)):
            who = "this machine (server.trust_loopback is off)" if is_loopback(host) else "the whole network"
            raise UnsafeBind(
                f"wyoming.host {host} can be reached from {who}, and Wyoming has no tokens",
                "name who may connect in wyoming.clients, such as Home Assistant's address",
            )
        try:
            self._server = await asyncio.start_server(self._meet, host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise AddressInUse(f"port {port} on {host} is in use", "give another wyoming.port") from error
            raise BridgeError(f"cannot listen on {host}: {error.strerror}", "check wyoming.host") from error
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_LEAVING_SECONDS)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        address = (writer.get_extra_info("peername") or ("",))[0]
        line = EventLine(reader, writer, self._patience)
        try:
            if not self._may_connect(address):
                _log.warning("%s is not among wyoming.clients", address)
            elif not self._crowd.enter(address):
                _log.warning("no room for another Wyoming connection from %s", address)
            else:
                try:
                    await WyomingSession(line, self._companion, *self._told).run()
                    await line.aclose()
                finally:
                    self._crowd.leave(address)
        finally:
            self._tasks.discard(task)
            writer.transport.abort()

    def _may_connect(self, address: str) -> bool:
        return (self._trust_loopback and is_loopback(address)) or is_within(address, self._settings.clients)
