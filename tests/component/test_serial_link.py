"""The serial door on a pty cable, with a hand-made device at its other end: what it takes, refuses and survives."""

from __future__ import annotations

import asyncio
import json
import os
import struct
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from cobs import cobs

from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import (
    Action,
    Expression,
    Heard,
    PlayAudio,
    ReminderDue,
    ReplySound,
    ReplyText,
    Said,
    SetVolume,
    ShowFace,
    Sound,
    TurnBegun,
    TurnEvent,
    VoiceEvent,
)
from firmware_bridge.device import NoticeBoard, SerialDoor
from firmware_bridge.device.framing import Frame, FrameReader, Kind, encode
from firmware_bridge.device.link import Attached, SerialLink
from firmware_bridge.device.port import SerialPort
from firmware_bridge.device.pty_cable import PtyCable
from firmware_bridge.errors import BadRequest, BadText, ModelLoading, PortUnusable
from firmware_bridge.settings import SerialSettings


class House:
    """Answers with what was said. Nothing is on disk before `disk` is set."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.sounds: list[bytes] = []
        self.sensed: list[tuple[str, dict[str, Reading]]] = []
        self.disk = asyncio.Event()
        self.disk.set()
        self.rest = asyncio.Event()
        self.rest.set()
        self.welcome = True

    async def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]:
        assert heard.turn_id
        if not heard.text:
            raise BadText("the text is empty", "say something")
        if heard.text == "too early":
            raise ModelLoading("the model is loading", "wait")
        await self.disk.wait()
        self.heard.append(heard)
        yield TurnBegun(heard.turn_id, heard.session_id)
        yield ReplyText("You said ")
        await self.rest.wait()
        yield ReplyText(heard.text)
        yield Said(Action.RESPOND, f"You said {heard.text}", heard.turn_id, heard.session_id)

    async def listen(self, heard: Heard, pcm: bytes, rate: int) -> AsyncIterator[VoiceEvent]:
        assert heard.turn_id
        self.sounds.append(pcm)
        yield TurnBegun(heard.turn_id, heard.session_id)
        yield Said(Action.RESPOND, "I heard you", heard.turn_id, heard.session_id)

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None:
        if "nested" in readings:
            raise BadRequest("nested readings are not taken", "flatten them")
        self.sensed.append((device_id, readings))

    async def is_welcome(self, device_id: str) -> bool:
        return self.welcome

    async def key_for(self, device_id: str, *, has_key: bool) -> str | None:
        return None if has_key else f"lobug_{device_id}"


class HandDevice:
    """The device's end of a cable, frame by frame."""

    def __init__(self, path: str, link: int = 7) -> None:
        self.link = link
        self._fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._reader = FrameReader()
        self._arrived: list[Frame] = []
        self.acknowledges = True
        self._seq = 0

    def close(self) -> None:
        os.close(self._fd)

    def write(self, raw: bytes) -> None:
        os.write(self._fd, raw)

    def send(self, kind: Kind, payload: bytes = b"", seq: int = 0) -> None:
        self.write(encode(Frame(kind, self.link, seq, payload)))

    def tell(self, **message: Any) -> int:
        self._seq += 1
        self.send(Kind.CONTROL, json.dumps(message).encode(), self._seq)
        return self._seq

    async def expect(self, wanted: Callable[[Frame], bool], seconds: float = 5.0) -> Frame:
        async with asyncio.timeout(seconds):
            while True:
                self._read()
                for index, frame in enumerate(self._arrived):
                    if wanted(frame):
                        del self._arrived[: index + 1]
                        return frame
                await asyncio.sleep(0.005)

    async def message(self, kind: str) -> dict[str, Any]:
        frame = await self.expect(lambda f: f.kind is Kind.CONTROL and json.loads(f.payload)["type"] == kind)
        told: dict[str, Any] = json.loads(frame.payload)
        return told

    async def link_up(self, device_id: str = "desk") -> None:
        await self.expect(lambda frame: frame.kind is Kind.HAIL)
        self.send(Kind.HELLO, json.dumps({"device_id": device_id, "board": "hand"}).encode())
        await self.expect(lambda frame: frame.kind is Kind.WELCOME)

    async def nothing(self, wanted: Callable[[Frame], bool], seconds: float) -> None:
        with suppress(TimeoutError):
            frame = await self.expect(wanted, seconds)
            raise AssertionError(f"{frame} came")

    def _read(self) -> None:
        with suppress(BlockingIOError):
            for item in self._reader.feed(os.read(self._fd, 65_536)):
                assert isinstance(item, Frame), item
                self._arrived.append(item)
                if item.kind in (Kind.CONTROL, Kind.PART) and self.acknowledges:
                    self.send(Kind.ACK, seq=item.seq)


@asynccontextmanager
async def desk(tmp_path: Path, house: House, board: NoticeBoard) -> AsyncIterator[tuple[HandDevice, PtyCable]]:
    with PtyCable(tmp_path / "usb0") as cable:
        async with SerialDoor(SerialSettings(ports=(cable.host_port,)), house, board):
            device = HandDevice(cable.device_port)
            try:
                await device.link_up()
                yield device, cable
            finally:
                device.close()


def answer_to(seq: int) -> Callable[[Frame], bool]:
    return lambda frame: frame.seq == seq and frame.kind in (Kind.ACK, Kind.REFUSAL)


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


async def test_two_devices_with_one_id(tmp_path: Path) -> None:
    board = NoticeBoard()
    with PtyCable(tmp_path / "usb0") as first_cable, PtyCable(tmp_path / "usb1") as second_cable:
        ports = SerialSettings(ports=(first_cable.host_port, second_cable.host_port))
        async with SerialDoor(ports, House(), board) as door:
            first, second = HandDevice(first_cable.device_port), HandDevice(second_cable.device_port, link=8)
            await first.link_up()
            await second.expect(lambda frame: frame.kind is Kind.HAIL)
            second.send(Kind.HELLO, b'{"device_id": "desk"}')
            refusal = await second.expect(lambda frame: frame.kind is Kind.REFUSAL)
            assert json.loads(refusal.payload)["error"]["code"] == "device_id_taken"
            second.send(Kind.HELLO, b'{"device_id": "bed"}')
            await second.expect(lambda frame: frame.kind is Kind.WELCOME)
            assert door.devices == {"desk", "bed"}
            board.post(SetVolume(30), "bed")
            assert (await second.message("volume"))["percent"] == 30
            await first.nothing(lambda frame: frame.kind is Kind.CONTROL, 0.2)
            first.close()
            second.close()


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
        while board.heard_by():  # noqa: ASYNC110 - the door has no event for it
            await asyncio.sleep(0.005)
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
                while True:
                    frame = await device.expect(lambda frame: frame.kind is Kind.AUDIO, 0.15)
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

    async def listen(self, heard: Heard, pcm: bytes, rate: int) -> AsyncIterator[VoiceEvent]:
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
        done = await device.expect(lambda f: f.kind is Kind.CONTROL and b'"done"' in f.payload, 12.0)
    assert json.loads(done.payload)["turn_id"] == "t1"


class Broken(House):
    """Has one bug."""

    async def key_for(self, device_id: str, *, has_key: bool) -> str | None:
        if device_id == "broken":
            raise RuntimeError("one bug")
        return None


async def test_what_breaks_one_cable_ends_neither_the_others_nor_itself(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with PtyCable(tmp_path / "usb0") as first_cable, PtyCable(tmp_path / "usb1") as second_cable:
        ports = SerialSettings(ports=(first_cable.host_port, second_cable.host_port))
        async with SerialDoor(ports, Broken(), NoticeBoard()) as door:
            broken, whole = HandDevice(first_cable.device_port), HandDevice(second_cable.device_port, link=8)
            await broken.link_up("broken")
            await whole.link_up("whole")
            await broken.expect(lambda frame: frame.kind is Kind.HAIL)
            assert "one bug" in caplog.text
            assert "whole" in door.devices
            whole.tell(type="say", turn_id="t1", text="hello")
            assert (await whole.message("done"))["turn_id"] == "t1"
            broken.close()
            whole.close()


async def test_a_device_that_never_acknowledges_is_let_go_and_may_come_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    board = NoticeBoard()
    async with desk(tmp_path, House(), board) as (device, _):
        device.acknowledges = False
        board.post(SetVolume(30), "desk")
        await device.expect(lambda frame: frame.kind is Kind.HAIL, 15.0)
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
            if number % 20 == 0:
                await asyncio.sleep(0.01)
        await device.expect(answer_to(300))
        device.tell(type="say", turn_id="t1", text="hello")
        assert (await device.message("done"))["text"] == "You said hello"
    assert [readings["temperature"] for _, readings in house.sensed] == list(range(300))


async def test_a_device_that_only_prints_is_hailed_and_harms_nothing(tmp_path: Path) -> None:
    with PtyCable(tmp_path / "usb0") as cable:
        async with SerialDoor(SerialSettings(ports=(cable.host_port,)), House(), NoticeBoard()) as door:
            device = HandDevice(cable.device_port)
            for _ in range(20):
                device.write(b"ets Jul 29 2019 12:21:46\r\nrst:0x1 (POWERON_RESET),boot:0x13\r\n" * 20)
                await asyncio.sleep(0.01)
            assert door.devices == frozenset()
            await device.link_up()
            assert door.devices == {"desk"}
            device.close()


async def test_a_port_that_nobody_named_is_not_written_to_before_a_device_says_hello(tmp_path: Path) -> None:
    with PtyCable(tmp_path / "usb0") as cable:
        device = HandDevice(cable.device_port)
        async with SerialPort(cable.host_port, 115_200) as port:
            link = SerialLink(port, House(), NoticeBoard(), Attached(), hail=False)
            running = asyncio.create_task(link.run())
            device.write(b"not of ours\r\n" + encode(Frame(Kind.AUDIO, 9)))
            await device.nothing(lambda frame: True, 0.5)
            device.send(Kind.HELLO, b'{"device_id": "desk"}')
            await device.expect(lambda frame: frame.kind is Kind.WELCOME)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        device.close()


async def test_a_port_where_nobody_says_hello_is_left_to_others(tmp_path: Path) -> None:
    with PtyCable(tmp_path / "usb0") as cable:
        async with SerialPort(cable.host_port, 115_200) as port:
            link = SerialLink(port, House(), NoticeBoard(), Attached(), hail=False)
            await asyncio.wait_for(link.run(), 7)
    assert not link.recognised


async def test_a_port_that_is_in_use_is_refused(tmp_path: Path) -> None:
    with PtyCable(tmp_path / "usb0") as cable:
        async with SerialPort(cable.host_port, 115_200):
            with pytest.raises(PortUnusable, match="does not open"):
                await SerialPort(cable.host_port, 115_200).__aenter__()
        with pytest.raises(PortUnusable):
            await SerialPort(str(tmp_path / "nothing"), 115_200).__aenter__()
