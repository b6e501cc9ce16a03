"""Reminders: kept, rung once, right whatever happens to clock, zone and process."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from memory_house import Clock, rows
from typer.testing import CliRunner
from web_house import MANNER, House, open_house

from edge_memory.clock import BootTime, boot_time
from edge_memory.errors import TooManyReminders
from edge_memory.memory import Memory
from edge_memory.reminders import Wish
from firmware_bridge.app.ringing import Ringing
from firmware_bridge.cli.main import app
from firmware_bridge.contracts import Expression, Heard, PlayAudio, ReminderDue, Said, SetVolume, ShowFace, Sound
from firmware_bridge.device import NoticeBoard
from firmware_bridge.errors import ModelLoading, SpeechMissing
from firmware_bridge.turn import Dialogue
from firmware_bridge.turn.scripted import ScriptedReplies
from firmware_bridge.web.mailboxes import Mailboxes

CAT = Wish("owner", "feed the cat", "desk")
NOON = 1_793_448_000.0  # 2026-10-31 12:00:00 UTC


class Boot:
    """A machine that is up; `reboot` starts it anew."""

    def __init__(self) -> None:
        self.now = BootTime("boot1", 1_000.0)

    def __call__(self) -> BootTime:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now = BootTime(self.now.boot_id, self.now.seconds + seconds)

    def reboot(self) -> None:
        self.now = BootTime("boot2", 5.0)


@pytest.fixture(autouse=True)
def zone() -> Iterator[None]:
    """Berlin, and back to what was."""
    before = os.environ.get("TZ")
    set_zone("Europe/Berlin")
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


def set_zone(name: str) -> None:
    os.environ["TZ"] = name
    time.tzset()


def local(text: str) -> datetime:
    return datetime.fromisoformat(text)


def remember(folder: Path, clock: Clock, boot: Boot) -> Memory:
    return Memory(folder / "memory.db", serve=True, clock=clock, boot=boot)


async def due(memory: Memory) -> list[str]:
    return [reminder.text for reminder in await memory.reminders.due()]


async def test_an_alarm_rings_at_its_time_also_after_a_restart(tmp_path: Path) -> None:
    clock, boot = Clock(NOON), Boot()  # 13:00 in Berlin
    async with remember(tmp_path, clock, boot) as memory:
        reminder = await memory.reminders.at(CAT, local("2026-10-31T18:00"))
        assert reminder.due_at == NOON + 5 * 3_600
    boot.reboot()
    clock.now += 5 * 3_600 - 1
    async with remember(tmp_path, clock, boot) as memory:
        assert await due(memory) == []
        clock.now += 1
        assert await due(memory) == ["feed the cat"]
        await memory.reminders.rung(reminder)
        assert await due(memory) == []
        assert [(one.state, one.rung_at) for one in await memory.reminders.all()] == [("rung", clock.now)]


async def test_six_stays_six_where_the_user_goes_and_when_summer_time_ends(tmp_path: Path) -> None:
    clock = Clock(NOON)
    async with remember(tmp_path, clock, Boot()) as memory:
        await memory.reminders.at(CAT, local("2026-11-01T06:00"))  # the clocks go back in the night before
        (reminder,) = await memory.reminders.waiting("owner")
        assert reminder.due_at == NOON + 17 * 3_600  # 05:00 UTC, after the change
        set_zone("America/New_York")  # there, it changes in that night, too
        (moved,) = await memory.reminders.waiting("owner")
        assert moved.due_at == reminder.due_at + 6 * 3_600
        clock.now = reminder.due_at
        assert await due(memory) == []
        clock.now = moved.due_at
        assert await due(memory) == ["feed the cat"]


async def test_a_time_that_summer_time_skips_comes_right_after_the_gap(tmp_path: Path) -> None:
    clock = Clock(NOON)
    async with remember(tmp_path, clock, Boot()) as memory:
        reminder = await memory.reminders.at(CAT, local("2027-03-28T02:30"))
        shown = datetime.fromtimestamp(reminder.due_at).isoformat()  # noqa: DTZ006 - local time is what is meant
        assert shown == "2027-03-28T03:30:00"


async def test_a_timer_counts_the_seconds_of_its_boot_whatever_the_clock_does(tmp_path: Path) -> None:
    clock, boot = Clock(NOON), Boot()
    async with remember(tmp_path, clock, boot) as memory:
        await memory.reminders.after(CAT, 600)
        for jump in (3_600.0, -14 * 86_400.0, 1.8e9, -NOON):  # NTP, a Pi's stale clock, far ahead, 1970
            clock.now = NOON + jump
            assert await due(memory) == []
    async with remember(tmp_path, clock, boot) as memory:  # restarted, not rebooted
        boot.passes(599)
        assert await due(memory) == []
        boot.passes(1)
        assert await due(memory) == ["feed the cat"]


async def test_after_a_reboot_a_timer_goes_by_the_clock(tmp_path: Path) -> None:
    clock, boot = Clock(NOON), Boot()
    async with remember(tmp_path, clock, boot) as memory:
        await memory.reminders.after(CAT, 600)
        boot.reboot()
        clock.now = 30.0  # 1970, until the network tells the time
        assert await due(memory) == []
        clock.now = NOON + 700
        assert await due(memory) == ["feed the cat"]


async def test_a_clock_that_jumps_neither_rings_nor_loses_what_is_far_away(tmp_path: Path) -> None:
    clock = Clock(NOON)
    async with remember(tmp_path, clock, Boot()) as memory:
        await memory.reminders.at(CAT, local("2026-11-05T18:00"))
        clock.now += 56 * 365 * 86_400
        assert await due(memory) == []
        assert [one.state for one in await memory.reminders.waiting("owner")] == ["missed"]
        clock.now = NOON
        assert [one.state for one in await memory.reminders.waiting("owner")] == ["waiting"]
        clock.now += 6 * 86_400  # the companion was off at the time, and is late by less than a day
        assert await due(memory) == ["feed the cat"]


async def test_the_machine_has_a_boot() -> None:
    first, second = boot_time(), boot_time()
    assert first.boot_id == second.boot_id
    assert 0 < first.seconds <= second.seconds


async def test_nobody_needs_more_than_two_hundred(tmp_path: Path) -> None:
    async with remember(tmp_path, Clock(NOON), Boot()) as memory:
        for _ in range(200):
            await memory.reminders.after(CAT, 60)
        with pytest.raises(TooManyReminders):
            await memory.reminders.after(CAT, 60)
        await memory.reminders.after(Wish("sam", "sleep"), 60)


async def test_what_is_forgotten_is_not_reminded_of(tmp_path: Path) -> None:
    async with remember(tmp_path, Clock(NOON), Boot()) as memory:
        await memory.learn("my cat is called Mitzi")
        await memory.reminders.after(Wish("owner", "feed Mitzi"), 60)
        await memory.reminders.after(Wish("owner", "call mum"), 60)
        await memory.forget(await memory.find_to_forget("Mitzi"))
        assert [one.text for one in await memory.reminders.waiting("owner")] == ["call mum"]
    assert b"Mitzi" not in b"".join(file.read_bytes() for file in sorted(tmp_path.iterdir()))  # noqa: ASYNC240


# By voice


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path) as house:
        yield house


async def say(house: House, text: str, device_id: str | None = None) -> tuple[str, str]:
    _, answer = await house.ask("POST", "/chat/text", json={"text": text, "device_id": device_id})
    return answer["action"], answer["text"]


async def test_reminders_by_voice(house: House) -> None:
    assert await say(house, "remind me in two hours to call my mother") == (
        "respond",
        "Okay, in 2 hours: call your mother.",
    )
    action, said = await say(house, "remind me tomorrow at nine am to feed the cat")
    assert (action, said) == ("respond", "Okay, tomorrow at 9 am: feed the cat.")
    assert (await say(house, "set a pasta timer for eight minutes"))[1] == "Okay, pasta timer for 8 minutes."
    assert (await say(house, "what are my reminders"))[1] == (
        "You have 2: call your mother in 2 hours; feed the cat tomorrow at 9 am."
    )
    assert (await say(house, "how long is left on the timer"))[1] == "You have 1: pasta timer in 8 minutes."
    assert await say(house, "cancel the reminder") == (
        "clarify",
        "Which one? call your mother in 2 hours; feed the cat tomorrow at 9 am.",
    )
    assert (await say(house, "cancel the reminder about the cat"))[1] == "Okay, cancelled: feed the cat."
    assert (await say(house, "cancel the reminder about the dog"))[1] == "There is no such reminder."
    assert (await say(house, "stop the timer"))[1] == "Okay, cancelled: pasta timer."
    assert (await say(house, "delete all my reminders"))[1] == "Okay, cancelled: call your mother."
    assert (await say(house, "do I have any reminders"))[1] == "You have no reminders."
    assert house.replies.prompts == [], "the model was not needed"


async def test_without_a_time_or_in_the_past_it_asks(house: House) -> None:
    question = "When shall I remind you to feed the cat?"
    assert await say(house, "remind me to feed the cat") == ("clarify", question)
    assert (await say(house, "tomorrow at noon"))[1] == "Okay, tomorrow at noon: feed the cat."
    assert await say(house, "remind me yesterday at six to feed the cat") == (
        "clarify",
        f"That time has passed already. {question}",
    )
    assert (await say(house, "in ten minutes"))[1] == "Okay, in 10 minutes: feed the cat."
    assert await say(house, "set a timer") == ("clarify", "For how long shall the timer run?")
    assert (await say(house, "ninety seconds"))[1] == "Okay, timer for 1 minute and 30 seconds."
    assert (await say(house, "set a timer for 9000 hours"))[1].startswith("That is too long")
    assert (await say(house, "what is a timer"))[1] != ""


class Loading:
    """A model that is not there yet, and may never be."""

    async def ready(self) -> ScriptedReplies:
        await asyncio.sleep(0.1)
        raise ModelLoading("the model is loading", "wait")


async def test_timers_need_no_model(house: House) -> None:
    async with Dialogue(house.memory, Loading(), MANNER, 1_000) as dialogue:

        async def told(text: str) -> str:
            return "".join(
                [event.text async for event in dialogue.talk(Heard(text, "desk")) if isinstance(event, Said)]
            )

        assert await told("timer ten minutes") == "Okay, timer for 10 minutes."
        assert await told("what are my timers") == "You have 1: timer in 10 minutes."
        with pytest.raises(ModelLoading):
            await told("how are you")
    heard = [turn["heard"] for turn in await house.memory.turns("desk", 10)]
    assert heard == ["timer ten minutes", "what are my timers"]


async def test_a_turn_sent_again_sets_one_reminder(house: House) -> None:
    for _ in range(3):
        await house.ask("POST", "/turns", json={"text": "timer ten minutes", "turn_id": "m5-1"})
        await house.ask("GET", "/turns/m5-1?wait=5")
    assert len(await house.memory.reminders.all()) == 1


async def test_reminders_are_listed_for_their_user_by_route_and_verb(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False) as house:
        alex, sam = await house.pair("desk", user_id="alex"), await house.pair("bed", user_id="sam")
        await house.ask("POST", "/chat/text", alex, json={"text": "remind me tomorrow at 9 am to feed the cat"})
        _, listed = await house.ask("GET", "/reminders", alex)
        assert (await house.ask("GET", "/reminders", sam))[1] == {"reminders": []}
        assert (await house.ask("GET", "/reminders"))[0] == 401
        (reminder,) = listed["reminders"]
        assert (reminder["text"], reminder["state"], reminder["device_id"]) == ("feed the cat", "waiting", "desk")
        assert reminder["due_local"][11:16] == "09:00"
    await asyncio.to_thread(check_verbs, tmp_path, reminder)


def check_verbs(folder: Path, reminder: dict[str, Any]) -> None:
    run, data = CliRunner(), ["--data-dir", str(folder)]
    assert json.loads(run.invoke(app, ["reminders", "list", "--json", *data]).stdout)["reminders"] == [reminder]
    assert "feed the cat" in run.invoke(app, ["reminders", "list", *data]).stdout
    assert run.invoke(app, ["reminders", "cancel", "77", *data]).exception is not None
    assert "cancelled" in run.invoke(app, ["reminders", "cancel", "1", *data]).stdout
    assert "no reminder waits" in run.invoke(app, ["reminders", "list", *data]).stdout
    assert "cancelled" in run.invoke(app, ["reminders", "list", "--all", *data]).stdout


# On devices


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
            async with asyncio.timeout(5):
                while [reminder.state for reminder in await memory.reminders.all()] != ["rung"]:  # noqa: ASYNC110
                    await asyncio.sleep(0.005)
            assert desk.waiting
        ringing.cancel()
        await asyncio.wait([ringing])
        assert await due(memory) == ["feed the cat"]


async def test_a_reminder_is_told_again_to_a_device_that_died_on_taking_it(house: House) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(house.url.rpartition(":")[2]))
    writer.write(b"GET /device/events?device_id=desk HTTP/1.0\r\nAccept: text/event-stream\r\n\r\n")
    while "desk" not in house.board.heard_by():  # noqa: ASYNC110 - the board has no event for it
        await asyncio.sleep(0.005)
    house.board.post(ReminderDue(3, "feed the cat", NOON), "desk")
    await reader.readuntil(b"feed the cat")
    writer.transport.abort()
    async with asyncio.timeout(5):
        while not (returned := house.board.returned()):  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    assert returned == [ReminderDue(3, "feed the cat", NOON)]


FEED = ReminderDue(3, "feed the cat", NOON)


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
        await asyncio.sleep(0.2)
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


async def test_a_poll_that_its_device_left_takes_no_reminder_from_the_newer_one(house: House) -> None:
    port = int(house.url.rpartition(":")[2])
    left, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /device/events?device_id=desk&wait=20 HTTP/1.0\r\n\r\n")  # and then its power failed
    while "desk" not in house.board.heard_by():  # noqa: ASYNC110 - the board has no event for it
        await asyncio.sleep(0.005)
    newer = asyncio.create_task(house.ask("GET", "/device/events?device_id=desk&wait=5"))
    await asyncio.sleep(0.1)
    house.board.post(FEED, "desk")
    assert [event["event"] for event in (await newer)[1]["events"]] == ["reminder"]
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(left.read(1), 0.1)
    writer.transport.abort()


async def test_a_poll_whose_device_goes_while_it_is_answered_gives_the_reminder_back(house: House) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", int(house.url.rpartition(":")[2]))
    writer.write(b"GET /device/events?device_id=desk&wait=20 HTTP/1.0\r\n\r\n")
    while "desk" not in house.board.heard_by():  # noqa: ASYNC110
        await asyncio.sleep(0.005)
    house.board.post(FEED, "desk")
    writer.transport.abort()
    await asyncio.sleep(0.2)
    _, answer = await house.ask("GET", "/device/events?device_id=desk&wait=0&receipt=")
    assert house.board.returned() == [FEED] or [event["event"] for event in answer["events"]] == ["reminder"]


async def test_a_device_that_polls_hears_of_it(house: House) -> None:
    assert (await say(house, "timer one second", "desk"))[1] == "Okay, timer for 1 second."
    await house.ask("GET", "/device/events?device_id=desk&wait=0")
    while not await ringing_of(house.memory, house.board).ring():
        pass
    _, answer = await house.ask("GET", "/device/events?device_id=desk&wait=5")
    due_event = next(event for event in answer["events"] if event["event"] == "reminder")
    assert due_event["text"] == "timer"
    assert abs(due_event["due_at"] - time.time()) < 5


async def test_what_is_said_of_a_reminder_is_what_is_kept(house: House) -> None:
    _, told = await say(house, "remind me in 1000 hours to renew the passport", "desk")
    (kept,) = await house.memory.reminders.all()
    assert abs(kept.due_at - time.time() - 3_600_000) < 120 + 3_600
    assert f"{datetime.fromtimestamp(kept.due_at).day} " in told  # noqa: DTZ006 - what is told is local
    assert "too far away" in (await say(house, "remind me in 99999999 hours to x", "desk"))[1]
    _, told = await say(house, "remind me every day at eight to take pills", "desk")
    assert "take pills" in told
    assert "only once" in told
    assert sorted(reminder.text for reminder in await house.memory.reminders.all()) == [
        "renew the passport",
        "take pills",
    ]
    for wrong in ("remind me at 25:00 to x", "timer -5 minutes", "remind me in 0 minutes to x"):
        assert (await say(house, wrong, "desk"))[0] == "clarify", wrong
    assert len(await house.memory.reminders.all()) == 2
