"""The place of a model that may come later."""

from __future__ import annotations

import pytest

from firmware_bridge.app.models import Slot, TalkingModel
from firmware_bridge.errors import WeightsMissing


async def test_a_model_that_stays_away_is_told_to_the_log_once(caplog: pytest.LogCaptureFixture) -> None:
    slot: Slot[TalkingModel] = Slot("chat", "none")
    for told in ("no file", "no file", "no file", "half a file"):

        async def missing(told: str = told) -> TalkingModel:
            raise WeightsMissing(told, "get it")

        await slot.fill(missing)
        assert slot.shown().detail == told
    assert [record.getMessage() for record in caplog.records] == [
        "no chat model: no file (get it)",
        "no chat model: half a file (get it)",
    ]
