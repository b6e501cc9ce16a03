"""The serial wire format, pure: bytes in, frames out; no I/O, no clock.

    wire  = 00 | COBS(body | CRC-32 of body, little-endian) | 00                      at most 4096 bytes in all
    body  = version u8 (1) | kind u8 | link u16 | seq u16 | payload                   integers little-endian
    kinds = hail 0, hello 1, welcome 2, part 3, control 4, ack 5, refusal 6, audio 7, credit 8

`link` is drawn anew by the device for each connection, so that nothing of an earlier one counts. `seq` counts part and
control frames from 1; ack and refusal name the frame that they settle. In every version, byte 0 is the version and the
CRC stands last, so that a frame from the future can be told from noise. What lies between frames (ROM boot text, debug
prints, half frames) comes out as Noise.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from enum import IntEnum

from cobs import cobs

VERSION = 1
LARGEST_FRAME = 4_096  # encoded, with both delimiters
LARGEST_PAYLOAD = 4_000
_HEADER = struct.Struct("<BBHH")
_CRC = struct.Struct("<I")
_DELIMITER = b"\0"


class Kind(IntEnum):
    HAIL = 0  # companion: who is there?
    HELLO = 1  # device: my id, as JSON; `link` begins
    WELCOME = 2  # companion: the link stands
    PART = 3  # a piece of a control message that does not end here
    CONTROL = 4  # a control message, or its last piece: JSON
    ACK = 5  # the frame `seq` is taken care of
    REFUSAL = 6  # the frame `seq` (0: the hello) will never be: error as JSON
    AUDIO = 7  # offset u32 in bytes, then PCM16; never acknowledged
    CREDIT = 8  # device: u32, how many bytes of audio it takes in all since the link began


@dataclass(frozen=True, slots=True)
class Frame:
    kind: Kind
    link: int = 0
    seq: int = 0
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class ForeignFrame:
    """An intact frame that this version cannot read: another version, or a kind that it does not know."""

    version: int
    kind: int


@dataclass(frozen=True, slots=True)
class Noise:
    """Bytes that are no frame."""

    raw: bytes


Received = Frame | ForeignFrame | Noise


def encode(frame: Frame) -> bytes:
    """The frame as it goes over the wire. Raises ValueError when the payload is too large."""
    if len(frame.payload) > LARGEST_PAYLOAD:
        raise ValueError(f"a payload of {len(frame.payload)} bytes does not fit a frame")
    body = _HEADER.pack(VERSION, frame.kind, frame.link, frame.seq) + frame.payload
    return b"".join((_DELIMITER, cobs.encode(body + _CRC.pack(zlib.crc32(body))), _DELIMITER))


class FrameReader:
    """Takes bytes in any portions. Damage costs the frames that it hits and no other; memory is bounded."""

    def __init__(self) -> None:
        self._begun = b""
        self._overlong = False

    def feed(self, portion: bytes) -> list[Received]:
        """What is complete by now, in order."""
        *chunks, rest = portion.split(_DELIMITER)
        received: list[Received] = []
        for chunk in chunks:
            whole, self._begun = self._begun + chunk, b""
            if self._overlong:
                self._overlong = False
            elif whole:
                received.append(_read(whole))
        self._begun += rest
        if len(self._begun) >= LARGEST_FRAME:
            if not self._overlong:
                received.append(Noise(self._begun))
            self._begun, self._overlong = b"", True
        return received


def _read(chunk: bytes) -> Received:
    if len(chunk) > LARGEST_FRAME - 2:
        return Noise(chunk)
    try:
        whole = cobs.decode(chunk)
    except cobs.DecodeError:
        return Noise(chunk)
    body, crc = whole[: -_CRC.size], whole[-_CRC.size :]
    if len(body) < _HEADER.size or zlib.crc32(body) != int.from_bytes(crc, "little"):
        return Noise(chunk)
    version, kind, link, seq = _HEADER.unpack_from(body)
    if version != VERSION or kind not in Kind.__members__.values():
        return ForeignFrame(version, kind)
    return Frame(Kind(kind), link, seq, body[_HEADER.size :])
