"""The real companion as Home Assistant meets it, and as `wyoming-bench` judges it."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from companion_process import Companion, lobug
from scripted_server import ScriptedServer
from wyoming.asr import Transcript
from wyoming.client import AsyncTcpClient
from wyoming.event import Event, Eventable
from wyoming.handle import Handled
from wyoming.info import Describe, Info
from wyoming_port import ANY_PORT, port_of

BENCH = str(Path(sys.executable).with_name("wyoming-bench"))


async def ask(port: int, word: Eventable) -> Event:
    """As Home Assistant does: a connection for each request."""
    async with AsyncTcpClient("127.0.0.1", port, read_timeout=240) as client:
        await client.write_event(word.event())
        event = await client.read_event()
        assert event is not None
        return event


def test_describe_does_not_wait_for_models(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections, and never answers
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        loading = {"LOBUG_MODEL__EMBEDDING_URL": url, "LOBUG_MODEL__FALLBACK": "false"}
        with Companion(tmp_path / "data", "--wyoming", environment={**ANY_PORT, **loading}) as companion:
            info = Info.from_event(asyncio.run(ask(port_of(companion), Describe())))
            assert [program.name for program in info.handle] == ["Lo-Bug"]
            states = {model["state"] for model in companion.health()["models"].values() if model["state"] != "off"}
            assert "loading" in states
            companion.kill()


def test_what_is_said_over_wyoming_is_remembered_everywhere(tmp_path: Path) -> None:
    with (
        ScriptedServer() as server,
        Companion(tmp_path / "data", "--wyoming", environment={**ANY_PORT, **server.settings}) as companion,
    ):
        port, context = port_of(companion), {"conversation_id": "01JHA"}
        told = asyncio.run(ask(port, Transcript("my sister's name is Alice", context=context)))
        assert Handled.from_event(told).context == context
        companion.wait_until_digested()
        answer = Handled.from_event(asyncio.run(ask(port, Transcript("what is my sister's name"))))
        assert answer.text is not None
        assert "Alice" in answer.text
        turns = companion.get("/memory/turns?session_id=wyoming:01JHA")[1]["turns"]
        assert [turn["heard"] for turn in turns] == ["my sister's name is Alice"]


def test_the_network_is_refused_until_clients_are_named_and_the_doctor_says_who_may_talk(tmp_path: Path) -> None:
    asked = {"LOBUG_WYOMING__ENABLED": "true", "LOBUG_WYOMING__HOST": "0.0.0.0"}
    refused = lobug("serve", "--data-dir", str(tmp_path / "data"), "--port", "0", environment=asked)
    assert refused.returncode == 1
    assert "wyoming.clients" in refused.stderr
    named = {**asked, "LOBUG_WYOMING__CLIENTS": "192.0.2.7, 198.51.100.0/24"}
    told = lobug("doctor", "--data-dir", str(tmp_path / "data"), environment=named).stdout
    assert "no tokens: whoever connects from this machine, 192.0.2.7, 198.51.100.0/24 talks as the owner" in told
    distrustful = {"LOBUG_WYOMING__ENABLED": "true", "LOBUG_SERVER__TRUST_LOOPBACK": "false"}
    refused = lobug("serve", "--data-dir", str(tmp_path / "data"), "--port", "0", environment=distrustful)
    assert refused.returncode == 1
    assert "wyoming.clients" in refused.stderr
    told = lobug("doctor", "--data-dir", str(tmp_path / "data"), environment=distrustful).stdout
    assert "no tokens: whoever connects from nowhere talks" in told


@pytest.mark.speech
@pytest.mark.timeout(300)
def test_wyoming_bench_runs_clean(tmp_path: Path) -> None:
    with (
        ScriptedServer() as server,
        Companion(tmp_path / "data", "--wyoming", environment={**ANY_PORT, **server.settings}) as companion,
    ):
        address = f"127.0.0.1:{port_of(companion)}"
        once = ("--rounds", "1", "--warmup", "0")
        assert "synthesize streaming" in bench("info", address)
        text = "The kettle is on and the tea is nearly ready."
        assert bench("tts", address, *once, "--texts", text).count("ok=1 fail=0") == 2, "at once and streamed"
        corpus = str(tmp_path / "corpus")
        bench("generate-corpus", address, "--out", corpus, "--texts", text)
        assert "ok=1 fail=0" in bench("stt", address, *once, "--corpus", corpus)


def bench(*arguments: str) -> str:
    done = subprocess.run([BENCH, *arguments], capture_output=True, text=True, timeout=200)
    print(f"$ wyoming-bench {' '.join(arguments)}", done.stdout, sep="\n")  # noqa: T201 - its figures, for pytest -s
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
