"""The first request of a connection, as small devices send it, made what aiohttp's strict parser takes.

Two habits are met, both only where they cannot be meant otherwise:
- every line of the head ends with a bare LF (AI_StackChan): the lines get their CR;
- `Content-Length` counts characters, not bytes (UIFlow's requests2, MicroPython): a JSON body that would be cut off in
  the middle, from a client that then closes, is read up to that many characters.
Everything else goes through as it came, to be judged by aiohttp. Pure: bytes in, bytes out.
"""

from __future__ import annotations

import codecs
import json
import re

_LONGEST_HEAD = 16 * 1024
_LONGEST_BODY = 256 * 1024
_LONGEST_CHARACTER = 4  # bytes
_HEAD_END = re.compile(rb"\r\n\r\n|\n\n")
_LENGTH = re.compile(rb"^(content-length:[ \t]*)(\d{1,6})[ \t]*\r$", re.IGNORECASE | re.MULTILINE)
_CLOSES = re.compile(rb"\A[^\r\n]* HTTP/1\.0\r$|^connection:[ \t]*close[ \t]*\r$", re.IGNORECASE | re.MULTILINE)
_OTHER_FRAMING = re.compile(rb"^(?:transfer-encoding|expect|upgrade):", re.IGNORECASE | re.MULTILINE)


class Opening:
    """Give it what arrives until it gives something back: that is for the parser, and so is all that follows."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """What the parser may have now; nothing while more is needed to know."""
        self._held += data
        end = _HEAD_END.search(self._held)
        if end is None:
            return self.rest() if len(self._held) > _LONGEST_HEAD else b""
        head, body = self._held[: end.end()], self._held[end.end() :]
        if b"\r" not in head:
            head = head.replace(b"\n", b"\r\n")
        length = _LENGTH.findall(head)
        if len(length) != 1 or not _CLOSES.search(head) or _OTHER_FRAMING.search(head):
            return self._passed(head + body)
        size = _size_in_bytes(body, int(length[0][1]))
        if size is None:
            return b""
        return self._passed(_LENGTH.sub(rb"\g<1>%d\r" % size, head) + body)

    def rest(self) -> bytes:
        """All that is held back, when no more is to come in time."""
        return self._passed(self._held)

    def _passed(self, data: bytes) -> bytes:
        self._held = b""
        return data


def _size_in_bytes(body: bytes, told: int) -> int | None:
    """The length of a body that a client called `told` long; None while that cannot be known yet."""
    if told > _LONGEST_BODY or (body and body[:1] not in b"{["):
        return told
    if len(body) < told:
        return None
    if body[:told].isascii() or _is_json(body[:told]):
        return told
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(body[: told * _LONGEST_CHARACTER])
    except UnicodeDecodeError:
        return told
    return len(text[:told].encode()) if len(text) >= told else None


def _is_json(body: bytes) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True
