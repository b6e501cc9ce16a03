"""Many devices at once, by different protocols, on one file: no turn is lost, no session hears another."""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import openai
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from web_house import House, open_house
from xiaozhi_socket import connected

pytest.importorskip("av")
LOBUG = str(Path(sys.executable).with_name("lobug"))
TURNS = 3


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, seconds_per_word=0.005, trust_loopback=False) as house:
        yield house


def words(device: str, turn: int) -> str:
    return f"{device} speaks again {turn}"


async def by_http(house: House, device: str, token: str) -> list[str]:
    said = []
    for turn in range(TURNS):
        status, answer = await house.ask("POST", "/chat/text", token, json={"text": words(device, turn)})
        assert status == 200
        said.append(answer["text"])
    return said


async def by_openai(house: House, device: str, token: str, session: str) -> list[str]:
    said = []
    async with openai.AsyncOpenAI(base_url=f"{house.url}/v1", api_key=token, max_retries=0) as client:
        for turn in range(TURNS):
            chunks = await client.chat.completions.create(
                model="any",
                messages=[{"role": "user", "content": words(device, turn)}],
                user=session,
                stream=True,
            )
            said.append("".join([chunk.choices[0].delta.content or "" async for chunk in chunks]))
    return said


async def by_xiaozhi(house: House, device: str, token: str) -> list[str]:
    """Typed, and cut off as soon as the reply is shown: there is no need to hear it all."""
    said = []
    async with connected(house, token, mac=device) as talk:
        await talk.hello()
        for turn in range(TURNS):
            since = len(talk.told)
            await talk.listen("detect", text=words(device, turn))
            said.append((await talk.until("tts", since, state="sentence_start"))["text"])
            await talk.tell(type="abort")
            await talk.until("tts", since, state="stop")
    return said


async def by_mcp(folder: Path, number: int) -> list[str]:
    """An assistant in a process of its own, on the same file."""
    environment = {**os.environ, "LOBUG_MODEL__EMBEDDER": "/nowhere/embedder.gguf"}
    command = StdioServerParameters(command=LOBUG, args=["mcp", "--data-dir", str(folder)], env=environment)
    texts = []
    async with Client(stdio_client(command)) as client:
        for turn in range(TURNS):
            # Nothing of it is in what the devices say: what is recalled would stand in the replies.
            told = {
                "text": f"the {('oak', 'pine')[number]} rack has {('blue', 'red', 'white')[turn]} shelves in the cellar"
            }
            kept = (await client.call_tool("learn", told)).structured_content
            assert kept is not None
            texts.append(kept["records"][0]["text"])
    return texts


async def test_ten_devices_and_two_assistants(tmp_path: Path, house: House) -> None:
    names = [f"device{number}" for number in range(10)]
    tokens = {name: await house.pair(name) for name in names}
    sessions = {device.device_id: device.session_id for device in await house.memory.devices.all()}
    ways = itertools.cycle(
        (
            by_http,
            lambda house, name, token: by_openai(house, name, token, sessions[name]),
            by_xiaozhi,
        )
    )
    talking = [way(house, name, tokens[name]) for name, way in zip(names, ways, strict=False)]
    learning = [by_mcp(tmp_path, number) for number in range(2)]
    said, learned = await asyncio.gather(asyncio.gather(*talking), asyncio.gather(*learning))
    for name, replies in zip(names, said, strict=True):
        assert [reply.strip() for reply in replies] == [f"You said {words(name, turn)}." for turn in range(TURNS)]
        kept = await house.memory.turns(sessions[name], 100)
        assert [turn["heard"] for turn in kept] == [words(name, turn) for turn in range(TURNS)]
    assert (await house.memory.stats())["turns"] == 10 * TURNS
    assert len({text for texts in learned for text in texts}) == 2 * TURNS
