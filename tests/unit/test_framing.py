"""The serial frames: round trips, and damage that costs only what it hits."""

from __future__ import annotations

import struct
import zlib

import prove_frames
import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.device.framing import (
    LARGEST_FRAME,
    LARGEST_PAYLOAD,
    ForeignFrame,
    Frame,
    FrameReader,
    Kind,
    Noise,
    encode,
)
from firmware_bridge.m5stack import framing as on_device

FRAMES = st.builds(
    Frame,
    st.sampled_from(Kind),
    st.integers(0, 65_535),
    st.integers(0, 65_535),
    st.binary(max_size=600) | st.integers(0, LARGEST_PAYLOAD).map(bytes),
)


def cut(wire: bytes, size: int) -> list[bytes]:
    return [wire[begin : begin + size] for begin in range(0, len(wire), size)]


@given(st.lists(FRAMES, max_size=5), st.integers(1, 700))
def test_frames_round_trip_in_any_portions(frames: list[Frame], size: int) -> None:
    reader = FrameReader()
    wire = b"".join(encode(frame) for frame in frames)
    assert [item for portion in cut(wire, size) for item in reader.feed(portion)] == frames


@given(st.lists(FRAMES, max_size=4), st.binary(max_size=300), st.integers(1, 700))
def test_the_device_frames_and_reads_in_the_same_way(frames: list[Frame], noise: bytes, size: int) -> None:
    reader, got = on_device.FrameReader(), []
    wire = noise + b"".join(encode(frame) for frame in frames)
    for portion in cut(wire, size):
        got += reader.feed(portion)
    assert got == [(frame.kind, frame.link, frame.seq, frame.payload) for frame in frames]
    for frame in frames:
        assert on_device.encode(frame.kind, frame.link, frame.seq, frame.payload) == encode(frame)


@given(st.binary(max_size=5_000), FRAMES)
def test_any_bytes_before_a_frame_leave_it_whole(noise: bytes, frame: Frame) -> None:
    items = FrameReader().feed(noise + encode(frame))
    assert items[-1] == frame
    assert all(isinstance(item, Noise) for item in items[:-1])


@pytest.mark.parametrize("filling", [b"\x00", b"\x01", b"\xff"])
def test_the_largest_frame_keeps_to_the_limit(filling: bytes) -> None:
    frame = Frame(Kind.AUDIO, 1, 2, filling * LARGEST_PAYLOAD)
    wire = encode(frame)
    assert len(wire) <= LARGEST_FRAME
    assert FrameReader().feed(wire) == [frame]
    with pytest.raises(ValueError, match="does not fit"):
        encode(Frame(Kind.AUDIO, 1, 2, filling * (LARGEST_PAYLOAD + 1)))


def test_a_stream_without_delimiters_takes_no_memory() -> None:
    reader = FrameReader()
    items = [item for _ in range(1_000) for item in reader.feed(b"x" * 1_000)]
    assert len(reader._begun) < LARGEST_FRAME
    assert all(isinstance(item, Noise) for item in items)
    assert reader.feed(encode(Frame(Kind.HAIL)))[-1] == Frame(Kind.HAIL)


@pytest.mark.parametrize(("version", "kind"), [(2, Kind.HELLO), (1, 200)])
def test_a_frame_from_the_future_is_told_from_noise(version: int, kind: int) -> None:
    body = struct.pack("<BBHH", version, kind, 7, 0) + b'{"device_id": "desk"}'
    wire = b"\0" + cobs.encode(body + struct.pack("<I", zlib.crc32(body))) + b"\0"
    assert FrameReader().feed(wire) == [ForeignFrame(version, kind)]


def test_boot_text_and_prints_come_out_as_noise() -> None:
    text = b"ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET)\r\n"
    items = FrameReader().feed(text + encode(Frame(Kind.HELLO)) + b"Traceback: ...\r\n" + encode(Frame(Kind.HAIL)))
    assert items == [Noise(text), Frame(Kind.HELLO), Noise(b"Traceback: ...\r\n"), Frame(Kind.HAIL)]


@pytest.mark.parametrize("seed", [1, 2])
def test_of_many_frames_half_of_them_damaged_none_is_wrong_and_no_whole_one_lost(seed: int) -> None:
    table = prove_frames.prove(20_000, seed)
    assert table["damaged"] == 10_000
    assert (table["accepted wrongly"], table["intact lost"], table["crashes"]) == (0, 0, 0)
