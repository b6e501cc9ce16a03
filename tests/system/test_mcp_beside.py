"""Memory as tools beside a companion, both with real weights."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from companion_process import Companion
from mcp_house import call, over_stdio


@pytest.mark.weights
async def test_tools_and_a_companion_share_one_file(tmp_path: Path) -> None:
    with Companion(tmp_path / "data") as companion:
        async with over_stdio(tmp_path / "data", {"LOBUG_MODEL__THREADS": "1"}) as client:
            await call(client, "learn", text="my cat is called Zorro")
            answer = await asyncio.to_thread(companion.say, "what is my cat called")
            assert "Zorro" in answer["text"]
            await asyncio.to_thread(companion.say, "my boat is called Luna")
            await asyncio.to_thread(companion.wait_until_digested)
            hits = (await call(client, "recall", query="boat"))["hits"]
            assert "Luna" in hits[0]["text"]
            await asyncio.to_thread(companion.say, "I drive to the office in a red automobile")
            await asyncio.to_thread(companion.wait_until_digested)
            for _ in range(300):  # its embedder may still be loading
                by_meaning = (await call(client, "recall", query="which vehicle", k=1))["hits"]
                if by_meaning:
                    break
                await asyncio.sleep(0.2)
            assert "automobile" in by_meaning[0]["text"]
            companion.kill()
            assert (await call(client, "recall", query="boat"))["hits"][0]["id"] == hits[0]["id"]
