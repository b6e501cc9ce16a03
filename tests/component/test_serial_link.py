"""The serial door on a pty cable, with a hand-made device at its other end: what it takes, refuses and survives."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from cobs import cobs
from serial_desk import HandDevice, House, answer_to, desk
from web_house import until

from firmware_bridge.contracts import (
    Expression,
    ReminderDue,
    SetVolume,
    ShowFace,
)
from firmware_bridge.device import NoticeBoard, SerialDoor
from firmware_bridge.device.framing import Frame, Kind, encode
from firmware_bridge.device.pty_cable import PtyCable
from firmware_bridge.settings import SerialSettings


async def test_a_turn_is_acknowledged_when_it_is_on_disk_and_not_before(tmp_path: Path) -> None:
    house = House()
    async with desk(tmp_path, house, NoticeBoard()) as (device, _):
        house.disk.clear()
        seq = device.tell(type="say", turn_id="t1", text="hello")
        await device.nothing(answer_to(seq), 0.4)
        device.send(Kind.CONTROL, b'{"type":"say","turn_id":"t1","text":"hello"}', seq)  # it comes again meanwhile
        house.disk.set()
        assert (await device.expect(answer_to(seq))).kind is Kind.ACK
        assert (await device.message("done"))["text"] == "You said hello"
        device.send(Kind.CONTROL, b'{"type":"say","turn_id":"t1","text":"hello"}', seq)  # and again: the ack was lost
        assert (await device.expect(answer_to(seq))).kind is Kind.ACK
    assert [heard.turn_id for heard in house.heard] == ["t1"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "say", "turn_id": "t1", "text": ""}, "bad_text"),
        ({"type": "say", "turn_id": "t1", "text": 5}, "bad_message"),
        ({"type": "say", "turn_id": "../../etc", "text": "hello"}, "bad_id"),
        ({"type": "sense", "readings": [1]}, "bad_message"),
        ({"type": "sense", "readings": {"nested": {}}}, "bad_request"),
        ({"type": "listen", "turn_id": "t1", "rate": 1_000}, "bad_message"),
        ({"type": "heard", "turn_id": "t9", "bytes": 4}, "bad_message"),
        ({"type": "erase everything"}, "bad_message"),
        ({"type": ["say"]}, "bad_message"),
    ],
)
async def test_what_makes_no_sense_is_refused_and_the_link_goes_on(
    tmp_path: Path, message: dict[str, Any], code: str
) -> None:
    async with desk(tmp_path, House(), NoticeBoard()) as (device, _):
        refusal = await device.expect(answer_to(device.tell(**message)))
        assert refusal.kind is Kind.REFUSAL
        assert json.loads(refusal.payload)["error"]["code"] == code
        device.tell(type="say", turn_id="t2", text="hello")
        assert (await device.message("done"))["turn_id"] == "t2"


async def test_a_refusal_for_now_says_so(tmp_path: Path) -> None:
    async with desk(tmp_path, House(), NoticeBoard()) as (device, _):
        refusal = await device.expect(answer_to(device.tell(type="say", turn_id="t1", text="too early")))
        assert json.loads(refusal.payload)["error"]["retry"] is True


@pytest.mark.parametrize("payload", [b"no json", b"[]", b"\xff\xfe", b"[" * 3_000])
async def test_a_frame_that_is_no_message_is_refused(tmp_path: Path, payload: bytes) -> None:
    async with desk(tmp_path, House(), NoticeBoard()) as (device, _):
        device.send(Kind.CONTROL, payload, 1)
        assert (await device.expect(answer_to(1))).kind is Kind.REFUSAL


async def test_frames_of_a_future_version_are_refused_by_name(tmp_path: Path) -> None:
    async with desk(tmp_path, House(), NoticeBoard()) as (device, _):
        body = struct.pack("<BBHH", 2, Kind.HELLO, 9, 0) + b'{"device_id": "desk"}'
        device.write(b"\0" + cobs.encode(body + struct.pack("<I", zlib.crc32(body))) + b"\0")
        refusal = await device.expect(lambda frame: frame.kind is Kind.REFUSAL)
    error = json.loads(refusal.payload)["error"]
    assert error["code"] == "protocol_unknown"
    assert "version 2" in error["message"]


async def test_notices_reach_the_device(tmp_path: Path) -> None:
    board = NoticeBoard()
    async with desk(tmp_path, House(), board) as (device, _):
        board.post(ShowFace(Expression.ALERT), "desk")
        board.post(ReminderDue(3, "feed the cat", 1.0), "desk")
        assert (await device.message("face"))["expression"] == "alert"
        assert (await device.message("reminder"))["text"] == "feed the cat"


async def test_what_a_pulled_cable_swallowed_is_told_again(tmp_path: Path) -> None:
    board = NoticeBoard()
    async with desk(tmp_path, House(), board) as (device, cable):
        device.acknowledges = False
        board.post(ReminderDue(3, "feed the cat", 1.0), "desk")
        board.post(SetVolume(40), "desk")
        await device.message("volume")
        cable.unplug()
        await until(lambda: not board.heard_by())
        assert board.returned() == [ReminderDue(3, "feed the cat", 1.0)], "for whichever device is there"
        device.acknowledges, device.link = True, 8
        cable.plug()
        await device.link_up()
        assert (await device.message("volume"))["percent"] == 40
        device.link = 9
        device.send(Kind.HELLO, b'{"device_id": "desk"}')
        await device.nothing(lambda frame: frame.kind is Kind.CONTROL, 0.4)


async def test_an_unpaired_device_on_a_cable_is_given_its_key(tmp_path: Path) -> None:
    with PtyCable(tmp_path / "usb0") as cable:
        async with SerialDoor(SerialSettings(ports=(cable.host_port,)), House(), NoticeBoard()):
            device = HandDevice(cable.device_port)
            await device.expect(lambda frame: frame.kind is Kind.HAIL)
            device.send(Kind.HELLO, b'{"device_id": "desk", "paired": false}')
            assert (await device.message("key"))["token"] == "lobug_desk"
            device.close()


async def test_a_reply_under_way_ends_when_its_device_is_revoked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house = House()
    async with desk(tmp_path, house, NoticeBoard()) as (device, _):
        house.rest.clear()
        device.tell(type="say", turn_id="t1", text="a secret")
        await device.message("piece")
        house.welcome = False
        house.rest.set()
        seen = [await device.expect(lambda frame: True)]
        while seen[-1].kind is not Kind.HAIL:
            seen.append(await device.expect(lambda frame: True))
        assert b"a secret" not in b"".join(frame.payload for frame in seen)
        assert "desk was revoked" in caplog.text
        device.link = 8
        device.send(Kind.HELLO, b'{"device_id": "desk"}')  # it may be paired anew
        await device.expect(lambda frame: frame.kind is Kind.WELCOME)
        await device.nothing(lambda frame: frame.kind is Kind.HAIL, 3.0)


async def test_a_device_that_never_acknowledges_is_let_go_and_may_come_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    board = NoticeBoard()
    async with desk(tmp_path, House(), board) as (device, _):
        device.acknowledges = False
        board.post(SetVolume(30), "desk")
        await device.expect(lambda frame: frame.kind is Kind.HAIL)
        assert board.heard_by() == frozenset()
        assert "acknowledges nothing" in caplog.text
        device.acknowledges, device.link = True, 8
        device.send(Kind.HELLO, b'{"device_id": "desk"}')
        await device.expect(lambda frame: frame.kind is Kind.WELCOME)


async def test_frames_of_an_earlier_link_do_not_count(tmp_path: Path) -> None:
    house = House()
    async with desk(tmp_path, house, NoticeBoard()) as (device, _):
        old = encode(Frame(Kind.CONTROL, device.link, 1, b'{"type":"say","turn_id":"old","text":"stale"}'))
        device.link = 8
        device.send(Kind.HELLO, b'{"device_id": "desk"}')
        await device.expect(lambda frame: frame.kind is Kind.WELCOME and frame.link == 8)
        device.write(old)
        device.tell(type="say", turn_id="new", text="hello")
        await device.message("done")
    assert [heard.turn_id for heard in house.heard] == ["new"]


async def test_a_flood_of_readings_and_noise_leaves_turns_alive(tmp_path: Path) -> None:
    house = House()
    async with desk(tmp_path, house, NoticeBoard()) as (device, _):
        for number in range(300):
            device.tell(type="sense", readings={"temperature": number})
            device.write(b"Guru Meditation Error\r\n")
            if number % 20 == 19:  # as much as the cable holds
                await device.expect(answer_to(number + 1))
        device.tell(type="say", turn_id="t1", text="hello")
        assert (await device.message("done"))["text"] == "You said hello"
    assert [readings["temperature"] for _, readings in house.sensed] == list(range(300))
