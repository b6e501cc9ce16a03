"""Control frames over a wire that loses, doubles and reorders: each message once, in order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.device.delivery import WINDOW, Incoming, Outgoing, Standing
from firmware_bridge.device.framing import Frame, Kind
from firmware_bridge.errors import BadMessage


def carry(messages: list[bytes], loss: float, seed: int) -> tuple[list[bytes], float]:
    """What arrives, and after how many seconds, when every frame and ack may be lost or doubled."""
    chance, sender, receiver = random.Random(seed), Outgoing(7), Incoming()
    for message in messages:
        sender.push(message)
    arrived: list[bytes] = []
    now = 0.0
    while sender.waiting and now < 10_000:
        for frame in sender.due(now):
            for _ in range(chance.choice((1, 1, 2))):
                if chance.random() < loss:
                    continue
                answer = receive(receiver, frame, arrived)
                if answer is not None and chance.random() >= loss:
                    sender.settle(answer.seq, now)
        now = max(sender.next_due() or now, now + 0.001)
    return arrived, now


def receive(receiver: Incoming, frame: Frame, arrived: list[bytes]) -> Frame | None:
    standing = receiver.take(frame)
    if standing is Standing.SETTLED:
        return receiver.answer_again(frame)
    if standing is not Standing.NEW:
        return None
    whole = receiver.join(frame)
    if whole is not None:
        arrived.append(whole)
    answer = Frame(Kind.ACK, frame.link, frame.seq)
    receiver.settle(answer)
    return answer


@given(st.lists(st.binary(max_size=9_000), max_size=20), st.sampled_from([0.0, 0.1, 0.5]), st.integers(0, 99))
def test_every_message_arrives_once_and_in_order(messages: list[bytes], loss: float, seed: int) -> None:
    assert carry(messages, loss, seed)[0] == messages


def test_the_sequence_wraps() -> None:
    messages = [str(number).encode() for number in range(70_000)]
    assert carry(messages, 0.0, 1)[0] == messages


def test_what_is_not_settled_yet_is_neither_handled_again_nor_in_the_way() -> None:
    sender, receiver = Outgoing(7), Incoming()
    for number in range(3):
        sender.push(str(number).encode())
    first, second, third = sender.due(0.0)
    assert receiver.take(first) is Standing.NEW
    assert receiver.take(third) is Standing.EARLY
    assert receiver.take(second) is Standing.NEW
    assert receiver.take(first) is Standing.PENDING
    receiver.settle(Frame(Kind.REFUSAL, 7, first.seq, b"no"))
    assert receiver.take(first) is Standing.SETTLED
    assert receiver.answer_again(first).payload == b"no"


def test_a_device_that_never_acknowledges_is_noticed_and_not_flooded() -> None:
    sender = Outgoing(7)
    for _ in range(50):
        sender.push(b"x")
    sent = sum(len(sender.due(tenth / 10)) for tenth in range(100))
    assert sender.waiting == 50
    assert sent <= WINDOW * 8
    assert sender.stalled_for(10.0) == pytest.approx(10.0)


def test_an_endless_message_is_refused() -> None:
    receiver = Incoming()
    for seq in range(1, 17):
        assert receiver.join(Frame(Kind.PART, 7, seq, bytes(4_000))) is None
    with pytest.raises(BadMessage, match="more than"):
        receiver.join(Frame(Kind.PART, 7, 17, bytes(4_000)))
