"""What is owed to a model that came late is done, though it failed at first."""

from __future__ import annotations

import pytest

from edge_memory.errors import StoreInUse
from firmware_bridge.app.latecomers import Latecomers


async def test_what_failed_is_tried_again_until_it_succeeds_and_not_after_that() -> None:
    comes, tries = iter([False, True, False, False]), []

    async def came() -> bool:
        return next(comes)

    async def prepare() -> None:
        tries.append(True)
        if len(tries) == 1:
            raise StoreInUse("the file is in use", "wait")

    latecomers = Latecomers(came, prepare)
    await latecomers.look()
    assert not tries
    with pytest.raises(StoreInUse):
        await latecomers.look()
    await latecomers.look()
    await latecomers.look()
    assert len(tries) == 2
