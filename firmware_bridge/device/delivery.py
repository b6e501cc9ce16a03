"""Control frames arrive once and in order, however bad the cable. Pure: no I/O, no clock.

The receiver takes only the frame that is next, and settles each one by itself: at once, or when what it asks for is on
disk. What is not settled is sent again after 0.25 s, doubling up to 2 s.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum

from firmware_bridge.device.framing import LARGEST_PAYLOAD, Frame, Kind
from firmware_bridge.errors import BadMessage

WINDOW = 8
_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS = 0.25, 2.0
_REMEMBERED = 64
_MOST_PENDING = 32  # what a device asks for beyond that has to wait and come again
_SEQUENCE = 1 << 16
_LARGEST_MESSAGE = 64 * 1024


@dataclass(slots=True)
class _Sent:
    frame: Frame
    due: float
    wait: float


class Outgoing:
    """The sending side of one link."""

    def __init__(self, link: int) -> None:
        self._link = link
        self._next = 1
        self._queued: deque[Frame] = deque()
        self._sent: dict[int, _Sent] = {}
        self._last_progress = 0.0

    def push(self, message: bytes) -> int:
        """A control message, cut into as many frames as it takes. Returns the sequence number of the last one."""
        pieces = [message[i : i + LARGEST_PAYLOAD] for i in range(0, len(message), LARGEST_PAYLOAD)] or [b""]
        for number, piece in enumerate(pieces, 1):
            kind = Kind.CONTROL if number == len(pieces) else Kind.PART
            self._queued.append(Frame(kind, self._link, self._next, piece))
            self._next = self._next % (_SEQUENCE - 1) + 1
        return self._queued[-1].seq

    def due(self, now: float) -> list[Frame]:
        """What is to be sent now: again, or for the first time as far as the window allows."""
        frames: list[Frame] = []
        for sent in self._sent.values():
            if sent.due <= now:
                sent.wait = min(sent.wait * 2, _LONGEST_WAIT_SECONDS)
                sent.due = now + sent.wait
                frames.append(sent.frame)
        if not self._sent:
            self._last_progress = now
        while self._queued and len(self._sent) < WINDOW:
            frame = self._queued.popleft()
            self._sent[frame.seq] = _Sent(frame, now + _FIRST_WAIT_SECONDS, _FIRST_WAIT_SECONDS)
            frames.append(frame)
        return frames

    def next_due(self) -> float | None:
        """When `due` has something to send again; None while nothing is under way."""
        return min((sent.due for sent in self._sent.values()), default=None)

    def settle(self, seq: int, now: float) -> None:
        """The other side acknowledged or refused it."""
        if self._sent.pop(seq, None) is not None:
            self._last_progress = now

    @property
    def waiting(self) -> int:
        """Frames that are not settled."""
        return len(self._queued) + len(self._sent)

    def stalled_for(self, now: float) -> float:
        """Seconds without any acknowledgement although one is due."""
        return now - self._last_progress if self._sent else 0.0


class Standing(Enum):
    """Where a control frame that came in stands."""

    NEW = "new"  # to be handled, then settled
    PENDING = "pending"  # being handled; it is settled later
    SETTLED = "settled"  # the answer got lost: it is to be given again
    EARLY = "early"  # one before it got lost; it will come again


class Incoming:
    """The receiving side of one link."""

    def __init__(self) -> None:
        self._expected = 1
        self._pending: set[int] = set()
        self._answers: dict[int, Frame] = {}
        self._pieces = b""

    def take(self, frame: Frame) -> Standing:
        if frame.seq == self._expected:
            if len(self._pending) >= _MOST_PENDING:
                return Standing.EARLY
            self._expected = frame.seq % (_SEQUENCE - 1) + 1
            self._pending.add(frame.seq)
            return Standing.NEW
        if frame.seq in self._pending:
            return Standing.PENDING
        ahead = (frame.seq - self._expected) % (_SEQUENCE - 1)
        return Standing.EARLY if ahead < _SEQUENCE // 2 else Standing.SETTLED

    def join(self, frame: Frame) -> bytes | None:
        """The whole message once its last piece is there. Raises BadMessage for one that is too large."""
        self._pieces += frame.payload
        if len(self._pieces) > _LARGEST_MESSAGE:
            self._pieces = b""
            raise BadMessage(f"a control message of more than {_LARGEST_MESSAGE} bytes", "send less text at once")
        if frame.kind is Kind.PART:
            return None
        whole, self._pieces = self._pieces, b""
        return whole

    def settle(self, answer: Frame) -> None:
        """Remembers the ack or refusal that was given, in case it gets lost."""
        self._pending.discard(answer.seq)
        self._answers[answer.seq] = answer
        while len(self._answers) > _REMEMBERED:
            del self._answers[next(iter(self._answers))]

    def answer_again(self, frame: Frame) -> Frame:
        return self._answers.get(frame.seq) or Frame(Kind.ACK, frame.link, frame.seq)
