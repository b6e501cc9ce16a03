"""Serial ports: several cables, what is no device of ours, and what is taken already."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from serial_desk import HandDevice, House

from firmware_bridge.contracts import (
    SetVolume,
)
from firmware_bridge.device import NoticeBoard, SerialDoor
from firmware_bridge.device.framing import Frame, Kind, encode
from firmware_bridge.device.link import Attached, SerialLink
from firmware_bridge.device.port import SerialPort
from firmware_bridge.device.pty_cable import PtyCable
from firmware_bridge.errors import PortUnusable
from firmware_bridge.settings import SerialSettings


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
            await link.run()
    assert not link.recognised


async def test_a_port_that_is_in_use_is_refused(tmp_path: Path) -> None:
    with PtyCable(tmp_path / "usb0") as cable:
        async with SerialPort(cable.host_port, 115_200):
            with pytest.raises(PortUnusable, match="does not open"):
                await SerialPort(cable.host_port, 115_200).__aenter__()
        with pytest.raises(PortUnusable):
            await SerialPort(str(tmp_path / "nothing"), 115_200).__aenter__()
