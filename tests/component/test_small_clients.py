"""HTTP as microcontrollers speak it, byte for byte over real sockets."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from web_house import House, open_house

TEXT = "héllo 你好 🐞"


async def exchange(house: House, *pieces: bytes, pause: float = 0.02) -> tuple[str, dict[str, str], bytes]:
    """Status line, headers and body, read until the companion closes."""
    host, port = house.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(pause)
    async with asyncio.timeout(240):
        answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    return status, {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}, body


def told(answer: tuple[str, dict[str, str], bytes]) -> Any:
    """The JSON of an answer that a small client can read."""
    status, headers, body = answer
    assert " 200 " in status or " 202 " in status, (status, body)
    assert "transfer-encoding" not in headers
    assert int(headers["content-length"]) == len(body)
    return json.loads(body)


async def test_uiflows_requests2_which_counts_characters(house: House) -> None:
    spoken = json.dumps({"text": TEXT}, ensure_ascii=False)
    head = "POST /chat/text HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(spoken)}\r\n\r\n"
    for pieces in ([head.encode(), spoken.encode()], [head.encode() + spoken.encode()]):
        assert told(await exchange(house, *pieces))["text"] == f"You said {TEXT}."


async def test_such_a_body_may_come_in_packets_that_split_characters(house: House) -> None:
    spoken = json.dumps({"text": TEXT * 20}, ensure_ascii=False)
    data = f"POST /chat/text HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: {len(spoken)}\r\n\r\n{spoken}".encode()
    pieces = [data[index : index + 61] for index in range(0, len(data), 61)]
    assert told(await exchange(house, *pieces))["text"] == f"You said {TEXT * 20}."


async def test_a_head_with_bare_line_feeds(house: House) -> None:
    body = json.dumps({"text": "hello"}).encode()
    for version in ("1.0", "1.1"):
        head = f"POST /chat/text HTTP/{version}\nHost: 127.0.0.1\nConnection: close\nContent-Length: {len(body)}\n\n"
        assert told(await exchange(house, head.encode() + body))["text"] == "You said hello."


async def test_http_1_0_is_answered_whole_and_closed(house: House) -> None:
    answer = await exchange(house, b"GET /health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
    assert answer[0].startswith("HTTP/1.0 200")
    assert told(answer)["status"] == "ok"


async def test_http_1_0_without_a_host(house: House) -> None:
    assert told(await exchange(house, b"GET /health HTTP/1.0\r\n\r\n"))["status"] == "ok"


async def test_a_generator_that_sends_chunks_over_http_1_0(house: House) -> None:
    head = b"POST /chat/text HTTP/1.0\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert told(await exchange(house, head, b'10\r\n{"text": "hello"\r\n', b"1\r\n}\r\n0\r\n\r\n"))["text"] == (
        "You said hello."
    )


async def test_events_over_http_1_0_are_not_chunked(house: House) -> None:
    body = json.dumps({"text": "one two three", "stream": True}).encode()
    head = f"POST /chat/text HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    status, headers, stream = await exchange(house, head + body)
    assert " 200 " in status
    assert "transfer-encoding" not in headers
    assert stream.startswith(b"event: begin\r\ndata: {")
    assert b"event: done\r\n" in stream


async def test_broken_json_with_accents_is_told_so(house: House) -> None:
    body = '{"text": "é'.encode()
    head = f"POST /chat/text HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    status, _, answer = await exchange(house, head + body)
    assert " 400 " in status
    assert json.loads(answer)["error"]["code"] == "bad_json"


async def test_a_head_that_never_ends_is_refused_and_one_that_drips_is_understood(house: House) -> None:
    status, _, _ = await exchange(house, b"GET /health HTTP/1.1\r\nX: " + b"x" * 30_000)
    assert " 400 " in status
    data = b"GET /health HTTP/1.0\nHost: 127.0.0.1\n\n"
    answer = await exchange(house, *(data[index : index + 9] for index in range(0, len(data), 9)), pause=0.1)
    assert told(answer)["status"] == "ok"


async def test_no_more_connections_than_there_is_room_for(tmp_path: Path) -> None:
    async with open_house(tmp_path, most_connections=8) as house:
        host, port = house.url.removeprefix("http://").split(":")
        silent = [await asyncio.open_connection(host, int(port)) for _ in range(8)]
        reader, writer = await asyncio.open_connection(host, int(port))
        async with asyncio.timeout(240):
            assert await reader.read() == b"", "the ninth is closed at once"
        writer.close()
        for _, held in silent:
            held.close()
            await held.wait_closed()
        assert told(await exchange(house, b"GET /health HTTP/1.0\r\n\r\n"))["status"] == "ok"
