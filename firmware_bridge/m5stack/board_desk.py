"""A device without hardware: a terminal for keyboard and screen, sound files for microphone and speaker.

Runs under CPython and under MicroPython's unix port. `stream` is the cable: `read()` gives what is there.
"""

import gc
import sys
import time

_SOUND_ROOM = 16384  # bytes that the speaker's buffer holds


class DeskBoard:
    firmware = "lobug 0.1"

    def __init__(self, stream=None, name: str = "desk", token: str = "", keep=None) -> None:
        """`keep` is given the token of a pairing.

        `lines` gives typed text, `speech` gives (pcm, rate) of an utterance; both None while there is nothing.
        """
        self.name = name
        self.lines = lambda: None
        self.speech = lambda: None
        self.speaker_speed = 1  # how much faster than a real one it plays
        self._stream = stream
        self._speaking = None  # what the microphone still hears
        self._rate = 16000
        self._playing_until = self.ticks_ms()  # the speaker is busy up to this tick
        self._starving = False  # more sound is announced
        self._hushed = False
        self.gaps_ms = 0
        self._played = bytearray()
        self._face = ""
        self._replying = False
        self._linked = False
        self.paired = bool(token)
        self._keep = keep

    # Time

    def ticks_ms(self) -> int:
        return time.ticks_ms() if hasattr(time, "ticks_ms") else int(time.monotonic() * 1000)

    def ticks_add(self, ticks: int, delta: int) -> int:
        return time.ticks_add(ticks, delta) if hasattr(time, "ticks_add") else ticks + delta

    def ticks_diff(self, end: int, begin: int) -> int:
        return time.ticks_diff(end, begin) if hasattr(time, "ticks_diff") else end - begin

    def set_time(self, at: float, utc_offset_minutes: int) -> None:
        self.clock = at, utc_offset_minutes

    def update(self) -> None:
        pass

    def memory_free(self) -> int:
        return gc.mem_free() if hasattr(gc, "mem_free") else 1 << 30

    # Cable

    def read_serial(self) -> bytes:
        return self._stream.read()

    def write_serial(self, data: bytes) -> None:
        self._stream.write(data)

    # Keyboard, button and microphone

    def typed(self) -> str | None:
        return self.lines()

    def pressed(self) -> bool:
        if self._speaking is None:
            self._speaking = self.speech()
        return bool(self._speaking and self._speaking[0])

    def record(self) -> int:
        """Begins recording; returns the samples a second."""
        return self._speaking[1]

    def recorded(self) -> bytes:
        """What was heard since the last call: a tenth of a second at a time."""
        if self._speaking is None:
            return b""
        pcm, rate = self._speaking
        size = rate // 10 * 2
        self._speaking = (pcm[size:], rate)
        return pcm[:size]

    def record_end(self) -> None:
        self._speaking = None

    # Speaker

    def play_at(self, rate: int) -> None:
        """Announces sound."""
        self._rate, self._hushed = rate, False

    def play(self, pcm: bytes) -> None:
        if self._hushed:
            return
        self._played += pcm
        now = self.ticks_ms()
        late = self.ticks_diff(now, self._playing_until)
        if late > 0:
            self.gaps_ms += late if self._starving else 0
            self._playing_until = now
        self._starving = True
        self._playing_until = self.ticks_add(self._playing_until, self._duration(len(pcm)))

    def playing(self) -> bool:
        return self._starving or self.ticks_diff(self._playing_until, self.ticks_ms()) > 0

    def sound_room(self) -> int:
        """Bytes that can be played after what is in the buffer."""
        behind = max(0, self.ticks_diff(self._playing_until, self.ticks_ms()))
        return max(0, _SOUND_ROOM - behind * self._rate * 2 * self.speaker_speed // 1000)

    def play_end(self) -> None:
        self._starving = False

    def show_speaker(self) -> None:
        if self._played:
            self._show("speaker", f"{len(self._played)} bytes at {self._rate} Hz, gaps {self.gaps_ms} ms")

    def _duration(self, size: int) -> int:
        return size * 1000 // (2 * self._rate * self.speaker_speed)

    def hush(self) -> None:
        """What still comes of this sound is not played."""
        self._hushed = True
        self._playing_until = self.ticks_ms()
        self._starving = False

    def set_volume(self, percent: int) -> None:
        self._show("volume", str(percent))

    def played(self) -> tuple:
        return bytes(self._played), self._rate

    # Screen

    def show_link(self, up: bool, problem: str) -> None:
        if up != self._linked or problem:
            self._linked = up
            self._show("link", "up" if up else "down " + problem)

    def show_heard(self, text: str | None) -> None:
        self._show("you", text or "(speaking)")

    def show_reply(self, text: str | None) -> None:
        """A piece of the reply; None begins a new one."""
        if text is None:
            self._end_line()
            return
        if not self._replying:
            sys.stdout.write("reply> ")
            self._replying = True
        sys.stdout.write(text)

    def show_done(self, action: str, text: str) -> None:
        self._end_line()
        self._show("done", f"{action}: {text}")

    def show_notice(self, text: str) -> None:
        self._show("notice", text)

    def show_problem(self, text: str) -> None:
        self._show("problem", text)

    def show_code(self, code: str) -> None:
        self._show("code", code)

    def show_face(self, expression: str) -> None:
        if expression != self._face:
            self._face = expression
            self._show("face", expression)

    def keep_key(self, token: str) -> None:
        self.paired = True
        self._show("paired", "yes")
        if self._keep:
            self._keep(token)

    # Sensors

    def readings(self) -> dict:
        return {"temperature": 21.5, "battery": 87, "orientation": "face up"}

    def _show(self, what: str, text: str) -> None:
        self._end_line()
        print(f"{what}> {text}")

    def _end_line(self) -> None:
        if self._replying:
            self._replying = False
            print()
