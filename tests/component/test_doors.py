"""Nobody gets in without being paired: every route, every way to be wrong, over real sockets."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from web_house import House, open_house, until

from firmware_bridge.contracts import SetVolume
from firmware_bridge.web.doors import DOORS, Access, _Guesses

TALK = {"text": "hello there"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Loopback is not trusted here, so that every caller stands where the network stands."""
    async with open_house(tmp_path, trust_loopback=False) as house:
        yield house


async def test_every_route_has_its_door_and_every_door_a_route(house: House) -> None:
    assert house.site.routes() == set(DOORS), "a new route needs a row in firmware_bridge/web/doors.py"


async def test_no_route_answers_to_a_token_that_is_not_right(tmp_path: Path, house: House) -> None:
    right = await house.pair("desk")
    revoked = await house.pair("old")
    await house.memory.devices.revoke("old")
    wrong = {
        "none": None,
        "empty": "",
        "wrong": "lobug_" + "A" * 43,
        "of another form": "sk-12345",
        "revoked": revoked,
        "truncated": right[:-1],
        "prefix": right[:20],
        "lengthened": right + "A",
        "other case": right.swapcase(),
        "twice": f"{right},{right}",
    }
    guarded = {route for route in house.site.routes() if DOORS[route] is not Access.ANYONE}
    assert len(guarded) >= 10
    for method, path in guarded:
        for name, token in wrong.items():
            status, answer = await house.ask(method, re.sub(r"{\w+}", "1", path), token, json=TALK)
            assert status in (401, 429), (method, path, name, status)
            assert answer["error"]["code"] in ("not_paired", "too_many_tries")
            assert answer["error"]["hint"]
    assert (await house.memory.stats())["turns"] == 0
    assert (await house.ask("GET", "/health", right))[0] == 200, "the right one opens, however many were wrong before"


async def test_no_route_answers_to_a_page_of_another_origin_even_with_the_right_token(house: House) -> None:
    right = await house.pair("desk")
    port = house.url.rpartition(":")[2]
    foreign = {
        "another site": {"Origin": "https://evil.example"},
        "our port by another name": {"Origin": f"http://evil.example:{port}"},
        "another port here": {"Origin": "http://127.0.0.1:1"},
        "no port": {"Origin": "http://127.0.0.1"},
        "our address within another": {"Origin": f"http://127.0.0.1:{port}.evil.example"},
        "a file or a frame without rights": {"Origin": "null"},
        "empty": {"Origin": ""},
        "no address": {"Origin": "http://["},
        "an image, a script or a form": {"Sec-Fetch-Site": "cross-site"},
        "a page of a neighbour": {"Sec-Fetch-Site": "same-site"},
    }
    for method, path in house.site.routes():
        for name, headers in foreign.items():
            status, _ = await house.ask(method, re.sub(r"{\w+}", "1", path), right, json=TALK, headers=headers)
            assert status == 421, (method, path, name, status)
    assert (await house.memory.stats())["turns"] == 0
    own = {"Origin": house.url, "Sec-Fetch-Site": "same-origin"}
    assert (await house.ask("GET", "/health", right, headers=own))[0] == 200


async def test_unknown_routes_tell_strangers_nothing(house: House) -> None:
    for path in ("/nowhere", "/memory", "/chat/text/", "/.env"):
        assert (await house.ask("GET", path))[0] == 401
    assert (await house.ask("GET", "/chat/text"))[0] == 401


async def test_only_one_bearer_token_counts(house: House) -> None:
    token = await house.pair("desk")
    for headers in (
        [("Authorization", f"Basic {token}")],
        [("Authorization", token)],
        [("Authorization", f"Bearer {token}"), ("Authorization", "Bearer x")],
        [("Cookie", f"Authorization=Bearer {token}")],
    ):
        async with house.session.get(f"{house.url}/health", headers=headers) as response:
            assert response.status in (401, 429)
            assert "WWW-Authenticate" in response.headers or response.status == 429
    assert (await house.ask("GET", f"/health?token={token}"))[0] == 401


async def test_guessing_is_slowed_down(house: House) -> None:
    answers = [(await house.ask("GET", "/health", f"lobug_{n}"))[0] for n in range(8)]
    assert answers == [401] * 5 + [429] * 3


def test_the_door_opens_again_after_a_minute_and_forgets_old_addresses() -> None:
    now = [1_000.0]
    guesses = _Guesses(lambda: now[0])
    waits = []
    for _ in range(7):
        waits.append(guesses.failed("10.0.0.7"))
        now[0] += 1
    assert waits[:5] == [0.0] * 5
    assert waits[5:] == [55.0, 54.0]
    now[0] += 60
    assert guesses.failed("10.0.0.7") == 0.0
    for number in range(3_000):
        guesses.failed(f"10.1.{number // 256}.{number % 256}")
    assert len(guesses._failures) <= 1_024


async def test_a_device_talks_in_its_own_session_for_its_owner(house: House) -> None:
    token = await house.pair("desk", user_id="alex")
    status, answer = await house.ask("POST", "/chat/text", token, json=TALK)
    assert (status, answer["session_id"]) == (200, "desk")
    (turn,) = await house.memory.turns(None, 10)
    assert (turn["session_id"], turn["device_id"]) == ("desk", "desk")
    for body, code in (
        ({"session_id": "default"}, "other_session"),
        ({"device_id": "bed"}, "other_device"),
    ):
        status, answer = await house.ask("POST", "/chat/text", token, json=TALK | body)
        assert (status, answer["error"]["code"]) == (403, code)
    status, answer = await house.ask("POST", "/context/sensors", token, json={"lux": 3, "device_id": "bed"})
    assert (status, answer["error"]["code"]) == (403, "other_device")
    assert (await house.ask("POST", "/context/sensors", token, json={"lux": 3}))[0] == 204
    sensed = await house.memory.sensing.sensed("desk")
    assert sensed is not None
    assert sensed.readings == {"lux": 3}


async def test_a_device_reads_its_own_users_memory_only(house: House) -> None:
    alex, sam = await house.pair("desk", user_id="alex"), await house.pair("bed", user_id="sam")
    (record,) = await house.memory.learn("the safe opens with 4711", user_id="alex")
    await house.ask("POST", "/chat/text", alex, json=TALK)
    assert (await house.ask("GET", "/memory/records", alex))[1]["total"] == 1
    assert (await house.ask("GET", f"/memory/records/{record.id}", alex))[0] == 200
    assert (await house.ask("GET", "/memory/search?q=safe", alex))[1]["hits"]
    assert len((await house.ask("GET", "/memory/turns", alex))[1]["turns"]) == 1
    assert (await house.ask("GET", "/memory/records", sam))[1]["total"] == 0
    assert (await house.ask("GET", f"/memory/records/{record.id}", sam))[0] == 404
    found = (await house.ask("GET", "/memory/search?q=safe", sam))[1]
    assert (found["hits"], found["turns"]) == ([], [])
    assert (await house.ask("GET", "/memory/search?q=safe&kind=fact", sam))[1]["hits"] == []
    assert (await house.ask("GET", "/memory/turns", sam))[1]["turns"] == []
    assert (await house.ask("GET", "/memory/turns?session_id=desk", sam))[1]["turns"] == []
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert (await house.ask(method, f"/memory/records/{record.id}", alex, json={}))[0] == 405


async def test_loopback_needs_no_token_but_a_bad_one_of_ours_is_refused(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        token = await house.pair("desk")
        assert (await house.ask("GET", "/health"))[0] == 200
        assert (await house.ask("GET", "/health", "sk-none"))[0] == 200, "OpenAI clients always send something"
        assert (await house.ask("GET", "/health", token))[0] == 200
        assert (await house.ask("GET", "/health", token[:-1]))[0] == 401
        assert (await house.ask("GET", "/health", headers={"X-Forwarded-For": "10.0.0.7"}))[0] == 401


async def test_a_guest_may_talk_where_guests_are_let_in_by_name(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False, allow_unpaired=True) as house:
        assert (await house.ask("POST", "/chat/text", json=TALK))[0] == 200
        assert (await house.ask("GET", "/health", "lobug_wrong"))[0] == 401


async def test_a_guest_passes_for_no_paired_device_and_hears_nothing_of_one(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False, allow_unpaired=True) as house:
        desk = await house.pair("desk")
        await house.pair("old")
        await house.memory.devices.revoke("old")
        await house.ask("POST", "/chat/text", desk, json=TALK | {"turn_id": "desk-1"})
        await house.ask("POST", "/context/sensors", desk, json={"lux": 3})
        for device_id in ("desk", "old"):
            for method, path, body in (
                ("GET", f"/device/events?wait=0&device_id={device_id}", None),
                ("GET", f"/context/sensors?device_id={device_id}", None),
                ("POST", "/context/sensors", {"lux": 4, "device_id": device_id}),
                ("POST", "/chat/text", TALK | {"device_id": device_id}),
                ("POST", "/chat/text", TALK | {"session_id": device_id}),
                ("POST", "/turns", TALK | {"session_id": device_id}),
            ):
                status, refused = await house.ask(method, path, json=body)
                assert (status, refused["error"]["code"][:6]) == (403, "other_"), (method, path, body)
        assert (await house.ask("GET", "/turns/desk-1"))[0] == 404
        assert (await house.memory.stats())["turns"] == 1, "what was refused was not heard"
        assert (await house.ask("GET", "/device/events?wait=0&device_id=mine"))[0] == 200
        assert (await house.ask("POST", "/context/sensors", json={"lux": 5, "device_id": "mine"}))[0] == 204
        await house.memory.sensing.flush()
        for token, device_id in ((None, "mine"), (desk, "desk")):
            (shown,) = (await house.ask("GET", "/context/sensors", token))[1]["series"]
            assert shown["device_id"] == device_id


async def test_a_guest_is_told_of_other_guests_turns_only(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False, allow_unpaired=True) as house:
        desk = await house.pair("desk")
        async with house.session.get(f"{house.url}/events", headers={"Accept": "text/event-stream"}) as events:
            await house.ask("POST", "/chat/text", desk, json={"text": "a secret"})
            await house.ask("POST", "/chat/text", json={"text": "the end"})
            told = b""
            async with asyncio.timeout(240):
                while b"the end" not in told:
                    told += await events.content.readany()
        assert b"a secret" not in told


async def test_what_a_guest_listens_to_is_closed_when_a_device_of_that_name_is_paired(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False, allow_unpaired=True) as house:
        polling = asyncio.create_task(house.ask("GET", "/device/events?device_id=desk&wait=60"))
        await until(lambda: "desk" in house.board.heard_by())
        await house.pair("desk")
        house.board.post(SetVolume(30), "desk")
        assert (await polling)[0] == 401


@pytest.mark.parametrize("path", ["", "/events", "/turns/t1"])
async def test_what_streams_to_a_device_ends_when_it_is_revoked(tmp_path: Path, path: str) -> None:
    async with open_house(tmp_path, lambda _: "one two three four", trust_loopback=False) as house:
        house.replies.hold(after_words=1)
        headers = {"Authorization": f"Bearer {await house.pair('desk')}", "Accept": "text/event-stream"}
        body = {"text": "count", "turn_id": "t1", "stream": True}
        async with AsyncExitStack() as stack:
            stream = await stack.enter_async_context(
                house.session.post(f"{house.url}/chat/text", headers=headers, json=body)
            )
            if path:
                stream = await stack.enter_async_context(house.session.get(f"{house.url}{path}", headers=headers))
            await house.memory.devices.revoke("desk")
            house.replies.go_on()
            async with asyncio.timeout(240):
                told = await stream.content.read()
        assert b"four" not in told
        assert path == "/events" or b"not_paired" in told


async def test_a_device_that_is_revoked_while_its_answer_is_made_does_not_get_it(tmp_path: Path) -> None:
    async with open_house(tmp_path, lambda _: "one two three four", trust_loopback=False) as house:
        house.replies.hold(after_words=1)
        token = await house.pair("desk")
        asking = asyncio.create_task(house.ask("POST", "/chat/text", token, json=TALK))
        while not (await house.memory.stats())["turns"]:
            await asyncio.sleep(0.01)
        await house.memory.devices.revoke("desk")
        house.replies.go_on()
        status, answer = await asking
        assert (status, answer["error"]["code"]) == (401, "not_paired")
        house.replies.hold(after_words=1)
        body = {"messages": [{"role": "user", "content": "count"}], "stream": True}
        headers = {"Authorization": f"Bearer {await house.pair('desk')}"}
        async with house.session.post(f"{house.url}/v1/chat/completions", headers=headers, json=body) as stream:
            await house.memory.devices.revoke("desk")
            house.replies.go_on()
            told = await stream.content.read()
        assert b"four" not in told
        assert b"not_paired" in told


async def test_a_device_completes_without_memory_and_talks_in_its_own_session_only(house: House) -> None:
    token = await house.pair("desk")
    mine = (await house.memory.devices.all())[0].session_id
    ask = {"messages": [{"role": "user", "content": "hello there"}]}
    status, answer = await house.ask("POST", "/v1/chat/completions", token, json=ask)
    assert (status, answer["choices"][0]["message"]["content"].strip()) == (200, "You said hello there.")
    assert (await house.memory.stats())["turns"] == 0
    status, answer = await house.ask("POST", "/v1/chat/completions", token, json=ask | {"user": "elsewhere"})
    assert (status, answer["error"]["code"], answer["error"]["type"]) == (403, "other_session", "permission_error")
    status, answer = await house.ask("POST", "/v1/chat/completions", token, json=ask | {"user": mine})
    assert (status, answer["lobug"]["session_id"]) == (200, mine)
    assert (await house.ask("GET", "/v1/models"))[1]["error"]["type"] == "authentication_error"
