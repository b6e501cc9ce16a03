"""The device's own mind on a board without hardware: pressing the button, hushing, and what is spoken next."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

from cobs import cobs

from firmware_bridge.m5stack.board_desk import DeskBoard
from firmware_bridge.m5stack.cable import Cable
from firmware_bridge.m5stack.device import Device, Turn
from firmware_bridge.m5stack.framing import ACK, AUDIO, CONTROL, HAIL, REFUSAL, WELCOME, FrameReader, encode

PCM = b"\1\0" * 1600
RATE = 16_000


class Line(DeskBoard):
    """A board whose serial port is the test's."""

    def __init__(self) -> None:
        super().__init__()
        self.coming = b""

    def read_serial(self) -> bytes:
        coming, self.coming = self.coming, b""
        return coming

    def write_serial(self, data: bytes) -> None:
        pass


def test_a_companion_of_a_future_version_is_told_of_by_name_and_once() -> None:
    line = Line()
    cable = Cable(line, "desk")
    body = struct.pack("<BBHH", 2, 0, 0, 0) + b"what nobody knows yet"
    future = b"\0" + cobs.encode(body + struct.pack("<I", zlib.crc32(body))) + b"\0"
    told = []
    for coming in (future, future, future[:-3] + b"\0", encode(HAIL, 0, 0, b"")):
        line.coming = coming
        told.append([event["type"] for event in cable.step()])
    assert told == [["refused"], [], [], ["unlinked"]]
    line.coming = future.replace(body[6:10], b"WHAT")  # damaged: nothing is believed of it
    assert cable.step() == []


class Link:
    """A link whose companion is the test."""

    linked = True
    busy = False

    def __init__(self) -> None:
        self.started: list[Any] = []
        self.cancelled: list[str] = []
        self.events: list[dict[str, Any]] = []

    def start(self, turn: Any) -> None:
        self.started.append(turn)

    def cancel(self, turn_id: str) -> None:
        self.cancelled.append(turn_id)

    def sense(self, readings: dict[str, Any]) -> None:
        pass

    def step(self) -> list[dict[str, Any]]:
        events, self.events = self.events, []
        return events


class Hand:
    """Who types, speaks and watches the clock."""

    def __init__(self) -> None:
        self.board, self.link = DeskBoard(), Link()
        self.now = self.board.ticks_ms()
        self.board.ticks_ms = lambda: self.now  # the clock is the hand's
        self.device = Device(self.board, self.link)

    def type(self, text: str) -> Any:
        self.board.lines = lambda: text
        self.device.step()
        self.board.lines = lambda: None
        return self.link.started[-1]

    def press(self) -> Any:
        self.board.speech = lambda: (PCM, RATE)
        self.device.step()
        self.board.speech = lambda: None
        return self.link.started[-1]

    def tell(self, *events: dict[str, Any]) -> None:
        self.link.events = list(events)
        self.device.step()


def test_a_press_hushes_a_reply_that_is_done_but_still_sounds() -> None:
    hand = Hand()
    turn = hand.type("tell me a long story")
    hand.tell(
        {"type": "sound", "rate": RATE, "turn_id": turn.turn_id},
        {"type": "done", "turn_id": turn.turn_id, "action": "respond", "text": "Once upon a time"},
    )
    hand.board.play(PCM * 100)
    assert hand.board.playing()
    hand.press()
    assert not hand.board.playing()
    assert hand.link.cancelled == [turn.turn_id]
    hand.board.play(PCM)  # the rest, which was on its way
    hand.tell({"type": "sound", "rate": RATE, "turn_id": turn.turn_id})
    hand.board.play(PCM)
    assert not hand.board.playing()
    hand.tell({"type": "sound", "rate": RATE, "turn_id": hand.link.started[-1].turn_id})
    hand.board.play(PCM)
    assert hand.board.playing()


def test_a_press_hushes_a_reminder() -> None:
    hand = Hand()
    hand.tell({"type": "sound", "rate": RATE, "turn_id": None})
    hand.board.play(PCM * 100)
    hand.press()
    assert not hand.board.playing()
    assert hand.link.cancelled == []


def test_a_cancelled_turn_is_not_sent_again() -> None:
    hand = Hand()
    refusal = {"type": "failed", "error": {"message": "later", "retry": True}}
    waiting = hand.type("a story")
    hand.tell(dict(refusal, turn_id=waiting.turn_id, turn=waiting))
    spoken = hand.press()
    hand.tell(dict(refusal, turn_id=waiting.turn_id, turn=waiting))  # was on its way
    hand.now += 10_000
    hand.device.step()
    assert hand.link.started == [waiting, spoken]
    assert not hand.device.busy


def test_the_key_of_a_pairing_is_given_to_who_keeps_it() -> None:
    kept: list[str] = []
    board, link = DeskBoard(keep=kept.append), Link()
    link.events = [{"type": "key", "token": "secret"}]
    assert not board.paired
    Device(board, link).step()
    assert kept == ["secret"]
    assert board.paired
    assert DeskBoard(token="secret").paired


def test_an_utterance_ends_before_memory_does() -> None:
    hand = Hand()
    left = 60_000
    hand.board.memory_free = lambda: left - len(turn.pcm)
    turn = Turn("", None)
    hand.board.speech = lambda: (PCM * 100, RATE)
    hand.board.recorded = lambda: PCM
    hand.board.pressed = lambda: True
    hand.board.record = lambda: RATE
    hand.device.step()
    turn = hand.link.started[-1]
    for _ in range(50):
        hand.device.step()
    assert turn.ended
    assert len(turn.pcm) == 3 * len(PCM)  # the last of them came while it ended
    assert hand.link.started == [turn]  # the button is still held
    hand.board.pressed = lambda: False
    hand.device.step()
    hand.board.pressed = lambda: True
    left += 100_000
    hand.device.step()
    assert len(hand.link.started) == 2


class Wire:
    """The companion's end of a cable, frame by frame; acknowledges what it is told."""

    def __init__(self) -> None:
        self.out = self.into = b""
        self.reader = FrameReader()
        self.board = DeskBoard(self, "desk")
        self.now = self.board.ticks_ms()
        self.board.ticks_ms = lambda: self.now  # the clock is the test's
        self.cable = Cable(self.board, "desk")
        self.cable.step()
        ((_, self.link, _, _),) = self.reader.feed(self._taken())
        self.into = encode(WELCOME, self.link, 0, b"{}")
        self.cable.step()
        self.refuse = ""

    def read(self) -> bytes:
        read, self.into = self.into, b""
        return read

    def write(self, data: bytes) -> None:
        self.out += data

    def _taken(self) -> bytes:
        taken, self.out = self.out, b""
        return taken

    def pump(self, steps: int) -> list[tuple[str, str]]:
        """What the device told in as many steps; an utterance's sound by its first byte."""
        told: list[tuple[str, str]] = []
        for _ in range(steps):
            self.now += 5
            self.cable.step()
            for kind, link, seq, payload in self.reader.feed(self._taken()):
                if kind == AUDIO:
                    told.append(("sound", chr(payload[4])))
                elif kind == CONTROL:
                    message = json.loads(payload)
                    told.append((message["type"], message.get("turn_id", "")))
                    refused = message["type"] == self.refuse
                    body = b'{"error": {"message": "later", "retry": true}}' if refused else b""
                    self.into += encode(REFUSAL if refused else ACK, link, seq, body)
        return told


def utterance(name: str, ended: bool = True) -> Any:
    turn = Turn(name, None)
    turn.pcm += name.encode() * 3_000
    turn.ended = ended
    return turn


def spoken(*names: str) -> list[tuple[str, str]]:
    return [step for n in names for step in [("listen", n), *[("sound", n)] * 3, ("heard", n)]]


def test_one_utterance_is_told_at_a_time() -> None:
    wire = Wire()
    first, second = utterance("a", ended=False), utterance("b")
    wire.cable.start(first)
    told = wire.pump(5)
    wire.cable.start(second)
    told += wire.pump(10)
    first.ended = True
    told += wire.pump(20)
    assert told == spoken("a", "b")


def test_an_utterance_follows_one_that_was_refused_or_cancelled() -> None:
    wire = Wire()
    wire.refuse = "listen"
    wire.cable.start(utterance("a"))
    wire.cable.start(utterance("b", ended=False))
    assert wire.pump(1) == [("listen", "a")]
    wire.refuse = ""
    assert wire.pump(8) == [step for step in spoken("b") if step[0] != "heard"]
    wire.cable.start(utterance("c"))
    wire.cable.cancel("b")
    assert wire.pump(20) == [("cancel", "b"), *spoken("c")]


def test_sound_of_the_companion_is_played_in_its_order_and_late_pieces_are_not() -> None:
    wire = Wire()
    for begin, sound in ((0, b"ab"), (4, b"ef"), (2, b"cd"), (6, b"gh")):
        wire.into += encode(AUDIO, wire.link, 0, struct.pack("<I", begin) + sound)
    wire.cable.step()
    assert wire.board.played()[0] == b"abefgh"
