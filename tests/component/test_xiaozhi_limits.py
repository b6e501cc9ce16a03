"""Whom a talk is open to, when it ends by itself, and nonsense over the socket."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest
from sounds import Samples, silence, speech
from web_house import House, open_house, until
from xiaozhi_socket import MAC, Device, connected
from xiaozhi_talking import QUESTION, REPLY, heard, scripted, settle

from edge_memory.store.devices import Invitation
from firmware_bridge.settings import SpeechSettings
from firmware_bridge.speech.protocols import Transcript

pytest.importorskip("av")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, scripted) as house:
        yield house


async def test_without_the_devices_own_token_there_is_no_talk(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False) as house:
        desk = await house.pair(MAC)
        other = await house.memory.devices.add("02:aa:bb:cc:dd:02", Invitation("owner"))
        for token, status in (("", 401), ("lobug_wrong", 401), (other, 403)):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                async with connected(house, token):
                    pass
            assert refused.value.status == status
        async with connected(house, desk) as device:
            await device.hello()
        async with house.session.get(house.url + "/xiaozhi/v1/", headers={"Authorization": f"Bearer {desk}"}) as page:
            assert page.status == 400, "it is a WebSocket"


async def test_a_talk_ends_when_its_device_is_revoked(tmp_path: Path) -> None:
    async with open_house(tmp_path, scripted, trust_loopback=False) as house:
        token = await house.pair(MAC)
        async with connected(house, token) as device:
            await device.hello()
            await house.memory.devices.revoke(MAC)
            await device.ended()


IDLE_SECONDS = 4.0  # a busy machine may keep a frame for a while


async def test_silence_ends_the_talk_and_so_does_a_hello_that_never_comes(tmp_path: Path) -> None:
    async with (
        open_house(tmp_path, speech=SpeechSettings(idle_seconds=3.0)) as house,
        connected(house) as talking,
        connected(house, mac="02:aa:bb:cc:dd:02") as silent,
        connected(house, mac="02:aa:bb:cc:dd:03") as mute,
    ):
        house.replies.hold()
        await talking.hello()
        await talking.listen("detect", text="hello there")
        await until(lambda: house.replies.prompts)
        await silent.hello()
        await silent.listen("start", mode="auto")
        with suppress(ConnectionError):
            while not silent.socket.closed:
                await silent.say(silence(0.5), pace=0.06)
        await silent.ended()
        await mute.ended()
        assert not talking.socket.closed
        house.replies.go_on()
        await talking.reply()


@pytest.mark.parametrize("mode", ["auto", "manual"])
async def test_a_talk_is_not_ended_while_somebody_speaks_or_is_being_understood(tmp_path: Path, mode: str) -> None:
    def hear(samples: Samples, hints: Sequence[str]) -> Transcript:
        time.sleep(IDLE_SECONDS + 0.5)
        return Transcript("hello there", -0.1)

    settings = SpeechSettings(idle_seconds=IDLE_SECONDS)
    async with open_house(tmp_path, scripted, speech=settings, hear=hear) as house, connected(house) as device:
        await device.hello()
        await device.listen("start", mode=mode)
        await device.say(speech(IDLE_SECONDS + 0.5), pace=0.06)
        if mode == "auto":
            saying = asyncio.create_task(device.say(silence(3.0), pace=0.06))
        else:
            await device.listen("stop")
        assert await device.reply() == REPLY
        if mode == "auto":
            await saying


async def test_spoken_turns_are_counted_and_listening_goes_on(tmp_path: Path) -> None:
    async with open_house(tmp_path, lambda _: "Ok.", turns_per_minute=2) as house, connected(house) as device:
        await device.hello()
        await device.listen("start", mode="auto")
        for _ in range(2):
            since = len(device.told)
            await device.say(QUESTION)
            assert await device.reply(since) == "Ok."
        for _ in range(2):
            since = len(device.told)
            await device.say(QUESTION)
            assert "too often" in (await device.until("alert", since))["message"]
        assert len(await heard(house)) == 2


async def test_a_device_that_floods_is_told_to_wait(tmp_path: Path) -> None:
    async with open_house(tmp_path, scripted, turns_per_minute=2) as house, connected(house) as device:
        await device.hello()
        for number in range(5):
            await device.listen("detect", text="and again")
            await until(lambda number=number: len(answers_of(device)) > number)
        assert answers_of(device) == ["stt", "stt", "alert", "alert", "alert"]
        assert len(await settle(house, 2)) == 2


def answers_of(device: Device) -> list[str]:
    """Whether what was typed was taken or refused."""
    return [message["type"] for message in device.messages() if message["type"] in ("stt", "alert")]


WRONG_BEGINNINGS: tuple[str | bytes, ...] = (
    b"\xff" * 40,
    "nonsense",
    "[]",
    "{" * 1_000,
    json.dumps({"type": "listen", "state": "start"}),
    json.dumps({"type": "hello", "version": 9}),
    json.dumps({"type": "hello", "version": "1"}),
    json.dumps({"type": "hello", "audio_params": [1]}),
    json.dumps({"type": "hello", "audio_params": {"format": "pcm"}}),
    json.dumps({"type": "hello", "features": 7}),
)


async def test_a_talk_that_begins_wrong_is_ended_with_a_reason(house: House) -> None:
    for first in WRONG_BEGINNINGS:
        async with connected(house) as device:
            await (device.socket.send_str(first) if isinstance(first, str) else device.socket.send_bytes(first))
            assert (await device.until("alert"))["message"]
            await device.ended()


async def test_nonsense_within_a_talk_is_let_go(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    async with connected(house, version=3) as device:
        await device.hello()
        await device.listen("start", mode="auto")
        await nonsense(device)
        await device.listen("start", mode="auto")
        await device.say(QUESTION)
        since = len(device.told)
        assert REPLY in await device.reply(since)
    assert not caplog.records
    assert (await heard(house))[-1] == "hello there"


async def nonsense(device: Device) -> None:
    deep = '{"type":' * 6_000
    for text in (
        "",
        "nonsense",
        "[1]",
        "null",
        deep,
        '{"type": 7}',
        '{"type": "iot", "states": []}',
        '{"type": "mcp"}',
    ):
        await device.socket.send_str(text)
    for message in (
        {"type": "listen"},
        {"type": "listen", "state": "start", "mode": "sometimes"},
        {"type": "listen", "state": "start", "mode": []},
        {"type": "listen", "state": "detect", "text": 7},
        {"type": "listen", "state": "detect", "text": "x" * 5_000},
        {"type": "hello", "version": 3},
        {"type": "mcp", "payload": {"id": [], "result": 7}},
        {"type": "mcp", "payload": {"jsonrpc": "2.0", "method": "notifications/state"}},
        {"type": "abort", "reason": {}},
        {"type": "ping"},
    ):
        await device.tell(**message)
    for frame in (b"", b"\0", b"\0\0\xff\xff", b"\x09\0\0\1x", b"\1\0\0\2{}", bytes(4), bytes(60_000)):
        await device.socket.send_bytes(frame)
    for packet in (b"\xff", bytes(range(100)), b"\xfc" * 3_000):
        await device.frame(packet)


async def test_a_message_that_is_far_too_large_ends_the_talk_alone(house: House) -> None:
    async with connected(house) as large, connected(house, mac="02:aa:bb:cc:dd:02") as device:
        await asyncio.gather(large.hello(), device.hello())
        await large.tell(type="listen", state="detect", text="x" * 100_000)
        await large.ended()
        assert large.socket.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG
        await device.listen("detect", text="hello there")
        assert await device.reply() == REPLY
