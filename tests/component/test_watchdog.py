"""The watchdog's word to a service manager, over a real socket."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

from firmware_bridge.integrations.systemd import ServiceManager


async def test_a_slow_answer_is_passed_over_and_the_next_one_told(tmp_path: Path) -> None:
    asked = 0

    async def slow_once() -> None:
        nonlocal asked
        asked += 1
        if asked == 1:
            await asyncio.Event().wait()

    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(address))
        line.setblocking(False)
        manager = ServiceManager({"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "30000"})
        telling = asyncio.create_task(manager.reassure(slow_once))
        async with asyncio.timeout(240):
            told = await asyncio.get_running_loop().sock_recv(line, 100)
        telling.cancel()
    assert told == b"WATCHDOG=1"
    assert asked == 2
