"""Running the companion until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress

from firmware_bridge.app import heap
from firmware_bridge.app.cables import CabledCompanion
from firmware_bridge.app.companion import RunningCompanion
from firmware_bridge.app.logs import start_logging
from firmware_bridge.app.offline import forbid_outside_connections
from firmware_bridge.app.speed import Speed, known_speed
from firmware_bridge.device import SerialDoor
from firmware_bridge.errors import ADD_EXTRAS, BridgeError, ExtraMissing
from firmware_bridge.integrations.mdns import WYOMING_SERVICE, Advertiser, reachable_addresses
from firmware_bridge.integrations.systemd import ServiceManager
from firmware_bridge.settings import Settings
from firmware_bridge.web import WebSite

_log = logging.getLogger(__name__)
_LOOK_SECONDS = 5.0


def _cabled(settings: Settings, companion: RunningCompanion) -> CabledCompanion:
    return CabledCompanion(companion, companion.memory.devices, settings.server.turns_per_minute)


async def serve(
    settings: Settings, announce: Callable[[str], None], tell_speed: Callable[[Speed], None] | None = None
) -> None:
    """Returns after SIGINT or SIGTERM. `announce` is given the address once the companion answers there, `tell_speed`
    how fast its model is, as soon as that is known.
    """
    start_logging(settings.log_level, settings.log_format)
    if settings.offline:
        forbid_outside_connections()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with (
        RunningCompanion(settings) as companion,
        WebSite(
            companion,
            companion.memory,
            companion.notices,
            settings.server,
            settings.speech.sound_minutes * 60,
            settings.persona.name,
        ) as site,
        Advertiser(_announced(settings, settings.server.host), site.port),
        SerialDoor(settings.serial, _cabled(settings, companion), companion.notices),
        AsyncExitStack() as more,
    ):
        if settings.wyoming.enabled:
            await _open_wyoming(settings, companion, more)
        companion.memory.note_address(site.address)
        announce(site.address)
        manager = ServiceManager(os.environ)
        manager.tell("READY=1")
        beside = [asyncio.create_task(manager.reassure(companion.memory.alive), name="watchdog")]
        beside.append(asyncio.create_task(_end_if_it_hangs(companion), name="watch over the model"))
        beside.append(asyncio.create_task(_settle_heap(companion), name="heap"))
        if tell_speed is not None:
            beside.append(asyncio.create_task(_find_speed(settings, companion, tell_speed), name="speed"))
        await stop.wait()
        for task in beside:
            task.cancel()
        manager.tell("STOPPING=1")


async def _settle_heap(companion: RunningCompanion) -> None:
    with suppress(BridgeError):  # without a model all else is there
        await companion.chat_model()
    heap.settle()


async def _find_speed(settings: Settings, companion: RunningCompanion, tell: Callable[[Speed], None]) -> None:
    with suppress(BridgeError):  # without a model there is no speed, and the log says why there is none
        model = await companion.chat_model()
        name = next(state.name for state in companion.models() if state.role == "chat")
        if (speed := await known_speed(model, name, settings.cache_dir)) is not None:
            tell(speed)


async def _end_if_it_hangs(companion: RunningCompanion) -> None:
    """A native call cannot be ended, only the process; a service manager starts a new one."""
    while not companion.hangs:  # noqa: ASYNC110 - the thread that hangs sets no event
        await asyncio.sleep(_LOOK_SECONDS)
    _log.critical("the model hangs in its library: the companion ends, so that it can be started again")
    os._exit(1)


async def _open_wyoming(settings: Settings, companion: RunningCompanion, stack: AsyncExitStack) -> None:
    """Until the stack ends. Raises ExtraMissing, AddressInUse and UnsafeBind."""
    try:
        from firmware_bridge.integrations.wyoming import WyomingDoor
    except ImportError as error:
        raise ExtraMissing("the library wyoming is not installed", ADD_EXTRAS) from error
    door = await stack.enter_async_context(
        WyomingDoor(
            settings.wyoming,
            companion,
            settings.persona.name,
            settings.speech.language,
            settings.turn.max_text_characters,
            trust_loopback=settings.server.trust_loopback,
        )
    )
    _log.info("Wyoming clients are met at %s:%d", settings.wyoming.host, door.port)
    addresses = _announced(settings, settings.wyoming.host)
    await stack.enter_async_context(Advertiser(addresses, door.port, WYOMING_SERVICE))


def _announced(settings: Settings, host: str) -> list[str]:
    """Where what listens on `host` is told to be found: nowhere when nothing may leave this machine."""
    return reachable_addresses(host) if settings.server.advertise and not settings.offline else []
