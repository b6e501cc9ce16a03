"""A companion whose models are served elsewhere, by real llama.cpp servers that go away and come back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from companion_process import Companion
from llama_server import LlamaServer

pytestmark = pytest.mark.weights

CHAT_FILE, EMBED_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf", "all-MiniLM-L6-v2.f16.gguf"


@pytest.fixture
def chat_server(tmp_path: Path) -> Iterator[LlamaServer]:
    with LlamaServer(tmp_path / "chat.log", CHAT_FILE) as server:
        yield server


@pytest.fixture
def embedding_server(tmp_path: Path) -> Iterator[LlamaServer]:
    with LlamaServer(tmp_path / "embedding.log", EMBED_FILE, embedding=True) as server:
        yield server


def test_chat_falls_back_and_comes_back(tmp_path: Path, chat_server: LlamaServer) -> None:
    settings = {"LOBUG_MODEL__CHAT_URL": chat_server.url, "LOBUG_MODEL__CHAT_URL_MODEL": "big"}
    with Companion(tmp_path / "data", environment=settings) as companion:
        companion.wait_for(lambda health: health["status"] == "ok")
        assert companion.health()["models"]["chat"]["name"] == "big"
        assert companion.say("tell me about the sea")["text"]
        served = chat_server.answered()
        assert served >= 1

        chat_server.kill()
        assert companion.say("tell me about the mountains")["text"]
        health = companion.health()
        assert health["models"]["chat"]["state"] == "fallback"
        assert health["status"] == "degraded"
        assert any("local model answers" in one for one in health["degraded"])
        assert companion.say("tell me about rivers")["text"]

        chat_server.start()
        companion.wait_for(lambda health: health["models"]["chat"]["state"] == "ready")
        assert companion.say("tell me about deserts")["text"]
        assert chat_server.answered() > served
        assert len(companion.get("/memory/turns?limit=50")[1]["turns"]) == 4


def test_a_server_that_keeps_silent_is_not_waited_for_long(tmp_path: Path, chat_server: LlamaServer) -> None:
    patience = {"LOBUG_MODEL__SERVER_PATIENCE_SECONDS": "2"}
    with Companion(tmp_path / "data", environment={"LOBUG_MODEL__CHAT_URL": chat_server.url, **patience}) as companion:
        companion.wait_for(lambda health: health["status"] == "ok")
        chat_server.freeze()
        answer = companion.say("tell me about islands")
        assert answer["text"]
        assert answer["timings"]["first_token_ms"] > 2_000
        assert companion.health()["models"]["chat"]["state"] == "fallback"
        assert companion.say("tell me about rivers")["text"]
        chat_server.thaw()
        companion.wait_for(lambda health: health["models"]["chat"]["state"] == "ready")


def test_embeddings_fall_back_on_the_same_model_only(tmp_path: Path, embedding_server: LlamaServer) -> None:
    settings = {
        "LOBUG_MODEL__EMBEDDING_URL": embedding_server.url,
        "LOBUG_MODEL__EMBEDDING_URL_MODEL": "all-minilm-l6-v2",
    }
    with Companion(tmp_path / "data", environment=settings) as companion:
        companion.wait_for(lambda health: health["status"] == "ok")
        companion.say("I drive to the office in a red automobile")
        companion.wait_until_digested()
        assert embedding_server.answered() >= 2
        vectors = companion.get("/memory/stats")[1]["vectors"]
        assert vectors >= 1

        embedding_server.kill()
        found = companion.get("/memory/search?q=which+car")[1]["hits"]
        assert found, "by meaning, from the local model"
        assert companion.health()["models"]["embedding"]["state"] == "fallback"

        embedding_server.start()
        companion.wait_for(lambda health: health["models"]["embedding"]["state"] == "ready")
        served = embedding_server.answered()
        assert companion.get("/memory/search?q=which+car")[1]["hits"]
        assert embedding_server.answered() > served
        assert companion.get("/memory/stats")[1]["vectors"] == vectors, "nothing had to be embedded again"


def test_a_server_that_is_away_at_the_start_is_no_reason_to_wait(tmp_path: Path) -> None:
    settings = {
        "LOBUG_MODEL__CHAT_URL": "http://127.0.0.1:9",
        "LOBUG_MODEL__EMBEDDING_URL": "http://127.0.0.1:9",
        "LOBUG_MODEL__EMBEDDING_URL_MODEL": "all-minilm-l6-v2",
    }
    with Companion(tmp_path / "data", environment=settings) as companion:
        assert companion.say("tell me about the sea")["text"]
        models = companion.health()["models"]
        assert models["chat"]["state"] == models["embedding"]["state"] == "fallback"


def test_without_a_fallback_the_server_is_missed(tmp_path: Path) -> None:
    settings = {"LOBUG_MODEL__CHAT_URL": "http://127.0.0.1:9", "LOBUG_MODEL__FALLBACK": "false"}
    with Companion(tmp_path / "data", environment=settings) as companion:
        status, answer = companion.post("/chat/text", {"text": "tell me about the sea"})
        assert (status, answer["error"]["code"]) == (503, "backend_unreachable")
