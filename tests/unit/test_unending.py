"""Work beside the turns, and what may break in it."""

from __future__ import annotations

import asyncio

import pytest

from edge_memory.errors import StoreInUse
from firmware_bridge.app.unending import unending


async def test_work_goes_on_after_whatever_broke(caplog: pytest.LogCaptureFixture) -> None:
    failures = iter([StoreInUse("another process writes"), RuntimeError("a library gave up")])
    goes_on = asyncio.Event()

    async def work() -> None:
        if (failure := next(failures, None)) is not None:
            raise failure
        goes_on.set()
        await asyncio.Event().wait()

    working = asyncio.create_task(unending("the work", work, pause=0.0))
    await goes_on.wait()
    working.cancel()
    await asyncio.wait([working])

    assert working.cancelled()
    assert [record.getMessage() for record in caplog.records] == [
        "the work waits: another process writes",
        "the work broke off and begins again in 0.0 s",
    ]
