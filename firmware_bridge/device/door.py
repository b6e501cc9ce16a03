"""The cables: opens the ports that there are, and again when they come back."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_bridge.device.companion import Companion
from firmware_bridge.device.link import Attached, SerialLink
from firmware_bridge.device.notices import NoticeBoard
from firmware_bridge.device.port import SerialPort
from firmware_bridge.device.ports import known_ports
from firmware_bridge.errors import CableLost, PortUnusable
from firmware_bridge.settings import SerialSettings

_log = logging.getLogger(__name__)
AUTO = "auto"
_LOOK_SECONDS, _DISCOVER_SECONDS = 0.2, 1.0
_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS = 0.2, 1.0
_LEAVE_ALONE_SECONDS = 30.0


class SerialDoor:
    """An async context manager. Inside it, devices on the wanted ports are talked with, whenever they are plugged in.

    Ports that are named are hailed. With `auto`, USB ports of the usual makers are only listened to until a device
    says hello, and left to others for a while if none does.
    """

    def __init__(self, settings: SerialSettings, companion: Companion, board: NoticeBoard) -> None:
        self._settings = settings
        self._companion = companion
        self._board = board
        self._attached = Attached()
        self._open: set[str] = set()
        self._recognised: set[str] = set()
        self._not_before: dict[str, float] = {}
        self._discovered: list[str] = []
        self._discover_at = 0.0
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._settings.ports:
            self._task = asyncio.create_task(self._watch(), name="serial ports")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def devices(self) -> frozenset[str]:
        """The ids of the devices that are linked now."""
        return frozenset(self._attached.ids)

    async def _watch(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            while True:
                try:
                    for path in await self._wanted():
                        due = self._not_before.get(path, 0.0) <= time.monotonic()
                        if path not in self._open and due and _is_here(path):
                            self._open.add(path)
                            tasks.create_task(self._serve(path), name=f"serial port {path}")
                except Exception:  # noqa: BLE001 - the ports that are open go on
                    _log.exception("the serial ports could not be looked for")
                await asyncio.sleep(_LOOK_SECONDS)

    async def _wanted(self) -> list[str]:
        named = [path for path in self._settings.ports if path != AUTO]
        if len(named) == len(self._settings.ports):
            return named
        if time.monotonic() >= self._discover_at:
            self._discover_at = time.monotonic() + _DISCOVER_SECONDS
            self._discovered = [port.path for port in await asyncio.to_thread(known_ports) if port.likely]
            self._not_before = {path: at for path, at in self._not_before.items() if _is_here(path)}
        return [*named, *(path for path in self._discovered if path not in named)]

    async def _serve(self, path: str) -> None:
        hail = path in self._settings.ports or path in self._recognised
        wait = _FIRST_WAIT_SECONDS
        try:
            while _is_here(path):
                try:
                    async with SerialPort(path, self._settings.baud) as port:
                        link = SerialLink(port, self._companion, self._board, self._attached, hail=hail)
                        await self._run(link, path)
                        return
                except PortUnusable as error:
                    _log.log(logging.WARNING if wait == _FIRST_WAIT_SECONDS else logging.DEBUG, "%s", error.message)
                    await asyncio.sleep(wait)
                    wait = min(wait * 2, _LONGEST_WAIT_SECONDS)
                except Exception:  # noqa: BLE001 - one cable's trouble must end neither it nor the others
                    _log.exception("%s: internal error; it is opened again", path)
                    await asyncio.sleep(_LONGEST_WAIT_SECONDS)
        finally:
            self._open.discard(path)

    async def _run(self, link: SerialLink, path: str) -> None:
        try:
            await link.run()
            self._not_before[path] = time.monotonic() + _LEAVE_ALONE_SECONDS
        except CableLost as error:
            _log.info("%s", error.message)
        finally:
            if link.recognised:
                self._recognised.add(path)


def _is_here(path: str) -> bool:
    return Path(path).exists()
