"""Listening for HTTP, with limits on everything that a client can send."""

from __future__ import annotations

import errno
import time
from types import TracebackType
from typing import Protocol, Self

from aiohttp import web

from edge_memory.memory import Memory
from firmware_bridge.addresses import is_everywhere, is_loopback
from firmware_bridge.crowd import Crowd
from firmware_bridge.errors import AddressInUse, BridgeError, UnsafeBind
from firmware_bridge.settings import ServerSettings
from firmware_bridge.web.bodies import LARGEST_JSON_BODY, PATIENCE
from firmware_bridge.web.completions import Chat, CompletionRoutes
from firmware_bridge.web.doors import door_keeper
from firmware_bridge.web.embeddings import EmbeddingRoutes, Models
from firmware_bridge.web.events import EventRoutes
from firmware_bridge.web.failures import failures
from firmware_bridge.web.happenings import HappeningRoutes, Happenings
from firmware_bridge.web.hosts import host_guard, keep_apart
from firmware_bridge.web.household import HouseholdRoutes
from firmware_bridge.web.mailboxes import Board
from firmware_bridge.web.measures import Measured, MetricsRoutes
from firmware_bridge.web.openai_audio import AudioRoutes
from firmware_bridge.web.openapi import DocumentRoutes
from firmware_bridge.web.page import PageRoutes
from firmware_bridge.web.pairing import PairingRoutes
from firmware_bridge.web.protocol import Runner, meet_expectation
from firmware_bridge.web.rates import rate_keeper
from firmware_bridge.web.recollections import MemoryRoutes
from firmware_bridge.web.reminders import ReminderRoutes
from firmware_bridge.web.review import ReviewRoutes
from firmware_bridge.web.talk import Companion, TalkRoutes
from firmware_bridge.web.transfer import TransferRoutes
from firmware_bridge.web.turns import TurnRoutes
from firmware_bridge.web.voice import SpokenCompanion, VoiceRoutes
from firmware_bridge.web.xiaozhi import Hall, XiaoZhiRoutes
from firmware_bridge.web.xiaozhi_ota import OtaRoutes

_SHUTDOWN_SECONDS = 10.0
_LINGER_SECONDS = 2.0  # for the rest of a body that was refused
_LONGEST_LINE, _MOST_HEADERS = 8_190, 64
_ONE_PART = 8  # of all connections, one address may have an eighth
_LOOPBACK = "127.0.0.1"


class Served(Companion, Chat, Models, Measured, Protocol):
    """All that the routes need of the running companion."""

    @property
    def voice(self) -> SpokenCompanion: ...

    @property
    def xiaozhi(self) -> Hall: ...

    @property
    def happenings(self) -> Happenings: ...


class WebSite:
    """An async context manager; inside it the companion answers at `address`.

    Raises AddressInUse, and UnsafeBind for an address that the whole network can reach.
    """

    def __init__(
        self,
        companion: Served,
        memory: Memory,
        board: Board,
        settings: ServerSettings,
        sound_seconds: float = 300.0,
        name: str = "Lo-Bug",
    ) -> None:
        """`sound_seconds`: how long a reply's sound can be fetched. `name`: what the dashboard calls the companion."""
        self._settings = settings
        self._voice_routes = VoiceRoutes(companion.voice, sound_seconds, board)
        self._devices = memory.devices
        self._app = self._application(companion, memory, board, name)
        self._runner = Runner(
            self._app,
            Crowd(settings.most_connections, settings.most_connections // _ONE_PART),
            handler_cancellation=True,
            keepalive_timeout=settings.patience_seconds,
            lingering_time=min(settings.patience_seconds, _LINGER_SECONDS),
            shutdown_timeout=_SHUTDOWN_SECONDS,
            max_line_size=_LONGEST_LINE,
            max_field_size=_LONGEST_LINE,
            max_headers=_MOST_HEADERS,
            access_log=None,
        )
        self.address = ""
        self.port = 0

    async def __aenter__(self) -> Self:
        await self._check_bind()
        await self._runner.setup()
        try:
            await self._listen(self._settings.host, self._settings.port)
        except BaseException:
            await self._runner.cleanup()
            raise
        return self

    def routes(self) -> set[tuple[str, str]]:
        """Every route by method and path pattern."""
        found = {(route.method, route.resource.canonical) for route in self._app.router.routes() if route.resource}
        return {(method, path) for method, path in found if method != "HEAD"}

    def _application(self, companion: Served, memory: Memory, board: Board, name: str) -> web.Application:
        """Every room's routes behind the guards."""
        settings = self._settings
        guards = [
            failures,
            host_guard(settings.allowed_hosts),
            door_keeper(memory.devices, settings),
            rate_keeper(settings.turns_per_minute),
        ]
        app = web.Application(middlewares=guards, client_max_size=LARGEST_JSON_BODY)
        app.on_response_prepare.append(keep_apart)
        app[PATIENCE] = settings.patience_seconds
        events, xiaozhi = EventRoutes(board), XiaoZhiRoutes(companion.xiaozhi)
        happenings = HappeningRoutes(companion.happenings)
        app.on_shutdown.extend((events.close, happenings.close, xiaozhi.close))
        rooms = (
            PageRoutes(name),
            happenings,
            TalkRoutes(companion),
            TurnRoutes(companion, memory),
            events,
            self._voice_routes,
            AudioRoutes(companion.voice),
            MemoryRoutes(memory),
            ReviewRoutes(memory),
            TransferRoutes(memory),
            HouseholdRoutes(memory, board),
            MetricsRoutes(companion),
            ReminderRoutes(memory.reminders),
            PairingRoutes(memory.devices),
            OtaRoutes(memory.devices),
            xiaozhi,
            CompletionRoutes(companion),
            EmbeddingRoutes(companion, int(time.time())),
            DocumentRoutes(),
        )
        for route in [route for room in rooms for route in room.routes()]:
            app.router.add_route(route.method, route.path, route.handler, expect_handler=meet_expectation)
        return app

    async def _check_bind(self) -> None:
        settings = self._settings
        if is_loopback(settings.host) or settings.allow_unpaired or settings.allow_pairing:
            return
        if not await self._devices.all() and not await self._devices.has_owner_key():
            raise UnsafeBind(
                f"{settings.host} can be reached from the whole network, and no device is paired yet",
                "start with --allow-pairing, then run: lobug devices pair; server.allow_unpaired lets everybody in",
            )

    async def _listen(self, host: str, port: int) -> None:
        """Also on loopback, so that programs on this machine find it wherever it listens."""
        await self._listen_on(host, port)
        bound = self._runner.addresses[0]
        self.port = int(bound[1])
        self.address = f"http://{f'[{bound[0]}]' if ':' in bound[0] else bound[0]}:{bound[1]}"
        if not is_loopback(host) and not is_everywhere(host):
            await self._listen_on(_LOOPBACK, bound[1])

    async def _listen_on(self, host: str, port: int) -> None:
        try:
            await web.TCPSite(self._runner, host, port).start()
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise AddressInUse(
                    f"port {port} on {host} is in use", "is a companion running already? else give another --port"
                ) from error
            raise BridgeError(f"cannot listen on {host}: {error.strerror}", "check server.host") from error

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._runner.cleanup()
        await self._voice_routes.aclose()
