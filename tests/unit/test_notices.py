"""Notices to devices: to one or to all, bounded, sound dropped before words."""

from __future__ import annotations

import asyncio

from firmware_bridge.contracts import Expression, PlayAudio, SetVolume, ShowFace
from firmware_bridge.device import NoticeBoard


async def test_a_notice_reaches_its_device_on_every_transport_and_no_other() -> None:
    board = NoticeBoard()
    with board.listen("desk") as cable, board.listen("desk") as wifi, board.listen("bed") as other:
        assert board.post(ShowFace(Expression.HAPPY), "desk") == 2
        assert board.post(SetVolume(30)) == 3
        assert await cable.next() == await wifi.next() == ShowFace(Expression.HAPPY)
        assert await other.next() == SetVolume(30)
    assert board.post(SetVolume(30)) == 0
    assert board.heard_by() == frozenset()


async def test_whoever_waits_is_woken() -> None:
    board = NoticeBoard()
    with board.listen("desk") as ear:
        waiting = asyncio.create_task(ear.next())
        await asyncio.sleep(0)
        board.post(SetVolume(5))
        assert await waiting == SetVolume(5)


async def test_a_deaf_device_loses_sound_first() -> None:
    board = NoticeBoard()
    with board.listen("desk") as ear:
        board.post(SetVolume(1))
        for number in range(300):
            board.post(PlayAudio(bytes([number % 256, 0]), 16_000))
        board.post(SetVolume(2))
        told = [await ear.next() for _ in range(256)]
    assert told[0] == SetVolume(1)
    assert told[-1] == SetVolume(2)
