"""What the companion tells devices over HTTP, by stream and by poll, over real sockets."""

from __future__ import annotations

import asyncio
import io
import json
import time
import wave
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from web_house import MANNER, House, open_house, until

from edge_memory.memory import Memory
from firmware_bridge.app.volumes import Volumes
from firmware_bridge.contracts import (
    Expression,
    GrantKey,
    Heard,
    PlayAudio,
    ReminderDue,
    ReplySentence,
    Said,
    SetVolume,
    ShowFace,
    TellTime,
)
from firmware_bridge.device import NoticeBoard
from firmware_bridge.turn import Dialogue, VolumeCommand
from firmware_bridge.turn.scripted import ScriptedReplies
from firmware_bridge.web.mailboxes import Mailboxes

HAPPY = {"event": "face", "expression": "happy"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, lambda messages: "Hello there. It is late.") as house:
        yield house


@asynccontextmanager
async def streaming(house: House, path: str = "/device/events", token: str | None = None) -> AsyncIterator[Any]:
    """Gives a coroutine function for the next event."""
    headers = {"Accept": "text/event-stream"} | ({"Authorization": f"Bearer {token}"} if token else {})
    async with house.session.get(house.url + path, headers=headers) as response:
        assert response.status == 200
        assert response.content_type == "text/event-stream"

        async def event() -> tuple[str, dict[str, Any]]:
            name = ""
            async with asyncio.timeout(240):
                async for raw in response.content:
                    field, _, value = raw.decode().strip().partition(": ")
                    if field == "event":
                        name = value
                    elif field == "data":
                        return name, json.loads(value)
            raise AssertionError("the stream ended")

        name, now = await event()
        assert name == "time"
        assert abs(now["at"] - time.time()) < 60
        yield event


async def heard_by(house: House, *devices: str) -> None:
    await until(lambda: house.board.heard_by() >= set(devices))


async def test_a_turn_shows_on_the_device_while_it_runs(house: House) -> None:
    async with streaming(house, "/device/events?device_id=desk") as event:
        await heard_by(house, "desk")
        _, answer = await house.ask("POST", "/chat/text", json={"text": "hi", "device_id": "desk"})
        turn = {"turn_id": answer["turn_id"]}
        assert [await event() for _ in range(4)] == [
            ("face", {"expression": "thinking"}),
            ("sentence", turn | {"index": 0, "text": "Hello there."}),
            ("sentence", turn | {"index": 1, "text": "It is late."}),
            ("face", {"expression": "happy"}),
        ]


async def test_a_device_is_made_louder_by_voice(tmp_path: Path) -> None:
    board = NoticeBoard()
    volumes = Volumes(board.post)
    manner = replace(MANNER, commands=(VolumeCommand(volumes),))
    async with (
        Memory(tmp_path / "memory.db", serve=True) as memory,
        Dialogue(memory, ScriptedReplies(lambda messages: "The model answered."), manner, 100) as dialogue,
    ):

        async def say(text: str, device_id: str | None) -> str:
            events = [event async for event in dialogue.talk(Heard(text, "desk", device_id))]
            assert isinstance(events[-1], Said)
            return events[-1].text

        assert (await say("louder", "desk")).startswith("This device does not tell me")
        volumes.set_volume("desk", 40)
        with board.listen("desk") as ear:
            assert await say("louder please", "desk") == "Okay, volume 60 percent."
            assert await ear.next() == SetVolume(60)
            assert await say("be quiet", "desk") == "Okay, I am quiet."
            assert await ear.next() == SetVolume(0)
        assert (await say("louder", None)).startswith("We talk without a device")
        assert await say("what a loud day", None) == "The model answered."


async def test_every_notice_has_its_form(house: House) -> None:
    async with streaming(house, "/device/events?device_id=desk") as event:
        await heard_by(house, "desk")
        for notice in (
            ReplySentence("t1", 0, "Hi."),
            ShowFace(Expression.ALERT),
            GrantKey("lobug_secret"),  # never over the air
            SetVolume(40),
            ReminderDue(3, "feed the cat", 1.9e9),
            TellTime(1.9e9, 60),
        ):
            house.board.post(notice, "desk")
        assert [await event() for _ in range(5)] == [
            ("sentence", {"turn_id": "t1", "index": 0, "text": "Hi."}),
            ("face", {"expression": "alert"}),
            ("volume", {"percent": 40}),
            ("reminder", {"reminder_id": 3, "text": "feed the cat", "due_at": 1.9e9}),
            ("time", {"at": 1.9e9, "utc_offset_minutes": 60}),
        ]


async def test_sound_is_fetched_by_its_url_and_by_no_other_device(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False) as house:
        desk, bed = await house.pair("desk"), await house.pair("bed")
        pcm = bytes(range(256)) * 100
        async with streaming(house, token=desk) as event:
            await heard_by(house, "desk")
            house.board.post(PlayAudio(pcm, 16_000, "t1"), "desk")
            name, audio = await event()
        assert (name, audio["turn_id"], audio["seconds"]) == ("audio", "t1", 0.8)
        headers = {"Authorization": f"Bearer {desk}"}
        async with house.session.get(house.url + audio["url"], headers=headers) as response:
            assert response.content_type == "audio/wav"
            body = await response.read()
            assert int(response.headers["Content-Length"]) == len(body)
        with wave.open(io.BytesIO(body)) as sound:
            assert (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) == (16_000, 1, 2)
            assert sound.readframes(sound.getnframes()) == pcm
        assert (await house.ask("GET", audio["url"], bed))[0] == 404
        assert (await house.ask("GET", "/device/sounds/none", desk))[0] == 404
        assert (await house.ask("GET", "/device/events?device_id=desk", bed))[0] == 403


async def test_a_poll_waits_for_the_first_and_takes_what_is_there(house: House) -> None:
    began = time.monotonic()
    status, answer = await house.ask("GET", "/device/events?wait=0.2")
    assert (status, answer["events"]) == (200, [])
    assert abs(answer["time"]["at"] - time.time()) < 60
    assert time.monotonic() - began >= 0.2
    for percent in (1, 2, 3):  # between two polls
        house.board.post(SetVolume(percent), "default")
    status, answer = await house.ask("GET", "/device/events?wait=60")
    assert (status, [event["percent"] for event in answer["events"]]) == (200, [1, 2, 3])
    polling = asyncio.create_task(house.ask("GET", "/device/events?wait=60"))
    await asyncio.sleep(0.05)  # that it waits already; it need not
    house.board.post(ShowFace(Expression.HAPPY), "default")
    assert (await polling)[1]["events"] == [HAPPY]


async def test_a_poll_is_answered_in_portions(house: House) -> None:
    await house.ask("GET", "/device/events?wait=0")
    for percent in range(40):
        house.board.post(SetVolume(percent), "default")
    sizes = [len((await house.ask("GET", "/device/events?wait=0"))[1]["events"]) for _ in range(4)]
    assert sizes == [16, 16, 8, 0]


async def test_a_device_that_stops_polling_is_forgotten() -> None:
    board = NoticeBoard()
    mailboxes = Mailboxes(board, asyncio.Event(), kept_seconds=0.05)
    assert (await mailboxes.collect("desk", 0.0)).notices == []
    assert board.heard_by() == {"desk"}
    await until(lambda: not board.heard_by())
    assert (await mailboxes.collect("desk", 0.0)).notices == []
    mailboxes.close()
    assert board.heard_by() == frozenset()


async def test_a_flood_of_names_keeps_so_many_mailboxes() -> None:
    board = NoticeBoard()
    mailboxes = Mailboxes(board, asyncio.Event())
    for number in range(300):
        await mailboxes.collect(f"device{number}", 0.0)
    assert len(board.heard_by()) == 256
    assert "device299" in board.heard_by()
    mailboxes.close()


async def test_a_device_that_leaves_is_not_listening_any_more(house: House) -> None:
    async with streaming(house, "/device/events?device_id=desk"):
        await heard_by(house, "desk")
    await until(lambda: not house.board.heard_by())


async def test_the_companion_ends_soon_although_devices_listen(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, streaming(house, "/device/events?device_id=desk"):
        await heard_by(house, "desk")
        polling = asyncio.create_task(house.ask("GET", "/device/events?wait=60"))
        await heard_by(house, "desk", "default")
        await house.site.__aexit__(None, None, None)
        status, answer = await polling
        assert (status, answer["events"]) == (200, [])


@pytest.mark.parametrize(
    ("query", "code"),
    [("wait=-1", "bad_request"), ("wait=x", "bad_request"), ("wait=61", "bad_request"), ("device_id=a%20b", "bad_id")],
)
async def test_bad_polls(house: House, query: str, code: str) -> None:
    status, answer = await house.ask("GET", f"/device/events?{query}")
    assert (status, answer["error"]["code"]) == (422, code)


async def test_a_device_that_is_revoked_hears_nothing_more(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False) as house:
        secret = ReminderDue(3, "a secret", 1.9e9)
        async with streaming(house, token=await house.pair("bed", user_id="sam")) as event:
            await heard_by(house, "bed")
            await house.memory.devices.revoke("bed")
            house.board.post(secret, "bed")
            with pytest.raises(AssertionError, match="the stream ended"):
                await event()
        polling = asyncio.create_task(house.ask("GET", "/device/events?wait=5", await house.pair("hall")))
        await heard_by(house, "hall")
        await house.memory.devices.revoke("hall")
        house.board.post(secret, "hall")
        assert (await polling)[0] == 401
        assert house.board.heard_by() == frozenset()
        assert house.board.returned() == [secret]
