"""What a listening begins with, and how much of a flood is decoded."""

from __future__ import annotations

import asyncio

from firmware_bridge.device.xiaozhi.microphone import Microphone


class CountingDecoder:
    """A packet is its own sound."""

    def __init__(self) -> None:
        self.decoded = 0

    def decode(self, packet: bytes) -> bytes:
        self.decoded += 1
        return packet


def test_of_a_flood_only_some_is_decoded() -> None:
    decoder = CountingDecoder()
    microphone = Microphone(decoder)
    for _ in range(20_000):
        microphone.add(b"\xff")
    assert 200 <= decoder.decoded <= 2_000


async def test_what_came_long_before_is_no_part_of_an_utterance() -> None:
    microphone = Microphone(CountingDecoder())
    microphone.add(b"old")
    await asyncio.sleep(0.7)
    microphone.add(b"new")
    utterance = microphone.listen()
    utterance.end()
    assert [piece async for piece in utterance.pieces()] == [b"new"]
