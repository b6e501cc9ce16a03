"""The watchdog's word to a service manager, over a real socket."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from edge_memory.errors import StoreInUse
from firmware_bridge.integrations.systemd import ServiceManager


async def hang() -> None:
    await asyncio.Event().wait()


async def fail() -> None:
    raise StoreInUse("another process writes", "wait")


@pytest.mark.parametrize("at_first", [hang, fail])
async def test_an_answer_that_fails_is_passed_over_and_the_next_one_told(
    tmp_path: Path, at_first: Callable[[], Awaitable[None]]
) -> None:
    asked = 0

    async def alive() -> None:
        nonlocal asked
        asked += 1
        if asked == 1:
            await at_first()

    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(address))
        line.setblocking(False)
        manager = ServiceManager({"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "30000"})
        telling = asyncio.create_task(manager.reassure(alive))
        async with asyncio.timeout(240):
            told = await asyncio.get_running_loop().sock_recv(line, 100)
        telling.cancel()
    assert told == b"WATCHDOG=1"
    assert asked == 2
