"""Frames, messages and the pace of XiaoZhi's protocol: pure, so tried with whatever hypothesis thinks of."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator
from contextlib import suppress

import pytest
import virtual_time
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.contracts import Expression, Sound
from firmware_bridge.device.xiaozhi import messages
from firmware_bridge.device.xiaozhi.framing import LARGEST_PACKET, VERSIONS, JsonFrame, OpusFrame, pack, unpack
from firmware_bridge.device.xiaozhi.pacing import AHEAD_FRAMES, FRAME_SECONDS, Pacer
from firmware_bridge.device.xiaozhi.passage import Channel, Passage
from firmware_bridge.device.xiaozhi.tools import readings_of
from firmware_bridge.errors import BadMessage, ProtocolUnknown

DEVICE_QUEUE_SECONDS = 2.4
SETTLING_SECONDS = 0.1


@given(st.sampled_from(VERSIONS), st.binary(min_size=1, max_size=LARGEST_PACKET), st.integers(0, 2**40))
def test_every_packet_comes_out_as_it_went_in(version: int, packet: bytes, milliseconds: int) -> None:
    assert unpack(version, pack(version, packet, milliseconds)) == OpusFrame(packet)


def test_frames_are_laid_out_as_the_firmware_has_them() -> None:
    assert pack(1, b"opus") == b"opus"
    assert pack(2, b"opus", 258) == bytes.fromhex("0002 0000 00000000 00000102 00000004") + b"opus"
    assert pack(3, b"opus") == bytes.fromhex("00 00 0004") + b"opus"
    assert unpack(2, bytes.fromhex("0002 0001 00000000 00000000 00000002") + b"{}") == JsonFrame(b"{}")
    assert unpack(3, bytes.fromhex("01 00 0002") + b"{}") == JsonFrame(b"{}")


@given(st.sampled_from(VERSIONS), st.binary(max_size=200))
def test_any_bytes_are_a_frame_or_refused(version: int, data: bytes) -> None:
    try:
        frame = unpack(version, data)
    except BadMessage:
        return
    assert isinstance(frame, JsonFrame) or pack(version, frame.packet, 0)[-len(frame.packet) :] == frame.packet


PLAIN = st.sampled_from([None, True, 0, 1, 7, -1, 1.5, "", "hello", "start", "detect", "auto", "opus"])
JSON = PLAIN | st.just([]) | st.just([1]) | st.dictionaries(st.sampled_from(["format", "mcp", "channels"]), PLAIN)
FIELDS = ("type", "state", "mode", "text", "version", "features", "audio_params", "payload", "reason")
KINDS = st.sampled_from(["hello", "listen", "abort", "goodbye", "mcp", "iot"])


@given(st.dictionaries(st.sampled_from(FIELDS), JSON), KINDS)
def test_any_json_is_a_message_or_refused(told: dict[str, object], kind: str) -> None:
    for message in (told, {**told, "type": kind}):
        with suppress(BadMessage, ProtocolUnknown):
            messages.parse(json.dumps(message))


def test_what_the_firmware_sends_is_understood() -> None:
    hello = {"type": "hello", "version": 3, "features": {"mcp": True, "aec": True}, "transport": "websocket"}
    assert messages.parse(json.dumps(hello)) == messages.Hello(3, True)
    start = '{"session_id":"","type":"listen","state":"start","mode":"realtime"}'
    assert messages.parse(start) == messages.ListenStart(messages.Mode.REALTIME)
    assert messages.parse('{"type":"listen","state":"detect","text":"Hi, M Five"}') == messages.Detected("Hi, M Five")
    assert messages.parse('{"type":"abort","reason":"wake_word_detected"}') == messages.Abort()
    assert messages.parse('{"type":"iot","update":true}') == messages.Unknown("iot")


def test_every_face_has_a_name_that_the_firmware_knows() -> None:
    known = (
        "neutral happy laughing funny sad angry crying loving embarrassed surprised shocked thinking winking cool"
        " relaxed delicious kissy confident sleepy silly confused"
    ).split()
    for expression in Expression:
        assert json.loads(messages.emotion("", expression))["emotion"] in known


def test_the_readings_of_a_status() -> None:
    status = {
        "audio_speaker": {"volume": 70},
        "screen": {"brightness": 100, "theme": "light"},
        "battery": {"level": 50, "charging": True},
        "network": {"type": "wifi", "ssid": "home", "signal": "strong"},
    }
    assert readings_of(status) == {"battery": 50, "charging": True, "volume": 70, "wifi_signal": "strong"}
    for nonsense in (None, [], {"battery": []}, {"battery": {"level": {}}}, {"network": {"signal": "x" * 100}}):
        assert readings_of(nonsense) == {}


@given(st.lists(st.floats(0, 0.5), max_size=200))
def test_the_device_neither_overflows_nor_starves(delays: list[float]) -> None:
    """Each frame is there after a delay of its own, and leaves as soon as the pacer lets it."""
    pacer, now = Pacer(), 0.0
    for delay in delays:
        now += delay
        starving = pacer.queued(now) == 0.0
        wait = pacer.wait(now)
        assert wait <= FRAME_SECONDS + 1e-9
        assert not (starving and wait), "nothing is held back while the device has nothing to play"
        now += wait
        pacer.sent(now)
        assert pacer.queued(now) <= AHEAD_FRAMES * FRAME_SECONDS + 1e-9 < DEVICE_QUEUE_SECONDS


def test_a_reply_that_is_all_there_leaves_evenly() -> None:
    pacer, now, left = Pacer(), 100.0, []
    for _ in range(50):
        now += pacer.wait(now)
        pacer.sent(now)
        left.append(now)
    gaps = [later - earlier for earlier, later in itertools.pairwise(left)]
    assert gaps == [pytest.approx(0.0)] * (AHEAD_FRAMES - 1) + [pytest.approx(FRAME_SECONDS)] * (50 - AHEAD_FRAMES)


class Line:
    """Notes when each frame left, by the clock of the event loop."""

    def __init__(self) -> None:
        self.left: list[float] = []

    async def send_text(self, text: str) -> None: ...

    async def send_binary(self, data: bytes) -> None:
        self.left.append(asyncio.get_running_loop().time())

    async def close(self) -> None: ...


class Packets:
    """A packet for each byte of a sound."""

    def encode(self, sound: Sound) -> Iterator[bytes]:
        return iter([b"opus"] * len(sound.pcm))

    def rest(self) -> Iterator[bytes]:
        return iter(())


def test_no_frame_leaves_before_the_firmware_has_begun_to_speak() -> None:
    line = Line()

    async def speak() -> None:
        passage = Passage(Channel(line, "s"), Packets())
        await passage.begin()
        await passage.speak(Sound(b"1", 24_000))

    virtual_time.run(speak())
    assert line.left == [pytest.approx(SETTLING_SECONDS)]


@given(st.lists(st.tuples(st.floats(0, 3), st.integers(1, 30)), min_size=1, max_size=5))
def test_a_device_is_never_given_more_than_it_can_keep_nor_left_without_what_is_there(
    sounds: list[tuple[float, int]],
) -> None:
    """Each sound is made some seconds after the one before it has left, and has so many frames."""
    line, made = Line(), list[float]()

    async def speak() -> None:
        passage = Passage(Channel(line, "s"), Packets())
        await passage.begin()
        for seconds, frames in sounds:
            await asyncio.sleep(seconds)
            made.extend([asyncio.get_running_loop().time()] * frames)
            await passage.speak(Sound(bytes(frames), 24_000))

    virtual_time.run(speak())
    assert len(line.left) == len(made)
    played_until = SETTLING_SECONDS
    for left, there in zip(line.left, made, strict=True):
        assert left <= max(there, played_until) + 1e-6, "the device had nothing to play, and it was there"
        played_until = max(played_until, left) + FRAME_SECONDS
        assert played_until - left < DEVICE_QUEUE_SECONDS
