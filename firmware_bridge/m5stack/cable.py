"""The serial link as the device keeps it: one link number after another, frames until they are acknowledged.

`step` is called all the time and returns what the companion told, as dictionaries with a "type".
"""

import json
import os
import struct

from .framing import (
    ACK,
    AUDIO,
    CONTROL,
    CREDIT,
    HAIL,
    HELLO,
    LARGEST_PAYLOAD,
    PART,
    REFUSAL,
    VERSION,
    WELCOME,
    FrameReader,
    encode,
)

_HELLO_MS = 1000
_SILENT_MS = 6000  # the companion says something every 2 s
_FIRST_WAIT_MS, _LONGEST_WAIT_MS = 250, 2000
_WINDOW = 4
_AUDIO_BYTES = 1024  # sound in a frame, and the most that one step sends
_CREDIT_MS = 300


class Cable:
    def __init__(self, board, device_id: str) -> None:
        self._board = board
        self._device_id = device_id
        self._reader = FrameReader()
        self._foreign = 0  # the version of which it was told that nothing is understood
        self._turns = {}  # by turn id, until they are over: each new link begins them again
        self.linked = False
        self._begin_link()

    # What the device wants

    def start(self, turn) -> None:
        """A turn: `turn.text`, or `turn.pcm` that grows until `turn.ended`."""
        self._turns[turn.turn_id] = turn
        if self.linked:
            self._begin_turn(turn)

    def cancel(self, turn_id: str) -> None:
        turn = self._turns.pop(turn_id, None)
        self._tell({"type": "cancel", "turn_id": turn_id})
        self._end_upload(turn)

    def sense(self, readings: dict) -> None:
        self._tell({"type": "sense", "readings": readings})

    @property
    def busy(self) -> bool:
        return bool(self._turns)

    def step(self) -> list:
        now, told = self._board.ticks_ms(), []
        for kind, link, seq, payload in self._reader.feed(self._board.read_serial()):
            self._take(kind, link, seq, payload, told)
        if self._reader.foreign != self._foreign:
            self._foreign = self._reader.foreign
            problem = f"the companion speaks version {self._foreign} and this device {VERSION}: update the older one"
            told.append({"type": "refused", "error": {"message": problem}})
        if self.linked and self._board.ticks_diff(now, self._heard_at) > _SILENT_MS:
            self._begin_link()
            told.append({"type": "unlinked"})
        if not self.linked and self._board.ticks_diff(now, self._hello_at) >= 0:
            self._hello_at = self._board.ticks_add(now, _HELLO_MS)
            self._say_hello()
        self._send_due(now)
        self._send_sound()
        self._grant(now)
        return told

    # The link

    def _begin_link(self) -> None:
        self.linked = False
        self._link = struct.unpack("<H", os.urandom(2))[0] or 1
        self._hello_at = self._heard_at = self._board.ticks_ms()
        self._next, self._queue, self._sent = 1, [], []  # entries: [seq, kind, payload, due, wait, what, turn]
        self._expected, self._pieces = 1, b""
        self._uploading = None  # the one spoken turn that the companion is told now
        self._uploaded = -1  # how much of its sound went; -1 before the companion listens
        self._waiting = []  # spoken turns after it
        self._sound_taken, self._granted, self._credit_at = 0, 0, self._heard_at

    def _say_hello(self) -> None:
        board = self._board
        hello = {"device_id": self._device_id, "board": board.name, "firmware": board.firmware, "paired": board.paired}
        self._send(HELLO, 0, json.dumps(hello).encode())

    def _take(self, kind: int, link: int, seq: int, payload: bytes, told: list) -> None:
        if kind == HAIL:
            self._begin_link()
            told.append({"type": "unlinked"})
            return
        if kind == REFUSAL and seq == 0 and link in (0, self._link):
            told.append(dict(json.loads(payload), type="refused"))
            return
        if link != self._link:
            return
        self._heard_at = self._board.ticks_ms()
        if kind == WELCOME:
            if not self.linked:
                self.linked = True
                told.append(dict(json.loads(payload), type="linked"))
                for turn in self._turns.values():
                    self._begin_turn(turn)
        elif kind in (ACK, REFUSAL):
            self._settle(seq, kind == ACK, payload, told)
        elif kind in (PART, CONTROL):
            self._receive(kind, seq, payload, told)
        elif kind == AUDIO:
            self._hear(payload)

    def _receive(self, kind: int, seq: int, payload: bytes, told: list) -> None:
        ahead = (seq - self._expected) % 65535
        if ahead == 0:
            self._expected = seq % 65535 + 1
            self._pieces += payload
            if kind == CONTROL:
                message, self._pieces = json.loads(self._pieces), b""
                if message["type"] in ("done", "failed"):
                    self._turns.pop(message["turn_id"], None)
                told.append(message)
        if ahead == 0 or ahead > 32768:  # taken now, or before: then the acknowledgement got lost
            self._send(ACK, seq, b"")

    def _settle(self, seq: int, taken: bool, payload: bytes, told: list) -> None:
        entry = next((entry for entry in self._sent if entry[0] == seq), None)
        if entry is None:
            return
        self._sent.remove(entry)
        what, turn = entry[5], entry[6]
        if turn is None or turn.turn_id not in self._turns:
            return
        if taken and what == "listen":
            self._uploaded = 0
        elif not taken:
            self._turns.pop(turn.turn_id)
            self._end_upload(turn)
            told.append(dict(json.loads(payload), type="failed", turn_id=turn.turn_id, turn=turn))

    # Sending

    def _begin_turn(self, turn) -> None:
        if turn.text is not None:
            self._tell({"type": "say", "turn_id": turn.turn_id, "text": turn.text}, turn)
        elif self._uploading is None:
            self._uploading, self._uploaded = turn, -1
            self._tell({"type": "listen", "turn_id": turn.turn_id, "rate": turn.rate}, turn)
        else:
            self._waiting.append(turn)

    def _end_upload(self, turn) -> None:
        """The companion takes one utterance at a time; the next may begin."""
        if turn in self._waiting:
            self._waiting.remove(turn)
        if turn is not None and turn is self._uploading:
            self._uploading = None
            if self._waiting:
                self._begin_turn(self._waiting.pop(0))

    def _tell(self, message: dict, turn=None) -> None:
        if not self.linked:
            return
        raw = json.dumps(message).encode()
        begin = 0
        while True:
            piece = raw[begin : begin + LARGEST_PAYLOAD]
            begin += LARGEST_PAYLOAD
            last = begin >= len(raw)
            self._queue.append([self._next, CONTROL if last else PART, piece, 0, 0, message["type"], turn])
            self._next = self._next % 65535 + 1
            if last:
                return

    def _send_due(self, now: int) -> None:
        for entry in self._sent:
            if self._board.ticks_diff(now, entry[3]) >= 0:
                entry[4] = min(entry[4] * 2, _LONGEST_WAIT_MS)
                entry[3] = self._board.ticks_add(now, entry[4])
                self._send(entry[1], entry[0], entry[2])
        while self._queue and len(self._sent) < _WINDOW:
            entry = self._queue.pop(0)
            entry[4] = _FIRST_WAIT_MS
            entry[3] = self._board.ticks_add(now, _FIRST_WAIT_MS)
            self._sent.append(entry)
            self._send(entry[1], entry[0], entry[2])

    def _send_sound(self) -> None:
        turn, begin = self._uploading, self._uploaded
        if turn is None or begin < 0:
            return
        piece = bytes(turn.pcm[begin : begin + _AUDIO_BYTES])
        if piece:
            self._send(AUDIO, 0, struct.pack("<I", begin) + piece)
            self._uploaded = begin + len(piece)
        elif turn.ended:
            self._tell({"type": "heard", "turn_id": turn.turn_id, "bytes": len(turn.pcm)}, turn)
            self._end_upload(turn)

    # Sound from the companion

    def _hear(self, payload: bytes) -> None:
        begin = struct.unpack("<I", payload[:4])[0]
        if begin >= self._sound_taken:  # what is missing in between was damaged on the way
            self._board.play(payload[4:])
            self._sound_taken = begin + len(payload) - 4

    def _grant(self, now: int) -> None:
        if not self.linked:
            return
        grant = self._sound_taken + self._board.sound_room()
        if grant - self._granted >= _AUDIO_BYTES or self._board.ticks_diff(now, self._credit_at) >= _CREDIT_MS:
            self._granted = max(grant, self._granted)
            self._credit_at = now
            self._send(CREDIT, 0, struct.pack("<I", self._granted))

    def _send(self, kind: int, seq: int, payload: bytes) -> None:
        self._board.write_serial(encode(kind, self._link, seq, payload))
