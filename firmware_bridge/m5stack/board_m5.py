"""The board as UIFlow2 knows it: M5Stack Core2, CoreS3, Atom Echo and their kin. Nothing here runs without one."""

import gc
import time

import M5
from M5 import Imu, Mic, Power, Speaker

_RATE = 16000
_PIECE = 3200  # bytes: a tenth of a second of recording or playing
_ROOM = 32000  # bytes of sound that wait to be played
_WHITE, _BLACK, _RED = 0xFFFFFF, 0x000000, 0xFF3030


class M5Board:
    firmware = "lobug 0.1"

    def __init__(self, stream=None, name: str = "m5stack", token: str = "", keep=None) -> None:
        """`stream` is the cable; `keep` is given the token of a pairing."""
        M5.begin()
        self.paired = bool(token)
        self.name = name
        self._stream = stream
        self._keep = keep
        self._screen = getattr(M5, "Lcd", None)
        self._button = getattr(M5, "BtnA", None)
        self._touch = getattr(M5, "Touch", None)
        self._recording = False
        self._buffers = []  # those that the microphone fills, in order
        self._recorded = b""
        self._sound, self._handed = b"", []  # what waits to be played; what the speaker may still read
        self._rate, self._ending, self._hushed = _RATE, True, False
        self._playing_until = self.ticks_ms()
        Speaker.begin()

    # Time

    def ticks_ms(self) -> int:
        return time.ticks_ms()

    def ticks_add(self, ticks: int, delta: int) -> int:
        return time.ticks_add(ticks, delta)

    def ticks_diff(self, end: int, begin: int) -> int:
        return time.ticks_diff(end, begin)

    def set_time(self, at: float, utc_offset_minutes: int) -> None:
        import machine

        local = time.gmtime(int(at) + utc_offset_minutes * 60 - _epoch())
        year, month, day, hour, minute, second, weekday = local[:7]
        machine.RTC().datetime((year, month, day, weekday, hour, minute, second, 0))

    def update(self) -> None:
        """To be called all the time."""
        M5.update()
        self._feed_speaker()

    def memory_free(self) -> int:
        return gc.mem_free()

    # Cable

    def read_serial(self) -> bytes:
        return self._stream.read() if self._stream else b""

    def write_serial(self, data: bytes) -> None:
        self._stream.write(data)

    # Button and microphone

    def typed(self) -> str | None:
        return None

    def pressed(self) -> bool:
        """The button, or a finger on the screen."""
        held = self._button is not None and self._button.isPressed()
        return bool(held or (self._touch is not None and self._touch.getCount()))

    def record(self) -> int:
        """Begins recording; microphone and speaker share their wires on most boards."""
        Speaker.stop()
        Speaker.end()
        Mic.begin()
        self._recording, self._recorded = True, b""
        self._buffers = [bytearray(_PIECE), bytearray(_PIECE)]
        for buffer in self._buffers:
            Mic.record(buffer, _RATE, False)
        return _RATE

    def recorded(self) -> bytes:
        """What was heard since the last call. Two buffers are under way while the microphone records."""
        while self._recording and Mic.isRecording() < len(self._buffers):
            full = self._buffers.pop(0)
            self._recorded += bytes(full)
            self._buffers.append(full)
            Mic.record(full, _RATE, False)
        heard, self._recorded = self._recorded, b""
        return heard

    def record_end(self) -> None:
        self._recording = False
        Mic.end()
        Speaker.begin()

    # Speaker

    def play_at(self, rate: int) -> None:
        """Announces sound."""
        self._rate, self._ending, self._hushed = rate, False, False

    def play(self, pcm: bytes) -> None:
        if self._hushed:
            return
        self._sound += pcm
        self._feed_speaker()

    def playing(self) -> bool:
        return bool(self._sound) or self.ticks_diff(self._playing_until, self.ticks_ms()) > 0

    def sound_room(self) -> int:
        return max(0, _ROOM - len(self._sound))

    def play_end(self) -> None:
        self._ending = True
        self._feed_speaker()

    def hush(self) -> None:
        """What still comes of this sound is not played."""
        Speaker.stop()
        self._sound, self._ending, self._hushed = b"", True, True
        self._playing_until = self.ticks_ms()

    def set_volume(self, percent: int) -> None:
        Speaker.setVolumePercentage(percent / 100)

    def _feed_speaker(self) -> None:
        """Hands over the next piece when less than one is left; the speaker reads the buffers while it plays.

        While the microphone records there is no speaker: sound that comes then waits.
        """
        if self._recording:
            return
        now = self.ticks_ms()
        left = self.ticks_diff(self._playing_until, now)
        piece_ms = _PIECE * 1000 // (2 * self._rate)
        if left > piece_ms or not self._sound or (len(self._sound) < _PIECE and not self._ending):
            return
        piece, self._sound = self._sound[: 2 * _PIECE], self._sound[2 * _PIECE :]
        self._handed = self._handed[-3:] + [piece]
        Speaker.playRaw(piece, self._rate, False, 1, 0, False)
        begin = self._playing_until if left > 0 else now
        self._playing_until = self.ticks_add(begin, len(piece) * 1000 // (2 * self._rate))

    # Screen: a face above, words below

    def show_link(self, up: bool, problem: str) -> None:
        self._write("" if up else problem or "looking for the companion ...")

    def show_heard(self, text: str | None) -> None:
        self._write("listening ..." if text is None else text)

    def show_reply(self, text: str | None) -> None:
        if text is None:
            self._write("")
        elif self._screen:
            self._screen.print(text)

    def show_done(self, action: str, text: str) -> None:
        if action != "ignore" and text:
            self._write(text)

    def show_notice(self, text: str) -> None:
        self._write(text)

    def show_problem(self, text: str) -> None:
        self._write(text)

    def show_code(self, code: str) -> None:
        self._write("pairing code\n" + code)

    def show_face(self, expression: str) -> None:
        """Two eyes and a mouth; the mouth is straight, or bent by a few strokes."""
        screen = self._screen
        if not screen:
            return
        width, middle = screen.width(), screen.height() // 4
        screen.fillRect(0, 0, width, screen.height() // 2, _BLACK)
        color = _RED if expression == "alert" else _WHITE
        eye = 6 if expression == "thinking" else 14
        for x in (width // 3, 2 * width // 3):
            screen.fillCircle(x, middle, eye, color)
        bend = {"happy": 18, "sad": -18}.get(expression, 0)
        left, right, y = width // 3, 2 * width // 3, middle + 45
        for thick in range(3):
            screen.drawLine(left, y + thick, width // 2, y + bend + thick, color)
            screen.drawLine(width // 2, y + bend + thick, right, y + thick, color)

    def keep_key(self, token: str) -> None:
        self.paired = True
        if self._keep:
            self._keep(token)

    def _write(self, text: str) -> None:
        if self._screen:
            half = self._screen.height() // 2
            self._screen.fillRect(0, half, self._screen.width(), half, _BLACK)
            self._screen.setCursor(0, half)
            self._screen.print(text)

    # Sensors

    def readings(self) -> dict:
        """What this board has; boards without a battery or a motion sensor leave it out."""
        told = {}
        try:
            level = Power.getBatteryLevel()  # boards without a battery tell one that cannot be
            if 0 <= level <= 100:
                told["battery"] = level
            told["charging"] = Power.isCharging()
        except (AttributeError, OSError):
            pass
        try:
            x, y, z = Imu.getAccel()
            told["acceleration_x"], told["acceleration_y"], told["acceleration_z"] = (
                round(x, 2),
                round(y, 2),
                round(z, 2),
            )
            told["orientation"] = "face up" if z > 0.8 else "face down" if z < -0.8 else "upright"
        except (AttributeError, OSError, TypeError):
            pass
        return told


def _epoch() -> int:
    """Seconds from 1970 to this port's epoch, which is 2000 on microcontrollers."""
    return 946684800 if time.gmtime(0)[0] == 2000 else 0
