"""The device's own mind: takes what the user types or says to the companion, and shows what comes back.

`board` is the hardware (board_m5 or board_desk), `link` the way to the companion (cable or wifi).
"""

import binascii
import gc
import os

_SENSE_MS = 10000
_RETRY_MS = 3000
_SPARE = 49152  # bytes of memory that an utterance leaves to all else


class Turn:
    """What the user said: `text`, or sound in `pcm` that grows until `ended`."""

    def __init__(self, turn_id: str, text: str | None, rate: int = 16000) -> None:
        self.turn_id = turn_id
        self.text = text
        self.rate = rate
        self.pcm = bytearray()
        self.ended = text is not None
        self.begun = False


class Device:
    def __init__(self, board, link) -> None:
        self._board = board
        self._link = link
        self._boot = binascii.hexlify(os.urandom(6)).decode()  # turn ids must never come twice
        self._count = 0
        self._recording = None
        self._is_held = False  # the button of an utterance that has ended by itself
        self._current = ""  # the newest turn; its sound may go on when it is done
        self._cancelled = []  # the newest turns whose rest nobody wants
        self._spoken = []  # the newest turns that went out as sound
        self._sense_at = board.ticks_ms()
        self._reminded = []  # the newest reminders: one that may have got lost is told again
        self._later = []  # turns to start again, with the time

    def step(self) -> None:
        """One round: listen to the link, the microphone, the keyboard and the sensors."""
        self._board.update()
        for event in self._link.step():
            self._on_event(event)
        self._record()
        text = self._board.typed()
        if text:
            self._start(Turn(self._new_id(), text))
        now = self._board.ticks_ms()
        for entry in list(self._later):
            if self._board.ticks_diff(now, entry[1]) >= 0:
                self._later.remove(entry)
                self._link.start(entry[0])
        if self._link.linked and self._board.ticks_diff(now, self._sense_at) >= 0:
            self._sense_at = self._board.ticks_add(now, _SENSE_MS)
            readings = self._board.readings()
            if readings:
                self._link.sense(readings)

    @property
    def busy(self) -> bool:
        """Whether a turn is not over yet."""
        return self._link.busy or bool(self._later) or self._recording is not None

    def _record(self) -> None:
        """While the button is held, what the microphone hears goes out as it comes; pressing it hushes a reply."""
        pressed = self._board.pressed()
        self._is_held = self._is_held and pressed
        if pressed and self._recording is None and not self._is_held:
            self._hush()
            self._recording = Turn(self._new_id(), None, self._board.record())
            self._spoken = self._spoken[-3:] + [self._recording.turn_id]
            self._start(self._recording)
        if self._recording is not None:
            self._recording.pcm += self._board.recorded()
            self._is_held = pressed and not self._has_room(len(self._recording.pcm))
            if self._is_held or not pressed:
                self._board.record_end()
                self._recording.pcm += self._board.recorded()
                self._recording.ended = True
                self._recording = None

    def _has_room(self, size: int) -> bool:
        """Whether an utterance of that many bytes may grow, which may take a copy of it."""
        if self._board.memory_free() > size + _SPARE:
            return True
        gc.collect()
        return self._board.memory_free() > size + _SPARE

    def _hush(self) -> None:
        self._board.hush()
        if self._current:
            self._cancelled = self._cancelled[-3:] + [self._current]
            self._later = [entry for entry in self._later if entry[0].turn_id != self._current]
            self._link.cancel(self._current)
            self._current = ""

    def _start(self, turn: Turn) -> None:
        self._current = turn.turn_id
        self._board.show_heard(turn.text)
        self._board.show_face("thinking")
        self._link.start(turn)

    def _new_id(self) -> str:
        self._count += 1
        return f"{self._boot}-{self._count}"

    def _on_event(self, event: dict) -> None:
        handler = getattr(self, "_on_" + event["type"], None)
        if handler is not None:  # what an older device does not know, it leaves alone
            handler(event)

    def _on_linked(self, event: dict) -> None:
        if "at" in event:
            self._on_time(event)
        self._board.show_link(True, "")

    def _on_unlinked(self, event: dict) -> None:
        self._board.show_link(False, "")

    def _on_refused(self, event: dict) -> None:
        self._board.show_link(False, event["error"]["message"])

    def _on_understood(self, event: dict) -> None:
        if event["turn_id"] == self._current and event["text"]:
            self._board.show_heard(event["text"])

    def _on_begun(self, event: dict) -> None:
        if event["turn_id"] == self._current:
            self._board.show_reply(None)

    def _on_piece(self, event: dict) -> None:
        if event["turn_id"] == self._current:
            self._board.show_reply(event["text"])

    def _on_done(self, event: dict) -> None:
        if event["turn_id"] == self._current:
            self._board.show_done(event["action"], event["text"])

    def _on_failed(self, event: dict) -> None:
        """A turn that was refused for now is kept, and sent again."""
        if event["turn_id"] in self._cancelled:
            return
        turn = event.get("turn")
        if turn is not None and event["error"].get("retry"):
            self._later.append((turn, self._board.ticks_add(self._board.ticks_ms(), _RETRY_MS)))
            return
        self._board.show_problem(event["error"]["message"])
        self._board.show_face("sad")

    def _on_sentence(self, event: dict) -> None:
        """Of a turn of its own it has the words already, unless that was spoken."""
        if event["turn_id"].startswith(self._boot) and event["turn_id"] not in self._spoken:
            return
        self._board.show_notice(event["text"])

    def _on_face(self, event: dict) -> None:
        self._board.show_face(event["expression"])

    def _on_volume(self, event: dict) -> None:
        self._board.set_volume(event["percent"])

    def _on_time(self, event: dict) -> None:
        self._board.set_time(event["at"], event["utc_offset_minutes"])

    def _on_reminder(self, event: dict) -> None:
        reminder = (event["reminder_id"], event["text"])
        if reminder in self._reminded:
            return
        self._reminded = self._reminded[-7:] + [reminder]
        self._board.show_face("alert")
        self._board.show_notice(event["text"])

    def _on_sound(self, event: dict) -> None:
        if event.get("turn_id") in self._cancelled:
            self._board.hush()
        else:
            self._board.play_at(event["rate"])

    def _on_sound_end(self, event: dict) -> None:
        self._board.play_end()

    def _on_code(self, event: dict) -> None:
        self._board.show_code(event["code"])

    def _on_key(self, event: dict) -> None:
        self._board.keep_key(event["token"])
