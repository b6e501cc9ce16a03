"""Reminders on their way to a device: told once, and again where they did not arrive."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from disks import OnDisk
from faults import FailingDisk, Fault
from memory_house import Clock, rows
from reminder_house import CAT, FEED, NOON, Boot, due, remember
from web_house import House, open_house, until

from edge_memory.memory import Memory
from edge_memory.reminders import Wish
from firmware_bridge.app.ringing import Ringing
from firmware_bridge.contracts import Expression, PlayAudio, ReminderDue, SetVolume, ShowFace, Sound
from firmware_bridge.device import NoticeBoard
from firmware_bridge.errors import SpeechMissing
from firmware_bridge.web.mailboxes import Mailboxes


async def beep(text: str) -> AsyncIterator[Sound]:
    """A voice that says each text in one short sound."""
    yield Sound(text.encode().ljust(80), 16_000)


async def mute(text: str) -> AsyncIterator[Sound]:
    raise SpeechMissing("no voice here")
    yield


def ringing_of(memory: Memory, board: NoticeBoard, voice: Any = mute, quiet: frozenset[str] = frozenset()) -> Ringing:
    return Ringing(memory, board, voice, lambda device_id: device_id in quiet)


async def test_a_reminder_is_spoken_unless_the_device_lies_face_down(tmp_path: Path) -> None:
    boot, board = Boot(), NoticeBoard()
    async with remember(tmp_path, Clock(NOON), boot) as memory:
        for quiet in (frozenset[str](), frozenset({"desk"})):
            await memory.reminders.after(CAT, 60)
            boot.passes(60)
            with board.listen("desk") as desk:
                assert await ringing_of(memory, board, beep, quiet).ring() == 1
                told = [await desk.next(), await desk.next()]
                if not quiet:
                    spoken = await desk.next()
                    assert isinstance(spoken, PlayAudio)
                    assert spoken.pcm.strip() == b"Reminder: feed the cat."
                board.post(SetVolume(1), "desk")
                assert await desk.next() == SetVolume(1), "nothing else was told"
            assert [type(notice) for notice in told] == [ReminderDue, ShowFace]


async def test_a_reminder_rings_once_on_the_device_that_asked_else_on_another_of_the_user(tmp_path: Path) -> None:
    clock, boot, board = Clock(NOON), Boot(), NoticeBoard()
    async with remember(tmp_path, clock, boot) as memory:
        ringing = ringing_of(memory, board)
        for wish in (CAT, Wish("owner", "call mum", "gone")):
            await memory.reminders.after(wish, 60)
        boot.passes(60)
        assert await ringing.ring() == 0, "nobody listens yet"
        with board.listen("desk") as desk, board.listen("bed") as bed:
            assert await ringing.ring() == 2
            assert await ringing.ring() == 0
            told = [await desk.next(), await desk.next(), await bed.next()]
    texts = [notice.text for notice in told if isinstance(notice, ReminderDue)]
    assert texts == ["feed the cat", "call mum"]
    assert ShowFace(Expression.ALERT) in told
    assert rows(tmp_path / "memory.db", "SELECT state FROM reminders") == [("rung",), ("rung",)]


async def test_a_reminder_is_not_told_on_somebody_elses_device(tmp_path: Path) -> None:
    boot, board = Boot(), NoticeBoard()
    async with open_house(tmp_path) as house:
        await house.pair("bed", user_id="sam")
    async with remember(tmp_path, Clock(NOON), boot) as memory:
        await memory.reminders.after(CAT, 60)
        boot.passes(60)
        with board.listen("bed"):
            assert await ringing_of(memory, board).ring() == 0


async def test_a_reminder_of_the_owner_is_not_told_on_a_device_that_was_revoked(house: House) -> None:
    await house.pair("bed", user_id="sam")
    await house.memory.devices.revoke("bed")
    await house.memory.reminders.after(CAT, 0)
    with house.board.listen("bed"):
        assert await ringing_of(house.memory, house.board).ring() == 0
    with house.board.listen("new"):
        assert await ringing_of(house.memory, house.board).ring() == 1


async def test_a_reminder_that_was_lost_with_its_device_is_told_again_anywhere(tmp_path: Path) -> None:
    boot, board = Boot(), NoticeBoard()
    async with remember(tmp_path, Clock(NOON), boot) as memory:
        ringing = ringing_of(memory, board)
        await memory.reminders.after(CAT, 60)
        boot.passes(60)
        with board.listen("desk"):
            assert await ringing.ring() == 1
        assert await ringing.ring() == 0, "nobody listens"
        assert [reminder.state for reminder in await memory.reminders.all()] == ["waiting"]
        with board.listen("bed") as bed:
            assert await ringing.ring() == 1
            assert isinstance(await bed.next(), ReminderDue)
        assert board.returned() == [], "it was taken"


async def test_what_did_not_arrive_when_the_companion_ends_is_told_after_its_next_start(tmp_path: Path) -> None:
    boot, board = Boot(), NoticeBoard()
    async with remember(tmp_path, Clock(NOON), boot) as memory:
        await memory.reminders.after(CAT, 60)
        boot.passes(60)
        with board.listen("desk") as desk:
            ringing = asyncio.create_task(ringing_of(memory, board).run())
            while [reminder.state for reminder in await memory.reminders.all()] != ["rung"]:
                pass
            assert desk.waiting
        ringing.cancel()
        await asyncio.wait([ringing])
        assert await due(memory) == ["feed the cat"]


async def test_a_reminder_is_told_again_to_a_device_that_died_on_taking_it(house: House) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(house.url.rpartition(":")[2]))
    writer.write(b"GET /device/events?device_id=desk HTTP/1.0\r\nAccept: text/event-stream\r\n\r\n")
    await until(lambda: "desk" in house.board.heard_by())
    house.board.post(FEED, "desk")
    await reader.readuntil(b"feed the cat")
    writer.transport.abort()
    returned: list[Any] = []
    await until(lambda: returned.extend(house.board.returned()) or returned)
    assert returned == [FEED]


async def polled(mailboxes: Mailboxes, receipt: str | None = None) -> tuple[list[Any], str]:
    poll = await mailboxes.collect("desk", 0.0, receipt)
    return poll.notices, poll.receipt


async def test_a_reminder_is_told_again_to_a_device_that_polled_for_it_and_never_came_back() -> None:
    board = NoticeBoard()
    mailboxes = Mailboxes(board, asyncio.Event(), kept_seconds=0.05)
    for comes_back in (True, False):
        await polled(mailboxes)
        board.post(FEED, "desk")
        assert (await polled(mailboxes))[0] == [FEED]
        if comes_back:
            await polled(mailboxes)
        await until(lambda: not board.heard_by())
        assert bool(board.returned()) is not comes_back


async def test_a_reminder_arrived_when_the_next_poll_has_the_receipt_of_its_answer() -> None:
    board = NoticeBoard()
    mailboxes = Mailboxes(board, asyncio.Event())
    _, receipt = await polled(mailboxes, "")
    board.post(FEED, "desk")
    told, newer = await polled(mailboxes, receipt)
    assert told == [FEED]
    await polled(mailboxes, receipt)  # the answer got lost, or the device restarted and is where it was
    assert board.returned() == [FEED]
    board.post(FEED, "desk")
    _, newer = await polled(mailboxes, "")
    assert board.returned() == []
    await polled(mailboxes, newer)
    mailboxes.close()
    assert board.returned() == []


async def test_two_devices_of_one_name_do_not_make_a_reminder_ring_for_ever() -> None:
    board = NoticeBoard()
    mailboxes = Mailboxes(board, asyncio.Event())
    told = 0
    for _ in range(20):
        told += len((await polled(mailboxes, ""))[0])
        for reminder in board.returned() if told else [FEED]:
            board.post(reminder, "desk")
    assert 1 < told < 8


async def test_a_device_without_receipts_is_told_again_once_when_it_may_have_restarted() -> None:
    board, now = NoticeBoard(), [100.0]
    mailboxes = Mailboxes(board, asyncio.Event(), clock=lambda: now[0])
    await polled(mailboxes)
    for seconds, again in ((1.0, []), (12.0, [FEED]), (12.0, [])):
        board.post(FEED, "desk")
        assert (await polled(mailboxes))[0] == [FEED]
        now[0] += seconds
        assert (await polled(mailboxes))[0] == []
        assert board.returned() == again


async def test_a_poll_that_its_device_left_takes_no_reminder_from_the_newer_one() -> None:
    board = NoticeBoard()
    mailboxes = Mailboxes(board, asyncio.Event())
    left, newer = (asyncio.create_task(mailboxes.collect("desk", 60.0)) for _ in range(2))
    for _ in range(20):  # steps of the loop: both wait, and the older one knows of the newer
        await asyncio.sleep(0)
    board.post(FEED, "desk")
    assert (await newer).notices == [FEED]
    assert not left.done(), "were it answered, two devices of one name would make each other ask without a pause"
    left.cancel()
    mailboxes.close()


async def test_a_poll_whose_device_goes_while_it_is_answered_gives_the_reminder_back(house: House) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", int(house.url.rpartition(":")[2]))
    writer.write(b"GET /device/events?device_id=desk&wait=20 HTTP/1.0\r\n\r\n")
    await until(lambda: "desk" in house.board.heard_by())
    house.board.post(FEED, "desk")
    writer.transport.abort()
    told: list[Any] = []
    while not told:
        _, answer = await house.ask("GET", "/device/events?device_id=desk&wait=0&receipt=")
        told = [*house.board.returned(), *answer["events"]]
    assert len(told) == 1


async def test_a_device_that_polls_hears_of_it(house: House) -> None:
    await house.memory.reminders.after(CAT, 1)
    await house.ask("GET", "/device/events?device_id=desk&wait=0")
    while not await ringing_of(house.memory, house.board).ring():
        pass
    _, answer = await house.ask("GET", "/device/events?device_id=desk&wait=60")
    due_event = next(event for event in answer["events"] if event["event"] == "reminder")
    assert due_event["text"] == "feed the cat"
    assert due_event["due_at"] <= time.time()


async def test_on_a_full_disk_a_reminder_rings_once_and_one_that_was_lost_rings_again(tmp_path: Path) -> None:
    boot, board, disk = Boot(), NoticeBoard(), FailingDisk()
    vfs = OnDisk(disk)
    try:
        async with remember(tmp_path, Clock(NOON), boot) as memory:
            ringing = ringing_of(memory, board)
            await memory.reminders.after(CAT, 60)
            boot.passes(60)
            disk.fault = Fault(disk.operations, full=True, lasting=True)
            with board.listen("desk"):
                assert [await ringing.ring() for _ in range(3)] == [1, 0, 0]
            with board.listen("bed") as bed:
                assert [await ringing.ring() for _ in range(3)] == [1, 0, 0], "nobody took it from the desk's"
                assert isinstance(await bed.next(), ReminderDue)
                disk.fault = None
                assert await ringing.ring() == 0
                assert [reminder.state for reminder in await memory.reminders.all()] == ["rung"]
                disk.fault = Fault(disk.operations, full=True, lasting=True)
                board.give_back([ReminderDue(1, "feed the cat", NOON)])
                assert await ringing.ring() == 0
                disk.fault = None
                assert await ringing.ring() == 1
    finally:
        vfs.unregister()
