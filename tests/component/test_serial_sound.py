"""Sound over the serial link, both ways: credit, damage, and replies that nobody wants to hear any more."""

from __future__ import annotations

import asyncio
import json
import os
import struct
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

from serial_desk import House, answer_to, desk

from firmware_bridge.contracts import (
    Action,
    Heard,
    PlayAudio,
    ReplySound,
    Said,
    Sound,
    TurnBegun,
    VoiceEvent,
)
from firmware_bridge.device import NoticeBoard
from firmware_bridge.device.framing import Frame, Kind, encode


async def test_sound_keeps_to_the_credit_that_the_device_gives(tmp_path: Path) -> None:
    board, got = NoticeBoard(), b""
    pcm = os.urandom(6_000)
    async with desk(tmp_path, House(), board) as (device, _):
        board.post(PlayAudio(pcm, 16_000, "t1"), "desk")
        assert (await device.message("sound"))["rate"] == 16_000
        await device.nothing(lambda frame: frame.kind is Kind.AUDIO, 0.2)
        for granted in (2_000, 4_000, 1_000, 6_000):  # the third one is old, and takes nothing back
            device.send(Kind.CREDIT, struct.pack("<I", granted))
            with suppress(TimeoutError):
                while len(got) < len(pcm):
                    patience = 60.0 if granted == len(pcm) else 0.15
                    frame = await device.expect(lambda frame: frame.kind is Kind.AUDIO, patience)
                    assert struct.unpack_from("<I", frame.payload)[0] == len(got)
                    got += frame.payload[4:]
            assert len(got) <= max(granted, 4_000)
        assert (await device.message("sound_end"))["offset"] == 6_000
    assert got == pcm


async def test_sound_that_was_damaged_on_the_way_is_silence(tmp_path: Path) -> None:
    house = House()
    async with desk(tmp_path, house, NoticeBoard()) as (device, _):
        await device.expect(answer_to(device.tell(type="listen", turn_id="t1", rate=16_000)))
        device.send(Kind.AUDIO, struct.pack("<I", 0) + b"\1\1" * 10)
        device.write(encode(Frame(Kind.AUDIO, device.link, 0, struct.pack("<I", 20) + b"\2\2" * 10))[:-4] + b"\0")
        device.send(Kind.AUDIO, struct.pack("<I", 40) + b"\3\3" * 10)
        device.tell(type="heard", turn_id="t1", bytes=80)
        assert (await device.message("done"))["turn_id"] == "t1"
    assert house.sounds == [b"\1\1" * 10 + bytes(20) + b"\3\3" * 10 + bytes(20)]


async def test_the_companion_hears_an_utterance_while_it_arrives(tmp_path: Path) -> None:
    house = House()
    async with desk(tmp_path, house, NoticeBoard()) as (device, _):
        await device.expect(answer_to(device.tell(type="listen", turn_id="t1", rate=16_000)))
        device.send(Kind.AUDIO, struct.pack("<I", 0) + b"\1\1" * 10)
        while house.sounds != [b"\1\1" * 10]:
            await asyncio.sleep(0.005)
        device.tell(type="heard", turn_id="t1", bytes=20)
        assert (await device.message("done"))["turn_id"] == "t1"


async def test_an_utterance_that_is_begun_anew_is_no_turn(tmp_path: Path) -> None:
    house = House()
    async with desk(tmp_path, house, NoticeBoard()) as (device, _):
        await device.expect(answer_to(device.tell(type="listen", turn_id="t1", rate=16_000)))
        device.send(Kind.AUDIO, struct.pack("<I", 0) + b"\1\1" * 10)
        await device.expect(answer_to(device.tell(type="listen", turn_id="t2", rate=16_000)))
        device.tell(type="heard", turn_id="t2", bytes=20)
        assert (await device.message("done"))["turn_id"] == "t2"
    assert house.sounds == [b"\1\1" * 10, bytes(20)]


async def test_the_rest_of_a_hushed_reply_is_not_told(tmp_path: Path) -> None:
    house = House()
    async with desk(tmp_path, house, NoticeBoard()) as (device, _):
        house.rest.clear()
        device.tell(type="say", turn_id="t1", text="a secret")
        await device.message("piece")
        await device.expect(answer_to(device.tell(type="cancel", turn_id="t1")))
        house.rest.set()
        first = await device.expect(lambda frame: frame.kind is Kind.CONTROL)
    assert json.loads(first.payload)["type"] == "done"


class Talkative(House):
    """Speaks so many sounds, and ends the turn when `rest` is set."""

    def __init__(self, sounds: int) -> None:
        super().__init__()
        self._number = sounds

    async def listen(self, heard: Heard, pieces: AsyncIterator[bytes], rate: int) -> AsyncIterator[VoiceEvent]:
        assert heard.turn_id
        yield TurnBegun(heard.turn_id, heard.session_id)
        for _ in range(self._number):
            yield ReplySound(Sound(bytes(3_200), 16_000))
        await self.rest.wait()
        yield Said(Action.RESPOND, "so it goes", heard.turn_id, heard.session_id)


async def test_a_hushed_reply_is_not_heard_any_more_although_its_sound_waited(tmp_path: Path) -> None:
    house, board = Talkative(10), NoticeBoard()
    house.rest.clear()
    async with desk(tmp_path, house, board) as (device, _):
        device.tell(type="listen", turn_id="t1", rate=16_000)
        device.tell(type="heard", turn_id="t1", bytes=0)
        await device.message("sound")
        device.send(Kind.CREDIT, struct.pack("<I", 1_024))
        await device.expect(lambda frame: frame.kind is Kind.AUDIO)
        await device.expect(answer_to(device.tell(type="cancel", turn_id="t1")))
        house.rest.set()
        await device.message("done")
        device.send(Kind.CREDIT, struct.pack("<I", 100_000))
        assert (await device.message("sound_end"))["offset"] <= 1_024
        board.post(PlayAudio(bytes(1_000), 16_000, "t2"), "desk")
        assert (await device.message("sound"))["turn_id"] == "t2"
        assert (await device.message("sound_end"))["offset"] <= 2_024


async def test_the_sound_of_a_reply_ends_when_its_device_is_revoked_although_it_was_made(tmp_path: Path) -> None:
    house, board = Talkative(10), NoticeBoard()
    async with desk(tmp_path, house, board) as (device, _):
        device.tell(type="listen", turn_id="t1", rate=16_000)
        device.tell(type="heard", turn_id="t1", bytes=0)
        await device.message("done")
        device.send(Kind.CREDIT, struct.pack("<I", 1_024))
        await device.expect(lambda frame: frame.kind is Kind.AUDIO)
        house.welcome = False
        await device.expect(lambda frame: frame.kind is Kind.HAIL)
        device.send(Kind.CREDIT, struct.pack("<I", 100_000))
        await device.nothing(lambda frame: frame.kind is Kind.AUDIO, 0.3)


async def test_a_turn_ends_although_the_device_takes_no_sound(tmp_path: Path) -> None:
    async with desk(tmp_path, Talkative(80), NoticeBoard()) as (device, _):
        device.tell(type="listen", turn_id="t1", rate=16_000)
        device.tell(type="heard", turn_id="t1", bytes=0)
        done = await device.expect(lambda f: f.kind is Kind.CONTROL and b'"done"' in f.payload)
    assert json.loads(done.payload)["turn_id"] == "t1"
