#!/usr/bin/env -S .venv/bin/python
"""What clients of others' making show of a companion: the openai SDK, the MCP SDK, Home Assistant's Wyoming library and
`wyoming-bench`. It needs the extras `integrations` and `speech`, and their weights.

usage: show_clients.py [options of `lobug serve`, such as --profile small]
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import openai
from mcp import Client, StdioServerParameters, stdio_client
from wyoming.asr import Transcript
from wyoming.client import AsyncTcpClient
from wyoming.handle import Handled

_PROGRAMS = Path(sys.executable).parent
_KETTLE = "The kettle is on and the tea is nearly ready."
_START_SECONDS = 120


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder) / "data"
        with _served(data_dir, Path(folder) / "log") as (url, wyoming):
            _show_openai(url)
            asyncio.run(_show_mcp(data_dir))
            asyncio.run(_show_talk(wyoming))
            _show_bench(wyoming, Path(folder) / "corpus")


@contextmanager
def _served(data_dir: Path, log: Path) -> Iterator[tuple[str, str]]:
    """The addresses for HTTP and Wyoming, once the models are there."""
    command = [str(_PROGRAMS / "lobug"), "serve", "--data-dir", str(data_dir), "--port", "0", "--wyoming"]
    with log.open("w") as out:
        companion = subprocess.Popen(
            [*command, "--set", "wyoming.port=0", *sys.argv[1:]], stdout=out, stderr=subprocess.STDOUT
        )
        try:
            url, wyoming = _address(log, r"answers at (http://\S+)"), _address(log, r"clients are met at (\S+)")
            with openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=20) as client:
                client.chat.completions.create(model="any", messages=[{"role": "user", "content": "hi"}], max_tokens=1)
            yield url, wyoming
        finally:
            companion.terminate()
            companion.wait()


def _address(log: Path, form: str) -> str:
    for _ in range(_START_SECONDS * 4):
        if found := re.search(form, log.read_text()):
            return found[1]
        time.sleep(0.25)
    sys.exit(f"the companion did not start:\n{log.read_text()}")


def _show_openai(url: str) -> None:
    print(f"openai {openai.__version__}")
    with openai.OpenAI(base_url=f"{url}/v1", api_key="none") as client:
        for user, text in (("alex@example.org", "my cat is called Miso"), ("desk", "what is my cat called")):
            answer = client.chat.completions.create(
                model="any", messages=[{"role": "user", "content": text}], user=user
            )
            _told(f"chat, user {user}: {text}", answer.choices[0].message.content)
        stream = client.chat.completions.create(
            model="any", messages=[{"role": "user", "content": "Say hello."}], stream=True, temperature=0, max_tokens=12
        )
        pieces = [chunk.choices[0].delta.content or "" for chunk in stream]
        _told("stream, no session: Say hello.", " | ".join(filter(None, pieces)))
        vectors = client.embeddings.create(model="any", input=["a cat", "a kitten"])
        _told("embeddings", f"{len(vectors.data)} of {len(vectors.data[0].embedding)} numbers, {vectors.usage}")
        spoken = client.audio.speech.create(model="any", voice="any", input=_KETTLE, response_format="wav")
        _told(f"audio.speech: {_KETTLE}", f"{len(spoken.content)} bytes of WAV")
        heard = client.audio.transcriptions.create(model="any", file=("kettle.wav", spoken.content))
        _told("audio.transcriptions of that", heard.text)


async def _show_mcp(data_dir: Path) -> None:
    print("\nmcp, over stdio")
    arguments = ["mcp", "--data-dir", str(data_dir)]
    command = StdioServerParameters(command=str(_PROGRAMS / "lobug"), args=arguments, env=dict(os.environ))
    async with Client(stdio_client(command)) as client:
        _told("list_tools", " ".join(tool.name for tool in (await client.list_tools()).tools))
        kept = await _call(client, "learn", text="I am allergic to peanuts")
        await _call(client, "learn", text="I am not allergic to peanuts any more")
        await _call(client, "recall", query="peanuts", k=1)
        await _call(client, "forget", query=str(kept["records"][0]["id"]))


async def _call(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    content: Any = result.structured_content
    if result.is_error or content is None:
        _told(f"{tool} {json.dumps(arguments)}", getattr(result.content[0], "text", ""))
        return content
    for found in (one for rows in content.values() for one in rows):
        shown = {name: found[name] for name in ("id", "text", "status", "kind", "key")}
        _told(f"{tool} {json.dumps(arguments)}", json.dumps(shown))
    return content


async def _show_talk(wyoming: str) -> None:
    print("\nwyoming, as Home Assistant's conversation agent")
    host, _, port = wyoming.rpartition(":")
    async with AsyncTcpClient(host, int(port)) as client:
        asked = Transcript("can I eat peanut butter", context={"conversation_id": "01JHA"})
        await client.write_event(asked.event())
        if (event := await client.read_event()) is not None:
            _told(f"transcript: {asked.text}", f"{event.type}: {Handled.from_event(event).text}")


def _show_bench(wyoming: str, corpus: Path) -> None:
    once = ("--rounds", "1", "--warmup", "0")
    for arguments in (
        ("info", wyoming),
        ("tts", wyoming, *once, "--texts", _KETTLE),
        ("generate-corpus", wyoming, "--out", str(corpus), "--texts", _KETTLE),
        ("stt", wyoming, *once, "--corpus", str(corpus)),
    ):
        print(f"\n$ wyoming-bench {' '.join(arguments)}", flush=True)
        subprocess.run([str(_PROGRAMS / "wyoming-bench"), *arguments], check=True)


def _told(asked: str, answer: object) -> None:
    print(f"{asked}\n  -> {answer}")


if __name__ == "__main__":
    main()
