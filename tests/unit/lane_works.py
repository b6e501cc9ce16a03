"""What the tests of the lane share: gates that hold it, and settling."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator

from firmware_bridge.lane import ComputeLane, Priority


class Gate:
    """Holds the lane inside a step until the test lets it go on."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self._open = threading.Event()

    def hold(self) -> None:
        self.entered.set()
        assert self._open.wait(240)

    def open(self) -> None:
        self._open.set()


async def busy(lane: ComputeLane) -> tuple[Gate, asyncio.Task[None]]:
    """The lane, caught in a step of the least urgent kind."""
    gate = Gate()
    task = asyncio.create_task(lane.run(Priority.MEMORY, gate.hold))
    await asyncio.to_thread(gate.entered.wait)
    return gate, task


def counting(name: str, steps: int, trace: list[str]) -> Callable[[], Generator[str, None, None]]:
    def make() -> Generator[str, None, None]:
        try:
            for number in range(steps):
                trace.append(f"{name}{number}")
                yield f"{name}{number}"
        finally:
            trace.append(f"{name} closed")

    return make


async def collect(
    lane: ComputeLane, priority: Priority, make: Callable[[], Generator[str, None, None]], kin: str = ""
) -> list[str]:
    return [piece async for piece in lane.stream(priority, make, kin=kin)]


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)
