"""Running the companion until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable

from firmware_bridge.app.cables import CabledCompanion
from firmware_bridge.app.companion import RunningCompanion
from firmware_bridge.app.offline import forbid_outside_connections
from firmware_bridge.device import SerialDoor
from firmware_bridge.integrations.mdns import Advertiser, reachable_addresses
from firmware_bridge.integrations.systemd import ServiceManager
from firmware_bridge.settings import Settings
from firmware_bridge.web import WebSite


async def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Returns after SIGINT or SIGTERM. `announce` is given the address once the companion answers there."""
    logging.basicConfig(level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    if settings.offline:
        forbid_outside_connections()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with (
        RunningCompanion(settings) as companion,
        WebSite(
            companion, companion.memory, companion.notices, settings.server, settings.speech.sound_minutes * 60
        ) as site,
        Advertiser(_announced(settings), site.port),
        SerialDoor(settings.serial, CabledCompanion(companion, companion.memory.devices), companion.notices),
    ):
        announce(site.address)
        manager = ServiceManager(os.environ)
        manager.tell("READY=1")
        reassuring = asyncio.create_task(manager.reassure(companion.memory.alive), name="watchdog")
        await stop.wait()
        reassuring.cancel()
        manager.tell("STOPPING=1")


def _announced(settings: Settings) -> list[str]:
    """Where devices are told to find it: nowhere when nothing may leave this machine."""
    return reachable_addresses(settings.server.host) if settings.server.advertise and not settings.offline else []
