"""What the dashboard asks for: decisions, devices, readings over time, versions, what happens; and the owner's key."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import aiohttp
from memory_house import digest
from web_house import House, open_house

from edge_memory.store import owner_key


async def tell(house: House, *sentences: str, token: str | None = None) -> None:
    for sentence in sentences:
        assert (await house.ask("POST", "/chat/text", token, json={"text": sentence}))[0] == 200
        await digest(house.memory)


async def wait_with_allergy(house: House) -> int:
    """The id of a record that waits for a decision."""
    await tell(house, "I'm allergic to peanuts", "I'm not allergic to peanuts any more")
    status, waiting = await house.ask("GET", "/memory/review")
    assert (status, waiting["total"]) == (200, 1)
    record = waiting["records"][0]
    assert (record["status"], len(record["replaces"]), bool(record["reason"])) == ("pending", 1, True)
    return int(record["id"])


async def test_confirming_ends_what_it_replaces_and_is_done_once(house: House) -> None:
    waiting = await wait_with_allergy(house)
    status, decided = await house.ask("POST", f"/memory/review/{waiting}/confirm")
    assert (status, decided["record"]["status"]) == (200, "active")
    assert [ended["status"] for ended in decided["ended"]] == ["expired"]
    status, again = await house.ask("POST", f"/memory/review/{waiting}/confirm")
    assert (status, again["error"]["code"]) == (409, "wrong_state")


async def test_rejecting_changes_nothing_else(house: House) -> None:
    waiting = await wait_with_allergy(house)
    status, decided = await house.ask("POST", f"/memory/review/{waiting}/reject")
    assert (status, decided["record"]["status"], decided["ended"]) == (200, "tombstoned", [])
    for wrong, expected in (("99", 404), ("x", 422)):
        assert (await house.ask("POST", f"/memory/review/{wrong}/reject"))[0] == expected


async def test_what_goes_is_shown_before_it_goes_for_good(house: House) -> None:
    await tell(house, "my sister is called Philomena", "Philomena lives in Leeds", "I like plum jam")
    _, found = await house.ask("GET", "/memory/search?q=sister")
    path = f"/memory/records/{found['hits'][0]['id']}/forget"
    status, shown = await house.ask("POST", path, json={})
    assert (status, shown["forgotten"]) == (200, [])
    assert "Philomena" in shown["would_forget"][0]["text"]
    status, refused = await house.ask("POST", path, json={"ids": [*shown["ids"], 99]})
    assert (status, refused["error"]["code"]) == (422, "bad_request")
    assert (await house.ask("POST", path, json={"ids": shown["ids"]}))[1]["forgotten"] == shown["ids"]
    assert (await house.ask("POST", path, json={}))[0] == 409
    _, left = await house.ask("GET", "/memory/records?status=active")
    assert "The user likes plum jam" in [record["text"] for record in left["records"]]
    assert not any("called Philomena" in (turn["heard"] or "") for turn in await house.memory.turns(None, 10))


async def test_all_of_it_can_be_carried_away(house: House) -> None:
    await tell(house, "I like plum jam")
    async with house.session.get(house.url + "/memory/export") as response:
        assert re.fullmatch(
            r'attachment; filename="lobug-memory-[\d-]+\.json"', response.headers["Content-Disposition"]
        )
        document = await response.json()
    assert [record["text"] for record in document["records"]] == ["The user likes plum jam"]
    assert (await house.memory.transfer.take_in(document)).records == 0, "it is what import reads, and all here already"


async def test_only_the_owner_decides_and_by_key_also_from_elsewhere(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False) as house:
        first = await house.memory.devices.renew_owner_key()
        key = await house.memory.devices.renew_owner_key()
        device = await house.pair("desk")
        await tell(house, "I'm allergic to peanuts", "I'm not allergic to peanuts any more", token=key)
        _, waiting = await house.ask("GET", "/memory/review", device)
        path = f"/memory/review/{waiting['records'][0]['id']}/confirm"
        assert (await house.ask("POST", path, device))[0] == 403
        assert (await house.ask("GET", "/devices", device))[0] == 403
        assert (await house.ask("GET", "/memory/export", device))[0] == 403
        assert (await house.ask("POST", "/memory/records/1/forget", device, json={}))[0] == 403
        assert waiting["may_decide"] is False
        assert (await house.ask("GET", "/memory/review", key))[1]["may_decide"] is True
        for wrong in (None, first, key[:-1], owner_key.PREFIX):
            assert (await house.ask("POST", path, wrong))[0] == 401
        assert (await house.ask("POST", path, key))[0] == 200
        await house.memory.devices.remove_owner_key()
        assert (await house.ask("GET", "/devices", key))[0] == 401
    for raw in [file.read_bytes() for file in sorted(tmp_path.iterdir())]:
        assert key.removeprefix(owner_key.PREFIX).encode() not in raw


async def test_devices_with_when_they_were_last_heard_from(house: House) -> None:
    quiet, talks, senses = [await house.pair(name) for name in ("a-quiet", "b-talks", "c-senses")]
    await tell(house, "hello there", token=talks)
    await house.ask("POST", "/context/sensors", senses, json={"lux": 3})
    with house.board.listen("b-talks"):
        _, told = await house.ask("GET", "/devices")
    assert [(one["device_id"], one["last_seen"] is not None, one["connected"]) for one in told["devices"]] == [
        ("a-quiet", False, False),
        ("b-talks", True, True),
        ("c-senses", True, False),
    ]
    assert "token" not in json.dumps(told)
    assert quiet not in json.dumps(told)


async def test_readings_over_time_are_thinned_and_a_device_sees_its_own(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        desk, bed = await house.pair("desk"), await house.pair("bed")
        await house.memory.sensing.sense("desk", {"lux": 1, "posture": "upright"})
        await asyncio.sleep(0.11)  # rows of whatever devices keep this distance
        await house.memory.sensing.sense("bed", {"lux": 2})
        _, told = await house.ask("GET", "/context/sensors")
        assert [(one["device_id"], one["name"]) for one in told["series"]] == [
            ("bed", "lux"),
            ("desk", "lux"),
            ("desk", "posture"),
        ]
        _, told = await house.ask("GET", "/context/sensors?name=lux", desk)
        assert [(one["device_id"], one["points"][-1][1]) for one in told["series"]] == [("desk", 1)]
        assert (await house.ask("GET", "/context/sensors?device_id=desk", bed))[0] == 403
        assert (await house.ask("GET", "/context/sensors?since=9999999999"))[1] == {"series": []}
        assert (await house.ask("GET", "/context/sensors?since=nan"))[0] == 422


async def test_versions_of_profile_and_base_memory(house: House) -> None:
    await tell(house, "I live in Bergen")
    assert await house.ask("GET", "/memory/base/versions") == (200, {"versions": []})
    status, told = await house.ask("GET", "/memory/profile/versions")
    assert (status, list(told)) == (200, ["versions"])


async def test_the_turn_that_a_record_came_from(house: House) -> None:
    await tell(house, "I live in Bergen", "I like plum jam")
    _, record = await house.ask("GET", "/memory/records/1")
    _, told = await house.ask("GET", f"/memory/turns?turn_id={record['source_turn_id']}")
    assert [turn["heard"] for turn in told["turns"]] == ["I live in Bergen"]


async def test_what_happens_is_told_to_whom_it_concerns(house: House) -> None:
    alex, sam = await house.pair("desk", user_id="alex"), await house.pair("bed", user_id="sam")

    async def watch(token: str) -> list[tuple[str, Any]]:
        seen: list[tuple[str, Any]] = []
        headers = {"Authorization": f"Bearer {token}"}
        async with house.session.get(f"{house.url}/events", headers=headers) as response:
            listening.release()
            while len(seen) < 2:
                name = (await response.content.readline()).decode().strip().removeprefix("event: ")
                if name in ("begun", "said", "memory"):
                    seen.append((name, json.loads((await response.content.readline()).decode().removeprefix("data: "))))
        return seen

    listening = asyncio.Semaphore(0)
    watching = [asyncio.create_task(watch(token)) for token in (alex, sam)]
    for _ in watching:
        await listening.acquire()
    await tell(house, "the hens are loose", token=alex)
    begun, said = await watching[0]
    assert (begun[0], begun[1]["heard"], begun[1]["device_id"]) == ("begun", "the hens are loose", "desk")
    assert (said[0], said[1]["text"]) == ("said", "You said the hens are loose.")
    assert not watching[1].done()
    house.companion.happenings.memory_changed()
    await tell(house, "good night", token=sam)
    assert {name for name, _ in await watching[1]} <= {"memory", "begun"}


async def test_who_watches_is_let_go_when_the_companion_closes(tmp_path: Path) -> None:
    async with aiohttp.ClientSession() as session:
        async with open_house(tmp_path) as house:
            response = await session.get(f"{house.url}/events")
            rest = asyncio.create_task(response.read())
        assert await asyncio.wait_for(rest, 240) == b""
