"""Whole conversations with the real process, the real file and real weights."""

from __future__ import annotations

import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from companion_process import LOBUG, Companion, lobug

from firmware_bridge.weights import weights_dir

pytestmark = pytest.mark.weights


@pytest.fixture(scope="module")
def companion(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    """One for all that need no life of their own; each test talks in a session of its own."""
    with Companion(tmp_path_factory.mktemp("conversation") / "data") as companion:
        yield companion


def texts(companion: Companion) -> list[str]:
    return [record["text"] for record in companion.get("/memory/records?status=active")[1]["records"]]


@pytest.mark.small
def test_alex_is_remembered_after_kill_9_straight_after_the_reply(tmp_path: Path) -> None:
    with Companion(tmp_path / "data", "--profile", "small") as companion:
        companion.say("my name is Alex and I work at NASA")
        companion.kill()
    with Companion(tmp_path / "data", "--profile", "small") as companion:
        answer = companion.say("what is my name")
        assert "Alex" in answer["text"]
        companion.wait_until_digested()
        assert {"The user's name is Alex", "The user works at NASA"} <= set(texts(companion))


def test_what_was_heard_before_a_kill_is_digested_at_the_next_start(tmp_path: Path) -> None:
    with Companion(tmp_path / "data") as companion:
        companion.say("my sister Ilse lives in Graz")
        companion.kill()
    with Companion(tmp_path / "data") as companion:
        companion.wait_until_digested()
        assert "The user's sister Ilse lives in Graz" in texts(companion)
        turns = companion.get("/memory/turns")[1]["turns"]
        assert [turn["heard"] for turn in turns] == ["my sister Ilse lives in Graz"]


def test_working_memory_is_reloaded_at_start(tmp_path: Path) -> None:
    with Companion(tmp_path / "data") as companion:
        first = companion.say("hello there")
        assert companion.stop() == 0
    with Companion(tmp_path / "data") as companion:
        second = companion.say("and hello again")
    assert second["timings"]["prompt_tokens"] > first["timings"]["prompt_tokens"]


def test_timings_and_ids_are_in_the_reply(companion: Companion) -> None:
    answer = companion.say("tell me about rivers", session_id="kitchen")
    assert answer["session_id"] == "kitchen"
    assert answer["action"] == "respond"
    wanted = {"queue_ms", "embed_ms", "recall_ms", "prompt_tokens", "prompt_tokens_read", "reply_tokens"}
    assert wanted | {"first_token_ms", "first_clause_ms", "total_ms"} <= answer["timings"].keys()


def test_fillers_are_ignored_and_logged(companion: Companion) -> None:
    companion.wait_until_digested()
    before = texts(companion)
    assert companion.say("mm hmm", session_id="filler")["action"] == "ignore"
    companion.wait_until_digested()
    assert texts(companion) == before
    assert companion.get("/memory/turns?session_id=filler")[1]["turns"][0]["action"] == "ignore"


def test_a_streamed_reply_has_the_same_words_as_its_end(companion: Companion) -> None:
    body = b'{"text": "tell me about the sea", "stream": true, "session_id": "sea"}'
    with urllib.request.urlopen(urllib.request.Request(companion.url + "/chat/text", body)) as response:
        assert response.headers["Content-Type"] == "text/event-stream"
        stream = response.read().decode()
    events = [block.splitlines()[0] for block in stream.replace("\r\n", "\n").strip().split("\n\n")]
    assert events[0] == "event: begin"
    assert events[-1] == "event: done"
    assert events[1:-1]
    assert set(events[1:-1]) == {"event: delta"}


def test_a_listener_who_leaves_does_not_end_the_turn(companion: Companion) -> None:
    companion.wait_for(lambda health: health["status"] == "ok")
    host, port = companion.url.removeprefix("http://").split(":")
    body = b'{"text": "tell me a long story", "stream": true, "session_id": "story"}'
    with socket.create_connection((host, int(port))) as client:
        head = f"POST /chat/text HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n"
        client.sendall(head.encode() + body)
        client.recv(100)
    companion.say("are you there", session_id="other")
    companion.wait_until_digested()
    story = companion.get("/memory/turns?session_id=story")[1]["turns"][0]
    assert story["said"]


def test_sensors_reach_the_prompt(companion: Companion) -> None:
    companion.wait_until_digested()
    without = companion.say("hello", session_id="a")["timings"]["prompt_tokens"]
    assert companion.post("/context/sensors", {"orientation": "face_up", "temperature": 21.5}) == (204, None)
    assert companion.say("hello", session_id="b")["timings"]["prompt_tokens"] > without


def test_lowered_thresholds_give_a_summary_and_base_memory(tmp_path: Path) -> None:
    thresholds = {
        "LOBUG_MEMORY__SHORT_TERM_THRESHOLD": "8",
        "LOBUG_MEMORY__SHORT_TERM_KEEP": "2",
        "LOBUG_MEMORY__LONG_TERM_THRESHOLD": "2",
        "LOBUG_MEMORY__LONG_TERM_KEEP": "1",
        "LOBUG_MODEL__MAX_REPLY_TOKENS": "16",
    }
    with Companion(tmp_path / "data", environment=thresholds) as companion:
        for town in ("Oslo", "Bergen", "Tromso", "Narva", "Turku", "Malmo", "Aarhus", "Gdansk"):
            companion.say(f"I visited {town} with my brother Nils")
        companion.wait_until_digested()
        assert companion.health()["memory"]["summaries"] >= 2
        base = companion.get("/memory/base")[1]
        assert base["version"] >= 1
        assert base["content"]


def test_health_while_loading_then_ready_and_an_early_turn_waits(tmp_path: Path) -> None:
    with Companion(tmp_path / "data") as companion:
        assert companion.health()["models"]["chat"]["state"] in ("loading", "ready")
        assert companion.say("hello")["action"] == "respond"
        assert companion.health()["status"] == "ok"


def test_without_its_embedder_it_is_degraded_and_goes_on_by_words(tmp_path: Path) -> None:
    with Companion(tmp_path / "data", environment={"LOBUG_MODEL__EMBEDDER": str(tmp_path / "gone.gguf")}) as companion:
        companion.say("my neighbour Olga grows roses")
        health = companion.wait_for(lambda health: health["memory"]["records"] >= 1)
        assert health["status"] == "degraded"
        assert "gone.gguf" in health["degraded"][0]
        assert companion.say("who grows roses", session_id="other")["memories"]
        health = companion.wait_for(lambda health: health["memory"]["jobs_pending"] == 0)  # nobody waits for vectors
        assert health["memory"]["jobs_without_model"] >= 1
    with Companion(tmp_path / "data") as companion:
        companion.wait_for(lambda health: health["memory"]["vectors"] >= 1 and health["status"] == "ok")


def test_an_embedder_that_comes_later_is_taken_up(tmp_path: Path) -> None:
    later = tmp_path / "later.gguf"
    with Companion(tmp_path / "data", environment={"LOBUG_MODEL__EMBEDDER": str(later)}) as companion:
        companion.say("my neighbour Olga grows roses")
        companion.wait_for(lambda health: health["memory"]["records"] >= 1)
        later.symlink_to(weights_dir(Path("unused")) / "all-MiniLM-L6-v2.f16.gguf")
        companion.wait_for(lambda health: health["memory"]["vectors"] >= 1 and health["status"] == "ok")


def test_damaged_chat_weights_are_named_and_nothing_is_lost(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(b"GGUF" + b"\x00" * 4096)
    with Companion(tmp_path / "data", environment={"LOBUG_MODEL__CHAT": str(damaged)}) as companion:
        status, answer = companion.post("/chat/text", {"text": "hello"})
        assert status == 503
        assert answer["error"]["hint"]
        assert companion.health()["models"]["chat"]["state"] == "failed"


def test_a_conversation_with_all_outside_sockets_forbidden(tmp_path: Path) -> None:
    with Companion(tmp_path / "data", "--offline") as companion:
        companion.say("my cat is called Minka")
        companion.wait_until_digested()
        assert companion.say("what is my cat called", session_id="other")["memories"]


def test_a_conversation_in_a_network_namespace_with_loopback_only(tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rn", "true"], capture_output=True).returncode:
        pytest.skip("this machine does not allow network namespaces")
    script = f"""
set -e
ip link set lo up 2>/dev/null || python3 -c 'import fcntl, socket, struct
s = socket.socket(); fcntl.ioctl(s, 0x8914, struct.pack("16sh", b"lo", 1 | 64))'
{LOBUG} serve --port 18321 --data-dir {tmp_path}/data --profile tiny &
for i in $(seq 100); do {LOBUG} say --url http://127.0.0.1:18321 "my name is Mirko" && break; sleep 0.5; done
{LOBUG} say --url http://127.0.0.1:18321 --json "what is my name"
for i in $(seq 50); do {LOBUG} memory list --data-dir {tmp_path}/data | grep -q Mirko && break; sleep 0.2; done
kill $!
wait
"""
    done = subprocess.run([unshare, "-rn", "bash", "-c", script], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    listed = lobug("memory", "list", "--data-dir", str(tmp_path / "data"))
    assert "The user's name is Mirko" in listed.stdout
