"""Waiting until the lane works at something."""

from __future__ import annotations

import asyncio

from firmware_bridge.lane import ComputeLane, Priority


async def begun(lane: ComputeLane, priority: Priority) -> None:
    """Until such work is well in its first step."""
    while not lane.waiting().get(priority):
        await asyncio.sleep(0)
    await asyncio.sleep(0.02)
