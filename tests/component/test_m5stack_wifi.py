"""The device's side of Wi-Fi against a companion that answers by hand: late, not at all, or more than it can hold."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from firmware_bridge.m5stack.board_desk import DeskBoard
from firmware_bridge.m5stack.device import Device, Turn
from firmware_bridge.m5stack.wifi import Wifi

RATE = 16_000


class Hand:
    """A companion's listening socket, and the device with a clock of its own."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self.board = DeskBoard()
        self.now = self.board.ticks_ms()
        self.board.ticks_ms = lambda: self.now  # the clock is the hand's
        self.link = Wifi(self.board, "desk", f"http://127.0.0.1:{listener.getsockname()[1]}", "token")
        self.told: list[dict[str, Any]] = []
        self._connections: list[socket.socket] = []

    def asked(self, path: str) -> tuple[socket.socket, bytes]:
        """The next request for `path`, whole; requests for anything else are left without an answer."""
        for _ in range(200):
            self.step()
            try:
                connection, _ = self._listener.accept()
            except BlockingIOError:
                self.now += 100
                continue
            self._connections.append(connection)
            raw = self._whole(connection)
            if raw.split(b" ")[1].split(b"?")[0] == path.encode():
                return connection, raw
        raise AssertionError(f"nobody asked for {path}")

    def _whole(self, connection: socket.socket) -> bytes:
        raw = b""
        while True:
            self.step(2)
            raw += connection.recv(1 << 20)
            head, found, body = raw.partition(b"\r\n\r\n")
            if found and len(body) == int(head.partition(b"Content-Length: ")[2].split(b"\r\n")[0]):
                return raw

    def close(self) -> None:
        under_way = [self.link._listening, self.link._pairing, self.link._fetching, *[t[1:] for t in self.link._turns]]
        for request in [entry[0] for entry in under_way if entry and entry[0]]:
            request.close()
        for connection in self._connections:
            connection.close()

    def step(self, times: int = 1) -> None:
        for _ in range(times):
            self.told += self.link.step()


@pytest.fixture
def hand() -> Iterator[Hand]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        hand = Hand(listener)
        yield hand
        hand.close()


def answer(connection: socket.socket, status: int, body: bytes = b"", *headers: str) -> None:
    connection.sendall("\r\n".join([f"HTTP/1.0 {status} X", *headers, "", ""]).encode() + body)
    connection.close()


def test_a_turn_that_is_never_answered_is_sent_again_with_its_id(hand: Hand) -> None:
    hand.link.start(Turn("t1", "hello"))
    hand.asked("/chat/text")
    hand.now += 50_000
    hand.step()
    hand.now += 50_000
    connection, raw = hand.asked("/chat/text")
    assert json.loads(raw.partition(b"\r\n\r\n")[2])["turn_id"] == "t1"
    answer(connection, 200, b'event: done\ndata: {"action": "respond", "text": "Hi."}\n\n')
    hand.step(3)
    assert hand.told[-1] == {"type": "done", "turn_id": "t1", "action": "respond", "text": "Hi."}
    assert not hand.link.busy


def unpaired(hand: Hand) -> None:
    connection, _ = hand.asked("/device/events")
    answer(connection, 401)
    connection, _ = hand.asked("/device/pair")
    answer(connection, 202, json.dumps({"code": "123456", "claim": "c1", "expires_in": 120}).encode())


def claim(hand: Hand, status: int) -> str | None:
    """What the device shows when it asks for its token; it is answered with `status`, or with nothing for 0."""
    connection, raw = hand.asked("/device/pair")
    if status:
        answer(connection, status, b"{}")
    else:
        connection.close()
    body: dict[str, str] = json.loads(raw.partition(b"\r\n\r\n")[2])
    return body.get("claim")


def test_a_claim_is_kept_until_the_pairing_is_over(hand: Hand) -> None:
    unpaired(hand)
    assert [claim(hand, status) for status in (0, 500, 409, 410)] == ["c1"] * 4
    assert claim(hand, 0) is None


def speak(hand: Hand) -> socket.socket:
    turn = Turn("t1", None)
    turn.pcm += bytes(40_000)
    turn.ended = True
    hand.link.start(turn)
    connection, raw = hand.asked("/chat/audio")
    assert b"Content-Length: 40000\r\n" in raw
    return connection


def test_a_reply_is_taken_as_the_speaker_has_room_for_it(hand: Hand) -> None:
    device = Device(hand.board, hand.link)
    pcm = bytes(range(1, 201)) * 1_000
    connection = speak(hand)
    connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: audio/pcm;rate=16000\r\n\r\n" + pcm[:100_000])
    for _ in range(200):
        device.step()
    assert len(hand.board.played()[0]) == 16_384
    hand.now += 30_000  # a full speaker is no connection that stands still
    device.step()
    hand.now += 40_000
    connection.sendall(pcm[100_000:])
    connection.close()
    for _ in range(200):
        hand.now += 500
        device.step()
    assert hand.board.played() == (pcm, RATE)
    assert not hand.link.busy


def test_what_a_refused_utterance_is_told_is_shown(hand: Hand) -> None:
    answer(speak(hand), 400, b'{"error": {"code": "x", "message": "no", "hint": ""}}')
    hand.step(5)
    assert (hand.told[-1]["type"], hand.told[-1]["error"]["message"]) == ("failed", "no")


def test_a_sound_that_is_gone_is_not_played(hand: Hand) -> None:
    connection, _ = hand.asked("/device/events")
    event = b'event: audio\ndata: {"url": "/device/sounds/x"}\n\n'
    connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + event)
    sound, _ = hand.asked("/device/sounds/x")
    answer(sound, 404, b"x" * 500)
    hand.step(5)
    assert hand.board.played()[0] == b""
    assert not hand.link.busy
