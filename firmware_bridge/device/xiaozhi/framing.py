"""The binary WebSocket frames of XiaoZhi's protocol, versions 1, 2 and 3. Pure: no I/O, no clock.

Version 1 is a bare Opus packet. Version 2 puts 16 bytes before it (version, type, reserved, milliseconds, length),
version 3 four (type, reserved, length); both big-endian, type 0 for Opus and 1 for JSON (docs/websocket.md of
78/xiaozhi-esp32).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from firmware_bridge.errors import BadMessage, ProtocolUnknown

VERSIONS = (1, 2, 3)
LARGEST_PACKET = 4_000  # bytes; the most that libopus makes
_HEAD2 = struct.Struct(">HHIII")
_HEAD3 = struct.Struct(">BBH")
_OPUS, _JSON = 0, 1


@dataclass(frozen=True, slots=True)
class OpusFrame:
    packet: bytes


@dataclass(frozen=True, slots=True)
class JsonFrame:
    """A text message that came in a binary frame."""

    text: bytes


def check_version(version: int) -> int:
    """Raises ProtocolUnknown."""
    if version not in VERSIONS:
        raise ProtocolUnknown(f"binary protocol version {version} is not spoken here", "use version 1, 2 or 3")
    return version


def pack(version: int, packet: bytes, milliseconds: int = 0) -> bytes:
    """One Opus packet as a frame. `milliseconds` is its time in the stream, which only version 2 carries."""
    if version == 2:
        return _HEAD2.pack(2, _OPUS, 0, milliseconds & 0xFFFFFFFF, len(packet)) + packet
    if version == 3:
        return _HEAD3.pack(_OPUS, 0, len(packet)) + packet
    return packet


def unpack(version: int, frame: bytes) -> OpusFrame | JsonFrame:
    """Raises BadMessage for a frame that is not of this version, or whose length is not what its head says."""
    if version == 1:
        return OpusFrame(_checked(frame))
    head = _HEAD2 if version == 2 else _HEAD3
    if len(frame) < head.size:
        raise BadMessage(f"a binary frame of {len(frame)} bytes", f"version {version} begins with {head.size}")
    payload = frame[head.size :]
    if version == 2:
        told_version, kind, _, _, size = head.unpack_from(frame)
    else:
        told_version, (kind, _, size) = version, head.unpack_from(frame)
    if told_version != version or size != len(payload) or kind not in (_OPUS, _JSON):
        raise BadMessage("a binary frame whose head makes no sense", f"frames are of version {version} here")
    return JsonFrame(payload) if kind == _JSON else OpusFrame(_checked(payload))


def _checked(packet: bytes) -> bytes:
    if not 0 < len(packet) <= LARGEST_PACKET:
        raise BadMessage(f"an Opus packet of {len(packet)} bytes", f"1 to {LARGEST_PACKET} are taken")
    return packet
