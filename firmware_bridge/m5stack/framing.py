"""The serial frames as the device makes and reads them; the format is drawn in firmware_bridge/device/framing.py."""

import binascii
import struct

VERSION = 1
HAIL, HELLO, WELCOME, PART, CONTROL, ACK, REFUSAL, AUDIO, CREDIT = range(9)
LARGEST_FRAME = 4096
LARGEST_PAYLOAD = 2000  # of what the device sends; small boards have little memory in one piece


def encode(kind: int, link: int, seq: int, payload: bytes) -> bytes:
    """One frame with its delimiters."""
    body = struct.pack("<BBHH", VERSION, kind, link, seq) + payload
    return b"\0" + _stuff(body + struct.pack("<I", binascii.crc32(body))) + b"\0"


class FrameReader:
    """Takes bytes in any portions and gives (kind, link, seq, payload) for each whole frame; all else is dropped.

    `foreign` is the version of the newest whole frame that is not of ours, 0 while there was none.
    """

    def __init__(self) -> None:
        self._begun = b""
        self.foreign = 0

    def feed(self, portion: bytes) -> list:
        frames = []
        chunks = (self._begun + portion).split(b"\0")
        self._begun = chunks[-1]
        if len(self._begun) > LARGEST_FRAME:
            self._begun = b""  # what follows up to the next delimiter fails its check
        for chunk in chunks[:-1]:
            frame = _read(chunk) if 11 <= len(chunk) < LARGEST_FRAME else None
            if frame is not None and frame[0] != VERSION:
                self.foreign = frame[0]
            elif frame is not None:
                frames.append(frame[1:])
        return frames


def _read(chunk: bytes) -> tuple | None:
    whole = _unstuff(chunk)
    if len(whole) < 10:
        return None
    body = whole[:-4]
    if binascii.crc32(body) != struct.unpack("<I", whole[-4:])[0]:
        return None
    version, kind, link, seq = struct.unpack("<BBHH", body[:6])
    return version, kind, link, seq, body[6:]


def _stuff(raw: bytes) -> bytes:
    """Consistent overhead byte stuffing: no zero byte is left."""
    out = bytearray()
    begin, size = 0, len(raw)
    while True:
        limit = min(begin + 254, size)
        end = raw.find(b"\0", begin, limit)
        if end >= 0:
            out.append(end - begin + 1)
            out += raw[begin:end]
            begin = end + 1
            continue
        out.append(limit - begin + 1)
        out += raw[begin:limit]
        if limit == size:
            return bytes(out)
        begin = limit


def _unstuff(chunk: bytes) -> bytes:
    """Empty for what cannot be right."""
    out = bytearray()
    place, size = 0, len(chunk)
    while place < size:
        code = chunk[place]
        if place + code > size:
            return b""
        out += chunk[place + 1 : place + code]
        place += code
        if code < 255 and place < size:
            out.append(0)
    return bytes(out)
