"""Memory as tools, through the official MCP client: over stdio and over HTTP."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import httpx2
import pytest
from companion_process import LOBUG, lobug
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_house import WITHOUT_WEIGHTS, call, over_stdio

from edge_memory.memory import Memory
from edge_memory.store.devices import Invitation

WRITES = {"learn", "episode", "procedure", "note", "close_run", "forget", "consolidate"}
READS = {"recall", "stats"}


@contextmanager
def served(data_dir: Path, **more: str) -> Iterator[str]:
    """`lobug mcp --http` as a process; its URL."""
    command = [LOBUG, "mcp", "--http", "--port", "0", "--data-dir", str(data_dir)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, **WITHOUT_WEIGHTS, **more}
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield found[0]
    finally:
        process.terminate()
        ended = process.wait(timeout=240)
        if process.stdout:
            process.stdout.close()
        assert ended == -signal.SIGTERM, "it leaves in order, then by the signal that ended it"


@asynccontextmanager
async def over_http(data_dir: Path) -> AsyncIterator[Client]:
    with served(data_dir) as url:
        async with Client(url) as client:
            yield client


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)


async def go_through_every_tool(client: Client) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert tools.keys() == WRITES | READS
    for name, tool in tools.items():
        assert tool.description
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (name in READS)
        if name in WRITES:
            assert tool.annotations.destructive_hint is (name == "forget")

    (kept,) = (
        await call(client, "learn", text="the API rate limit is 100 per minute", kind="fact", scope="src/api/*")
    )["records"]
    assert (kept["status"], kept["scope"]) == ("active", "src/api/*")
    episode = await call(client, "episode", text="the deploy broke", outcome="rolled back", tags=["deploy"])
    steps = {"name": "deploy", "steps": ["build", "push"], "scope": "ops/*"}
    procedure = await call(client, "procedure", **steps)
    assert (await call(client, "procedure", **steps))["id"] == procedure["id"]

    hits = (await call(client, "recall", query="rate limit"))["hits"]
    assert hits[0]["id"] == kept["id"]
    for scope, found in (("src/api/client.py", [kept["id"]]), ("src/*", [kept["id"]]), ("docs/*", [])):
        hits = (await call(client, "recall", query="rate limit", scope=scope))["hits"]
        assert [hit["id"] for hit in hits] == found, scope
    hits = (await call(client, "recall", query="deploy", kind="workflow"))["hits"]
    assert [hit["id"] for hit in hits] == [procedure["id"]]

    note = await call(client, "note", run="deploy-7", text="the cache was cold")
    assert (await call(client, "recall", query="cache"))["hits"] == []
    assert [hit["id"] for hit in (await call(client, "recall", query="cache", run="deploy-7"))["hits"]] == [note["id"]]
    assert (await call(client, "close_run", run="deploy-7"))["episode"] is None
    assert "no notes" in await refused(client, "close_run", run="deploy-7")

    assert (await call(client, "stats"))["records"] == 3
    assert (await call(client, "consolidate"))["merged"] == 0

    asked = await call(client, "forget", query="the deploy broke")
    assert asked["confirm_ids"] == [episode["id"]]
    assert asked["forgotten"] == []
    assert (await call(client, "recall", query="deploy broke"))["hits"][0]["id"] == episode["id"]
    assert "ask the user again" in await refused(client, "forget", query="the deploy broke", confirm_ids=[kept["id"]])
    assert "ask the user again" in await refused(client, "forget", query="the deploy broke", confirm_ids=[])
    gone = await call(client, "forget", query="the deploy broke", confirm_ids=asked["confirm_ids"])
    assert gone["forgotten"] == [episode["id"]]
    assert not (await call(client, "recall", query="broke"))["hits"]


@pytest.mark.parametrize("connected", [over_stdio, over_http])
async def test_every_tool(tmp_path: Path, connected: Any) -> None:
    async with connected(tmp_path) as client:
        await go_through_every_tool(client)


async def test_what_is_of_high_risk_waits_for_the_user(tmp_path: Path) -> None:
    async with Memory(tmp_path / "memory.db", serve=False) as memory, over_stdio(tmp_path) as client:
        await memory.learn("I am allergic to peanuts")
        for _ in range(3):
            (change,) = (await call(client, "learn", text="I am not allergic to peanuts any more"))["records"]
            assert change["status"] == "pending"
        believed = {
            hit["text"]: hit["status"] for hit in (await call(client, "recall", query="allergic peanuts"))["hits"]
        }
        assert believed["The user is allergic to peanuts"] == "active"

        told = {"text": "never commit secrets", "kind": "policy", "priority": "critical"}
        (policy,) = (await call(client, "learn", **told))["records"]
        assert (policy["status"], policy["kind"]) == ("pending", "policy")
        await memory.review.confirm(policy["id"])
        (again,) = (await call(client, "learn", text="never commit secrets", kind="fact", priority="normal"))["records"]
        assert (again["status"], again["kind"], again["priority"]) == ("active", "policy", "critical")


async def test_what_is_of_high_risk_is_erased_by_the_user_only(tmp_path: Path) -> None:
    async with Memory(tmp_path / "memory.db", serve=False) as memory, over_stdio(tmp_path) as client:
        for text in ("I am allergic to peanuts", "my name is Sam", "my savings are with the Alpine bank"):
            (record,) = await memory.learn(text)
            for query in (str(record.id), text.split()[-1]):
                for confirmed in ({}, {"confirm_ids": [record.id]}):
                    told = await refused(client, "forget", query=query, **confirmed)
                    assert f"lobug memory forget {record.id}" in told
        policy = (await call(client, "learn", text="never commit secrets", kind="policy"))["records"][0]["id"]
        assert f"record {policy}" in await refused(client, "forget", query=str(policy), confirm_ids=[policy])
        assert (await memory.stats())["records"] == 4
    assert lobug("memory", "forget", str(policy), "--yes", "--data-dir", str(tmp_path)).returncode == 0


async def test_without_trust_in_loopback_http_is_for_the_owners_key(tmp_path: Path) -> None:
    async with Memory(tmp_path / "memory.db", serve=False) as memory:
        device = await memory.devices.add("m5", Invitation(user_id="owner"))
        key = await memory.devices.renew_owner_key()
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream"}
    with served(tmp_path, LOBUG_SERVER__TRUST_LOOPBACK="false") as url:
        async with aiohttp.ClientSession(headers=accept) as session:
            for sent in (None, "Bearer", "Bearer nonsense", f"Bearer {device}", f"Basic {key}"):
                headers = {} if sent is None else {"Authorization": sent}
                async with session.post(url, json=body, headers=headers) as response:
                    assert response.status == 401, sent
                    assert "lobug dashboard --key" in (await response.json())["error"]["hint"]
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            assert (await call(client, "stats"))["records"] == 0


async def test_calls_that_make_no_sense_say_what_to_do(tmp_path: Path) -> None:
    async with over_stdio(tmp_path) as client:
        for tool, arguments, sign in (
            ("learn", {"text": "  "}, "give a sentence"),
            ("learn", {"text": "x y", "kind": "rumour"}, "kind"),
            ("learn", {"text": "x y", "scope": " "}, "scope"),
            ("learn", {}, "text"),
            ("recall", {"query": ""}, "some words"),
            ("recall", {"query": "x", "k": 0}, "k"),
            ("recall", {"query": "x", "token_budget": 1}, "token_budget"),
            ("procedure", {"name": "x", "steps": []}, "steps"),
            ("episode", {"text": "x" * 5_000}, "characters"),
            ("episode", {"text": "x", "tags": [str(number) for number in range(99)]}, "tags"),
            ("forget", {"query": "nothing of the kind"}, "nothing is known"),
            ("forget", {"query": "77"}, "77"),
            ("conjure", {}, "conjure"),
        ):
            assert sign in await refused_anyhow(client, tool, arguments), (tool, arguments)
        await call(client, "learn", text="the long story " + "word " * 500)
        (hit,) = (await call(client, "recall", query="long story", token_budget=50))["hits"]
        assert len(hit["text"]) == 200
        assert (await call(client, "stats"))["records"] == 1


async def refused_anyhow(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """As a failed result, or as a protocol error: clients show either."""
    try:
        return await refused(client, tool, **arguments)
    except Exception as error:  # noqa: BLE001 - the kind of protocol error is the library's own affair
        return str(error)


async def test_web_pages_and_strangers_get_nothing_over_http(tmp_path: Path) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream"}
    with served(tmp_path) as url:
        async with aiohttp.ClientSession(headers=accept) as session:
            for headers, status in (
                ({"Host": "evil.example"}, 421),
                ({"Origin": "http://evil.example"}, 403),
                ({}, 200),
            ):
                async with session.post(url, json=body, headers=headers) as response:
                    assert response.status == status, await response.text()
            async with session.post(url, data=b"x" * 300_000, headers={"Content-Type": "application/json"}) as response:
                assert response.status == 413
        port = url.split(":")[2].split("/")[0]
        taken = lobug("mcp", "--http", "--port", port, "--data-dir", str(tmp_path))
        assert taken.returncode == 1
        assert "another --port" in taken.stderr
