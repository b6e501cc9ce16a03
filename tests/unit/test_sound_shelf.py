"""The sounds of replies go after their time."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest

from firmware_bridge.contracts import ReplySound, Sound, VoiceEvent
from firmware_bridge.errors import SoundNotFound
from firmware_bridge.web.spoken_replies import ReplyRecord, SoundShelf


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_sound_is_kept_for_its_time_and_no_longer() -> None:
    clock, record = Clock(), ReplyRecord("desk", lambda *_: 0)
    shelf = SoundShelf(300.0, clock)
    shelf.put("t1", record)
    clock.now = 299.0
    assert shelf.find("t1", lambda owner: owner == "desk") is record
    clock.now = 300.0
    with pytest.raises(SoundNotFound):
        shelf.find("t1", lambda _: True)


def test_of_many_sounds_the_newest_are_kept() -> None:
    shelf = SoundShelf(300.0, Clock())
    for number in range(65):
        shelf.put(f"t{number}", ReplyRecord(None, lambda *_: 0))
    with pytest.raises(SoundNotFound):
        shelf.find("t0", lambda _: True)
    assert shelf.find("t64", lambda _: True)


async def test_of_long_sounds_fewer_are_kept_but_always_the_newest() -> None:
    async def said(megabytes: int) -> AsyncGenerator[VoiceEvent]:
        yield ReplySound(Sound(bytes(megabytes << 20), 22_050))

    shelf = SoundShelf(300.0, Clock())
    for turn_id, megabytes in (("t0", 6), ("t1", 6), ("t2", 6), ("t3", 20)):
        record = ReplyRecord(None, lambda *_: 0)
        await record.drain(said(megabytes))
        shelf.put(turn_id, record)
        assert shelf.find(turn_id, lambda _: True) is record
        if turn_id == "t2":  # 18 MB: the oldest went
            assert shelf.find("t1", lambda _: True)
            with pytest.raises(SoundNotFound):
                shelf.find("t0", lambda _: True)
    with pytest.raises(SoundNotFound):
        shelf.find("t2", lambda _: True)
