"""Turns begun, fetched, followed and sent again, over real sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from web_house import House, open_house

from edge_memory.records import Message
from firmware_bridge.errors import InferenceError

TEN_WORDS = "one two three four five six seven eight nine ten"


@pytest.fixture
async def held(tmp_path: Path) -> AsyncIterator[House]:
    """No reply gets beyond three words until it may go on."""
    async with open_house(tmp_path, lambda messages: TEN_WORDS) as house:
        house.replies.hold(after_words=3)
        yield house
        house.replies.go_on()


async def test_a_turn_is_acknowledged_at_once_and_fetched_when_it_is_done(held: House) -> None:
    status, begun = await held.ask("POST", "/turns", json={"text": "hello", "turn_id": "m5-1"})
    assert (status, begun) == (202, {"turn_id": "m5-1", "session_id": "default", "state": "running"})
    status, running = await held.ask("GET", "/turns/m5-1")
    assert (status, running["state"]) == (202, "running")
    assert TEN_WORDS.startswith(running["text"])
    held.replies.go_on()
    status, done = await held.ask("GET", "/turns/m5-1?wait=60")
    assert (status, done["text"], done["turn_id"], done["action"]) == (200, TEN_WORDS, "m5-1", "respond")
    status, later = await held.ask("GET", "/turns/m5-1")
    assert (status, later["text"], later["timings"]) == (200, TEN_WORDS, done["timings"])


async def test_a_short_wait_ends_although_the_turn_goes_on(held: House) -> None:
    _, begun = await held.ask("POST", "/turns", json={"text": "hello"})
    status, answer = await held.ask("GET", f"/turns/{begun['turn_id']}?wait=0.1")
    assert (status, answer["state"]) == (202, "running")


async def test_a_turn_sent_again_is_not_doubled(held: House) -> None:
    body = {"text": "hello", "turn_id": "m5-1"}
    asking = asyncio.create_task(held.ask("POST", "/chat/text", json=body))
    answers = await asyncio.gather(*(held.ask("POST", "/turns", json=body) for _ in range(5)))
    assert [status for status, _ in answers] == [202] * 5
    held.replies.go_on()
    for status, answer in (await asking, await held.ask("POST", "/chat/text", json=body)):
        assert (status, answer["text"]) == (200, TEN_WORDS)
    assert len(await held.memory.turns(None, 10)) == 1
    assert len(held.replies.prompts) == 1


async def test_a_turn_is_followed_from_its_beginning(held: House) -> None:
    await held.ask("POST", "/turns", json={"text": "hello", "turn_id": "m5-1"})
    while (await held.ask("GET", "/turns/m5-1"))[1]["text"] != "one two three":
        pass
    async with held.session.get(f"{held.url}/turns/m5-1", headers={"Accept": "text/event-stream"}) as response:
        held.replies.go_on()
        stream = await response.text()
    events = [line.removeprefix("event: ") for line in stream.splitlines() if line.startswith("event: ")]
    data = [json.loads(line.removeprefix("data: ")) for line in stream.splitlines() if line.startswith("data: ")]
    assert (events[0], events[-1]) == ("begin", "done")
    assert "".join(one["text"] for one in data[1:-1]).strip() == data[-1]["text"] == TEN_WORDS


async def test_the_second_turn_of_a_session_waits_and_is_answered(held: House) -> None:
    assert (await held.ask("POST", "/turns", json={"text": "hello", "turn_id": "a"}))[0] == 202
    second = asyncio.create_task(held.ask("POST", "/turns", json={"text": "hello", "turn_id": "b"}))
    held.replies.go_on()
    assert (await second)[0] == 202
    assert (await held.ask("GET", "/turns/b?wait=60"))[1]["text"] == TEN_WORDS


async def test_turns_of_others_are_not_there(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False) as house:
        desk, bed = await house.pair("desk"), await house.pair("bed")
        await house.ask("POST", "/chat/text", desk, json={"text": "my secret", "turn_id": "d1"})
        assert (await house.ask("GET", "/turns/d1", desk))[0] == 200
        for path in ("/turns/d1", "/turns/none"):
            status, answer = await house.ask("GET", path, bed)
            assert (status, answer["error"]["code"]) == (404, "turn_not_found")
        status, answer = await house.ask("POST", "/turns", bed, json={"text": "what was it", "turn_id": "d1"})
        assert (status, answer["error"]["code"]) == (409, "turn_id_taken")


async def test_a_turn_that_broke_off_says_so_and_is_mended_by_sending_it_again(tmp_path: Path) -> None:
    broken = [True]

    def script(messages: Sequence[Message]) -> str:
        if broken[0]:
            raise InferenceError("the model broke", "try again")
        return "Now it works."

    async with open_house(tmp_path, script) as house:
        body = {"text": "hello", "turn_id": "m5-1"}
        assert (await house.ask("POST", "/turns", json=body))[0] == 202
        status, answer = 202, {}
        while status == 202:
            status, answer = await house.ask("GET", "/turns/m5-1")
        assert status == 503
        assert answer["error"]["code"] in ("turn_broken", "inference_failed")  # the latter while it breaks
        broken[0] = False
        assert (await house.ask("POST", "/turns", json=body))[0] == 202
        assert (await house.ask("GET", "/turns/m5-1?wait=5"))[1]["text"] == "Now it works."
        assert len(await house.memory.turns(None, 10)) == 1


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/turns/a b", 422, "bad_id"),
        ("/turns/" + "x" * 65, 422, "bad_id"),
        ("/turns/none", 404, "turn_not_found"),
    ],
)
async def test_bad_fetches(held: House, path: str, status: int, code: str) -> None:
    got, answer = await held.ask("GET", path)
    assert (got, answer["error"]["code"]) == (status, code)


async def test_bad_begins_and_waits(held: House) -> None:
    for body, code in (
        ({}, "bad_request"),
        ({"text": " "}, "bad_text"),
        ({"text": "hi", "turn_id": "a b"}, "bad_id"),
        ({"text": "hi", "stream": True}, "bad_request"),
    ):
        status, answer = await held.ask("POST", "/turns", json=body)
        assert (status, answer["error"]["code"]) == (422, code)
    await held.ask("POST", "/turns", json={"text": "hello", "turn_id": "m5-1"})
    for wait in ("-1", "nan", "61", "soon"):
        assert (await held.ask("GET", f"/turns/m5-1?wait={wait}"))[0] == 422
