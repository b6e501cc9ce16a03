"""Reminders and announcements over the socket: in a talk, between replies, and given back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from web_house import House, open_house, until
from xiaozhi_socket import MAC, connected
from xiaozhi_talking import SPOKEN_SECONDS, heard, scripted

from firmware_bridge.contracts import Expression, Notice, PlayAudio, ReminderDue, SetVolume, ShowFace

pytest.importorskip("av")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, scripted) as house:
        yield house


async def test_reminders_volume_and_faces_reach_a_device_that_is_in_a_talk(house: House) -> None:
    async with connected(house) as device:
        await device.hello()
        house.board.post(ReminderDue(1, "feed the cat", 0.0), MAC)
        house.board.post(ShowFace(Expression.ALERT), MAC)
        house.board.post(PlayAudio(bytes(22_050 * 2), 22_050), MAC)
        assert (await device.until("alert"))["message"] == "feed the cat"
        assert (await device.until("llm"))["emotion"] == "shocked"
        await device.reply()
        assert device.seconds() == pytest.approx(1.0, abs=0.06)
        assert house.board.post(SetVolume(30), MAC) == 1, "a device without tools lets it pass"
    await until(lambda: not house.board.heard_by())


async def test_an_announcement_waits_for_the_reply(house: House) -> None:
    async with connected(house) as device:
        await device.hello()
        await device.listen("detect", text="hello there")
        await device.until("tts", state="start")
        house.board.post(PlayAudio(bytes(24_000), 24_000), MAC)
        since = await device.past("tts", state="stop")
        await device.until("tts", since, state="stop")
        assert device.seconds() == pytest.approx(SPOKEN_SECONDS + 0.5, abs=0.12)


async def test_an_announcement_that_words_cut_off_is_made_again_and_one_that_was_aborted_is_not(house: House) -> None:
    async with connected(house) as device:
        await device.hello()
        house.board.post(PlayAudio(bytes(6 * 24_000 * 2), 24_000), MAC)
        await until(device.packets)
        await device.listen("detect", text="hello there")
        since = await device.past("tts", state="sentence_start")
        since = await device.past("tts", since, state="start")  # once the reply is over
        behind = await device.past("tts", since, state="stop")
        assert device.seconds(since) > 5.9
        house.board.post(PlayAudio(bytes(20 * 24_000 * 2), 24_000), MAC)
        since = await device.past("tts", behind, state="start")
        await asyncio.sleep(0.5)
        await device.tell(type="abort")
        await device.until("tts", since, state="stop")
        await device.listen("detect", text="not this")  # aborted before it is known to be typed
        await device.tell(type="abort")
        await asyncio.sleep(0.8)
        since = len(device.told)
        await device.listen("detect", text="and again")
        await device.reply(since)
        await asyncio.sleep(0.5)
        assert device.seconds(since) < SPOKEN_SECONDS + 0.5
        assert await heard(house) == ["hello there", "and again"]


async def test_a_reminder_that_went_to_a_device_without_power_is_given_back(house: House) -> None:
    reminder = ReminderDue(7, "feed the cat", 0.0)
    async with connected(house) as device:
        await device.hello()
        house.board.post(reminder, MAC)
        await device.until("alert")
    async with connected(house, mac="02:aa:bb:cc:dd:02") as device:
        await device.hello()
        assert house.board.returned() == [], "who says goodbye has it"
        house.board.post(reminder, "02:aa:bb:cc:dd:02")
        await device.until("alert")
        assert device.socket._response.connection is not None
        transport = device.socket._response.connection.transport
        assert transport is not None
        transport.abort()
        returned: list[Notice] = []
        await until(lambda: returned.extend(house.board.returned()) or returned)
        assert returned == [reminder]
