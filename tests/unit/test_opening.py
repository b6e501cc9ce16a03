"""The first request of a connection: what small devices mean is understood, all else passes as it came."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.web.opening import Opening

CJK = '{"text": "héllo 你好 🐞"}'


def request(body: bytes, length: int | None = None, version: str = "1.0", extra: str = "") -> bytes:
    told = len(body) if length is None else length
    return f"POST /chat/text HTTP/{version}\r\nHost: x\r\n{extra}Content-Length: {told}\r\n\r\n".encode() + body


def opened(*pieces: bytes) -> bytes:
    """What the parser gets of a connection that brings these pieces and then waits."""
    opening, out = Opening(), b""
    for piece in pieces:
        out += piece if out else opening.feed(piece)
    return out or opening.rest()


@pytest.mark.parametrize(
    "data",
    [
        b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\n\r\n\r\n",  # some lines bare: not ours to mend
        b"GET / HTTP/1.1\nHost: x\r\nContent-Length: 3\n\nabc",
        b"hello\r\n\r\n",
        b"x" * 20_000,
        request(b'{"text": "hi"}'),
        request(CJK.encode()),
        request(CJK.encode(), version="1.1"),
        request(CJK.encode(), len(CJK), version="1.1"),  # may be followed by another request: not ours to mend
        request(b'{"text": "hi"}', 5),  # ASCII: characters are bytes
        request("你好".encode(), 2),  # no JSON: cannot be told from a right length
        request(b"\xff\xfe{", 1),
        request(b'{"text": "\xff\xff\xff', 12),
        request(CJK.encode(), len(CJK), extra="Transfer-Encoding: chunked\r\n"),
        request(CJK.encode(), len(CJK), extra="Content-Length: 3\r\n"),
        request(b"", 0),
    ],
)
def test_what_is_not_a_small_devices_habit_passes_as_it_came(data: bytes) -> None:
    assert opened(data) == data
    assert opened(*(data[index : index + 1] for index in range(len(data)))) == data


def test_bare_line_feeds_get_their_carriage_returns() -> None:
    body = b"line\n\nline\r\n\r\n"
    data = b"POST /x HTTP/1.1\nHost: y\nContent-Length: %d\n\n" % len(body)
    assert opened(data + body) == data.replace(b"\n", b"\r\n") + body


def test_a_length_in_characters_becomes_one_in_bytes() -> None:
    body = CJK.encode()
    assert opened(request(body, len(CJK))) == request(body)
    assert opened(request(body, len(CJK), version="1.1", extra="Connection: close\r\n")) == request(
        body, version="1.1", extra="Connection: close\r\n"
    )
    bare = request(body, len(CJK)).replace(b"\r\n", b"\n")
    assert opened(bare) == request(body)


@given(st.text(min_size=1), st.lists(st.integers(0, 300), max_size=6))
def test_any_text_in_any_packets(text: str, cuts: list[int]) -> None:
    spoken = json.dumps({"text": text.encode("utf-8", "replace").decode()}, ensure_ascii=False)
    body = spoken.encode()
    data = request(body, len(spoken))
    edges = sorted({0, len(data), *(cut % len(data) for cut in cuts)})
    assert opened(*(data[a:b] for a, b in pairwise(edges))) == request(body)
