"""What memory shows over HTTP, over a real file and a real socket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from memory_house import Clock, tell

from edge_memory.memory import OWNER, Memory
from firmware_bridge.settings import ServerSettings
from firmware_bridge.web.doors import door_keeper
from firmware_bridge.web.failures import failures
from firmware_bridge.web.recollections import MemoryRoutes

Client = TestClient[web.Request, web.Application]


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    async with Memory(tmp_path / "memory.db", serve=True, clock=Clock()) as memory:
        await memory.prepare()
        yield memory


@pytest.fixture
async def client(memory: Memory) -> AsyncIterator[Client]:
    app = web.Application(middlewares=[failures, door_keeper(memory.devices, ServerSettings())])
    app.add_routes(MemoryRoutes(memory).routes())
    async with TestClient(TestServer(app)) as client:
        yield client


async def get(client: Client, path: str) -> tuple[int, Any]:
    async with client.get(path) as response:
        return response.status, await response.json()


async def test_the_profile_is_shown_with_confidence_and_time(memory: Memory, client: Client) -> None:
    await tell(memory, "I live in Bergen", "I moved to Narvik", "I'm allergic to bees")
    status, profile = await get(client, "/memory/profile")
    assert status == 200
    sections = {"identity", "hard_preferences", "soft_preferences", "current_tasks", "recent_changes"}
    assert set(profile) == sections | {"sensitive_topics", "stored"}
    (home,) = profile["identity"]["user.home"]
    assert {"record_id", "text", "value", "confidence", "since"} == set(home)
    assert profile["recent_changes"][0]["was"] == "The user lives in Bergen"
    assert profile["recent_changes"][0]["now"] == "The user moved to Narvik"


async def test_a_record_tells_what_it_replaced(memory: Memory, client: Client) -> None:
    await tell(memory, "I live in Bergen", "I moved to Narvik")
    status, record = await get(client, "/memory/records/2")
    assert (status, record["replaced"], record["replaced_by"]) == (200, [1], None)
    _, old = await get(client, "/memory/records/1")
    assert (old["status"], old["replaced"], old["replaced_by"]) == ("superseded", [], 2)
    assert [entry["before"] for entry in record["history"]] == [None]


async def test_records_and_hits_are_narrowed_by_kind_and_scope(memory: Memory, client: Client) -> None:
    await memory.notes.episode("the boat sank", "", [], OWNER)
    await memory.notes.procedure("mend the boat", ["dry it"], "boats/*", OWNER)
    for query, total in (
        ("kind=event", 1),
        ("scope=boats/red", 1),
        ("scope=cars/*", 0),
        ("kind=workflow&scope=boats/*", 1),
    ):
        assert (await get(client, f"/memory/records?{query}"))[1]["total"] == total
        assert len((await get(client, f"/memory/search?q=boat&{query}"))[1]["hits"]) == total
    for query in ("records?kind=rumour", "search?q=boat&ranker=guess", "search?q=boat&status=gone"):
        status, refused = await get(client, f"/memory/{query}")
        assert (status, refused["error"]["code"]) == (422, "bad_request")


async def test_a_ranker_and_a_run_are_chosen_by_the_query(memory: Memory, client: Client) -> None:
    await tell(memory, "I live in Bergen", "I moved to Narvik")
    await memory.notes.jot("move-1", "Bergen is to be left", OWNER)
    _, exact = await get(client, "/memory/search?q=the+user+moved+to+Narvik&ranker=deterministic")
    assert exact["hits"][0]["why"]["exact"] == 16.0
    _, nothing = await get(client, "/memory/search?q=Narvik&ranker=knn")
    assert (nothing["hits"], nothing["degraded"]) == ([], "no embedder")
    _, ended = await get(client, "/memory/search?q=Bergen&status=superseded")
    assert [hit["text"] for hit in ended["hits"]] == ["The user lives in Bergen"]
    assert (await get(client, "/memory/search?q=Bergen"))[1]["hits"] == []
    _, noted = await get(client, "/memory/search?q=Bergen&session_id=move-1")
    assert [hit["text"] for hit in noted["hits"]] == ["Bergen is to be left"]
    assert (await get(client, "/memory/records?session_id=move-1"))[1]["total"] == 1


async def test_nothing_can_be_written_this_way(memory: Memory, client: Client) -> None:
    await memory.learn("the hens need grit")
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for path in ("/memory/records/1", "/memory/records", "/memory/profile", "/memory/search"):
            async with client.request(method, path, json={}) as response:
                assert response.status == 405
                assert (await response.json())["error"]["code"] == "unknown_method"
