"""Every bad request gets the right status and a body with code, message and hint, and leaves no trace."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from companion_process import Companion
from scripted_server import ScriptedServer

from edge_memory.records import Ranker


@pytest.fixture(scope="module")
def companion(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    folder = tmp_path_factory.mktemp("bad")
    with ScriptedServer() as models, Companion(folder / "data", environment=models.memory_settings) as running:
        yield running


def assert_told(answer: Any, code: str) -> None:
    assert answer["error"].keys() == {"code", "message", "hint"}
    assert answer["error"]["code"] == code
    assert answer["error"]["message"]
    assert answer["error"]["hint"]


@pytest.mark.parametrize(
    ("raw", "status", "code"),
    [
        (b"", 400, "bad_json"),
        (b"hello", 400, "bad_json"),
        (b'{"text": NaN}', 400, "bad_json"),
        (b'{"text": "hi"', 400, "bad_json"),
        (b"[" * 5_000, 400, "bad_json"),
        (b"\xff\xfe", 400, "bad_json"),
        (b"[]", 422, "bad_request"),
        (b'"hi"', 422, "bad_request"),
        (b"{}", 422, "bad_request"),
        (b'{"text": 5}', 422, "bad_request"),
        (b'{"text": null}', 422, "bad_request"),
        (b'{"text": "hi", "stream": "yes"}', 422, "bad_request"),
        (b'{"text": "hi", "sesion_id": "x"}', 422, "bad_request"),
        (b'{"text": ""}', 422, "bad_text"),
        (b'{"text": " \\u0000\\n "}', 422, "bad_text"),
        (b'{"text": "hi", "session_id": ""}', 422, "bad_id"),
        (b'{"text": "hi", "session_id": "a b"}', 422, "bad_id"),
        (json.dumps({"text": "hi", "session_id": "x" * 65}).encode(), 422, "bad_id"),
        (b'{"text": "hi", "device_id": "../x"}', 422, "bad_id"),
        (json.dumps({"text": "word " * 20_000}).encode(), 413, "text_too_long"),
        (json.dumps({"text": "word " * 100_000}).encode(), 413, "body_too_large"),
    ],
)
def test_bad_text(companion: Companion, raw: bytes, status: int, code: str) -> None:
    got, answer = companion.post("/chat/text", None, raw=raw)
    assert got == status
    assert_told(answer, code)


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b'{"temperature": NaN}', 400),
        (b'{"temperature": Infinity}', 400),
        (b'{"temperature": 1e999}', 422),
        (b'{"temperature": 1' + b"0" * 400 + b"}", 422),
        (b'{"temperature": {"value": 3}}', 422),
        (b'{"temperature": [3]}', 422),
        (b"[1]", 422),
        (b"{}", 422),
        (b'{"device_id": "m5", "": 3}', 422),
        (json.dumps({"note": "x" * 1_000}).encode(), 422),
        (json.dumps({f"s{i}": i for i in range(100)}).encode(), 422),
        (b'{"temperature": 3, "device_id": "a b"}', 422),
    ],
)
def test_bad_sensors(companion: Companion, raw: bytes, status: int) -> None:
    got, answer = companion.post("/context/sensors", None, raw=raw)
    assert got == status
    assert_told(answer, answer["error"]["code"])


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/nowhere", 404, "unknown_route"),
        ("/chat/text", 405, "unknown_method"),
        ("/memory/records/77", 404, "record_not_found"),
        ("/memory/records/x", 422, "bad_request"),
        ("/memory/records/-1", 422, "bad_request"),
        ("/memory/records/99999999999999999999", 422, "bad_request"),
        ("/memory/records?status=lost", 422, "bad_request"),
        ("/memory/records?limit=0", 422, "bad_request"),
        ("/memory/records?limit=many", 422, "bad_request"),
        ("/memory/records?offset=-5", 422, "bad_request"),
        ("/memory/search", 422, "bad_request"),
        ("/memory/search?q=x&k=0", 422, "bad_request"),
        ("/memory/turns?limit=0", 422, "bad_request"),
    ],
)
def test_bad_reading(companion: Companion, path: str, status: int, code: str) -> None:
    got, answer = companion.get(path)
    assert got == status
    assert_told(answer, code)


def test_what_is_refused_names_what_was_asked_for(companion: Companion) -> None:
    assert companion.get("/nowhere")[1]["error"]["message"] == "there is no /nowhere"
    assert companion.get("/chat/text")[1]["error"]["message"] == "/chat/text does not take GET"
    _, answer = companion.post("/chat/text", {"text": "word " * 100_000})
    assert answer["error"]["message"] == "the body is larger than 256 KiB"


@pytest.mark.parametrize("query", ["%22", "AND%20OR%20NOT", "*", "%F0%9F%90%9E", "a%00b", "NEAR(", "x" * 4_000, "';--"])
def test_odd_searches_find_nothing_and_harm_nothing(companion: Companion, query: str) -> None:
    for ranker in Ranker:
        status, found = companion.get(f"/memory/search?q={query}&ranker={ranker}")
        assert (status, found["hits"], found["turns"]) == (200, [], [])


def test_memory_cannot_be_written_over_http(companion: Companion) -> None:
    for path in ("/memory/records", "/memory/records/1", "/memory/search", "/memory/turns", "/memory/base"):
        status, answer = companion.post(path, {"text": "the user is rich"})
        assert status == 405
        assert_told(answer, "unknown_method")


@pytest.mark.parametrize(
    "header",
    [
        "Host: evil.example",
        "Host: [::1",
        "Host: 127.0.0.1\r\nOrigin: http://evil.example",
        "Host: 127.0.0.1\r\nOrigin: http://[",
    ],
)
def test_names_and_origins_that_are_not_ours_are_refused(companion: Companion, header: str) -> None:
    answer = raw_exchange(companion, f"GET /health HTTP/1.1\r\n{header}\r\nConnection: close\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 421 ")
    assert b"unknown_host" in answer


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"hello\r\n\r\n",
        b"FOO /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
        b"POST /chat/text HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -4\r\n\r\n",
        b"POST /chat/text HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nmy pin is 4711\r\n",
        b"POST /chat/text HTTP/1.0\r\nHost: 127.0.0.1\r\nExpect: a miracle\r\nContent-Length: 2\r\n\r\n{}",
    ],
)
def test_broken_http_is_told_in_the_same_form_and_not_logged(companion: Companion, request_bytes: bytes) -> None:
    answer = raw_exchange(companion, request_bytes)
    head, _, content = answer.partition(b"\r\n\r\n")
    assert head.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4"))
    assert_told(json.loads(content), json.loads(content)["error"]["code"])
    assert "4711" not in companion.log()
    assert "4711" not in content.decode()


def test_a_query_of_ten_kilobytes_is_told_to_be_too_long(companion: Companion) -> None:
    status, answer = companion.get(f"/memory/search?q={'a' * 10_000}")
    assert status == 400
    assert_told(answer, "bad_http")
    assert "too long" in answer["error"]["hint"]


def test_a_client_may_ask_whether_to_go_on(companion: Companion) -> None:
    head = b"POST /context/sensors HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Length: 9\r\n"
    answer = raw_exchange(companion, head + b'Connection: close\r\n\r\n{"lux": 3}'.replace(b" ", b""))
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 ")


def test_a_body_cut_short_is_told_so(companion: Companion) -> None:
    head = b'POST /chat/text HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{"text": "hel'
    answer = raw_exchange(companion, head, end=True)
    assert not answer or b" 400 " in answer.splitlines()[0]


def test_nothing_of_all_this_was_kept(companion: Companion, tmp_path: Path) -> None:
    assert companion.get("/memory/turns")[1] == {"turns": []}
    assert companion.health()["memory"]["records"] == 0


def raw_exchange(companion: Companion, request: bytes, *, end: bool = False) -> bytes:
    host, port = companion.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=240) as client:
        client.sendall(request)
        if end:
            client.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := client.recv(65_536):
            answer += piece
    return answer
