"""Clients that are slow, silent or greedy: each is let go in time and told why, and nobody else notices."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from load import busy_house
from web_house import MANNER, House, echo, open_house

from edge_memory.memory import Memory
from firmware_bridge.app.cables import CabledCompanion
from firmware_bridge.contracts import Heard, Said
from firmware_bridge.device.messages import refusal_payload
from firmware_bridge.errors import ModelBusy, TooOften
from firmware_bridge.rate import Rate
from firmware_bridge.turn import Dialogue
from firmware_bridge.turn.scripted import ScriptedReplies

PATIENCE = 2.0  # far more than a request takes, also where other work keeps the cores busy
FORM = b'--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n'


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, patience_seconds=PATIENCE) as house:
        yield house


def request(path: str, length: int, kind: str = "application/json") -> bytes:
    return (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n".encode()
    )


async def drip(house: House, at_once: bytes, one_by_one: bytes) -> bytes:
    """What comes back until the companion closes, long before the last byte was sent."""
    host, port = house.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(at_once)
    dripping = asyncio.create_task(_drip(writer, one_by_one))
    answer = b""
    with suppress(ConnectionError):
        while piece := await reader.read(4_096):
            answer += piece
    dripping.cancel()
    await asyncio.wait([dripping])
    assert not one_by_one or dripping.cancelled() or not dripping.result()
    writer.close()
    return answer


async def _drip(writer: asyncio.StreamWriter, data: bytes) -> bool:
    """Whether all of it could be sent."""
    try:
        for byte in data:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(PATIENCE / 10)
    except ConnectionError:
        return False
    return True


SLOW: dict[str, tuple[bytes, bytes, str | None]] = {
    "silent": (b"", b"", None),
    "slow head": (b"POST /chat/text HTTP/1.1\r\n", b"X-Long: " + b"x" * 1_000, None),
    "slow body": (request("/chat/text", 1_000), b" " * 1_000, "body_too_slow"),
    "half a body": (request("/chat/text", 1_000) + b'{"text"', b"", "body_too_slow"),
    "slow recording": (request("/chat/audio", 100_000, "audio/wav"), b"RIFF" + b"x" * 1_000, "body_too_slow"),
    "slow form": (request("/chat/audio", 9_000, "multipart/form-data; boundary=b"), FORM + b"x" * 999, "body_too_slow"),
    "silent after an answer": (b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"", None),
}


async def test_slow_clients_are_let_go_while_others_are_answered(house: House) -> None:
    dripping = {name: asyncio.create_task(drip(house, *how[:2])) for name, how in SLOW.items()}
    for turn in range(10):
        status, told = await house.ask("POST", "/chat/text", json={"text": f"turn {turn}"})
        assert (status, told["text"].strip()) == (200, f"You said turn {turn}.")
        await asyncio.sleep(PATIENCE / 10)
    for name, (_, _, code) in SLOW.items():
        answer = await dripping[name]
        if code is not None:
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == code, name


async def test_heads_have_a_bounded_number_of_lines(house: House) -> None:
    statuses = []
    for many in (50, 100):
        headers = {f"X-{number}": "x" for number in range(many)}
        async with house.session.get(f"{house.url}/health", headers=headers) as response:
            statuses.append(response.status)
    assert statuses == [200, 400]


async def test_a_device_that_floods_is_told_to_wait_and_the_others_are_not(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False, turns_per_minute=3) as house:
        flooding, quiet = await house.pair("flooding"), await house.pair("quiet")
        statuses = [
            (await house.ask("POST", "/chat/text", flooding, json={"text": f"turn {turn}"}))[0] for turn in range(5)
        ]
        assert statuses == [200, 200, 200, 429, 429]
        async with house.session.post(
            f"{house.url}/chat/text", json={"text": "more"}, headers={"Authorization": f"Bearer {flooding}"}
        ) as response:
            assert 0 < int(response.headers["Retry-After"]) <= 60
            error = (await response.json())["error"]
        assert error["code"] == "too_often"
        assert "wait" in error["hint"]
        assert (await house.ask("GET", "/memory/stats", flooding))[0] == 200, "it may still read"
        assert (await house.ask("POST", "/chat/text", quiet, json={"text": "hello"}))[0] == 200
        status, senses = 204, 0
        while status == 204:  # one more a second is let in
            status, _ = await house.ask("POST", "/context/sensors", flooding, json={"light": senses})
            senses += 1
        assert status == 429
        assert senses > 60
        status, searches = 200, 0
        while status == 200:
            status, _ = await house.ask("GET", "/memory/search?q=tea", quiet)
            searches += 1
        assert status == 429
        assert searches > 60


async def test_a_device_on_a_cable_that_floods_is_told_to_send_it_later(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        cable = CabledCompanion(house.companion, house.memory.devices, turns_per_minute=2)

        async def said(device_id: str, text: str) -> list[str]:
            heard = Heard(text, session_id=device_id, device_id=device_id)
            return [event.text async for event in cable.talk(heard) if isinstance(event, Said)]

        assert [await said("flooding", text) for text in ("one", "two")] == [["You said one."], ["You said two."]]
        with pytest.raises(TooOften) as refused:
            await said("flooding", "three")
        assert json.loads(refusal_payload(refused.value))["error"]["retry"] is True
        assert await said("quiet", "hello") == ["You said hello."]
        for number in range(40):
            await cable.sense("flooding", {"light": number})
        with pytest.raises(TooOften):
            await cable.sense("flooding", {"light": 41})


async def test_the_owner_is_not_counted(tmp_path: Path) -> None:
    async with open_house(tmp_path, turns_per_minute=1) as house:
        assert [(await house.ask("POST", "/chat/text", json={"text": "hello"}))[0] for _ in range(4)] == [200] * 4


def test_a_rate_fills_up_evenly_and_no_further() -> None:
    now = 0.0
    rate = Rate(60, lambda: now)
    assert [rate.take("a") for _ in range(61)] == [0.0] * 60 + [1.0]
    assert rate.take("b") == 0.0
    now = 1.5
    assert rate.take("a") == 0.0
    assert rate.take("a") == pytest.approx(0.5)
    now = 1_000.0
    assert [rate.take("a") for _ in range(61)] == [0.0] * 60 + [1.0]


def test_a_rate_remembers_so_many_callers() -> None:
    rate = Rate(1, lambda: 0.0)
    for number in range(5_000):
        rate.take(f"device{number}")
    assert len(rate._left) <= 1_024


async def test_turns_that_wait_are_bounded(tmp_path: Path) -> None:
    async with (
        Memory(tmp_path / "memory.db", serve=True) as memory,
        Dialogue(memory, ScriptedReplies(echo, 0.001), MANNER, 200, most_running=8) as dialogue,
    ):
        talking = [said(dialogue, Heard(f"turn {number}", "busy")) for number in range(10)]
        done = await asyncio.gather(*talking, return_exceptions=True)
        assert [type(one) for one in done] == [Said] * 8 + [ModelBusy] * 2
        assert (await memory.stats())["turns"] == 8, "what was refused was not heard"
        assert isinstance(await said(dialogue, Heard("and on", "busy")), Said)


async def said(dialogue: Dialogue, heard: Heard) -> Said:
    return [event async for event in dialogue.talk(heard) if isinstance(event, Said)][-1]


async def test_many_devices_at_once_beside_slow_and_silent_clients(tmp_path: Path) -> None:
    """The quick form of `scripts/prove load`: nothing is lost, and all that nobody wants are let go."""
    async with busy_house(tmp_path / "home", devices=8, patience=PATIENCE) as house:
        await house.talk(64, unwelcome=2, least_seconds=2.5 * PATIENCE)
    load = house.load
    assert (load.turns, load.lost) == (64, 0)
    assert len(load.closed) == 6
    assert all(load.closed.values())
    assert load.longest_stay < 20 * PATIENCE
    assert load.most_tasks < 10 * (8 + 12), "a bounded number for each connection"
