# ruff: noqa: E402, E501, N802, PLW0108, T201
# mypy: ignore-errors
"""M5 and machine as far as the device's program uses them, then that program: its UART is the port in LOBUG_PORT.

Nothing runs on a board here. The button is held for a while once the companion is linked, and the microphone hears ones;
the speaker refuses sound while the microphone has its wires, as on a board. Ends when the reply was played.
"""

import os
import sys
import time


class Module:
    pass


class Uart:
    def __init__(self, number, baudrate, rxbuf, txbuf):
        from lobug.desk import Tty

        tty = Tty(os.getenv("LOBUG_PORT"))
        self.read, self.write = tty.read, tty.write


class Speaker:
    on, played = False, 0

    def begin(self):
        self.on = True

    def end(self):
        self.on = False

    def stop(self):
        pass

    def setVolumePercentage(self, percent):
        pass

    def playRaw(self, pcm, rate, stereo, repeat, channel, stop):
        if not self.on:
            raise RuntimeError("the speaker is off")
        self.played += len(pcm)
        print("played", self.played)


class Mic:
    def begin(self):
        self.buffers = []

    def end(self):
        pass

    def record(self, buffer, rate, stereo):
        self.buffers.append([buffer, time.ticks_add(time.ticks_ms(), 100 * (len(self.buffers) + 1))])

    def isRecording(self):
        while self.buffers and time.ticks_diff(time.ticks_ms(), self.buffers[0][1]) >= 0:
            buffer = self.buffers.pop(0)[0]
            buffer[:] = b"\1" * len(buffer)
        return len(self.buffers)


class Button:
    began = time.ticks_ms()

    def isPressed(self):
        held = time.ticks_diff(time.ticks_ms(), self.began)
        return 1000 < held < 1600


class Power:
    def getBatteryLevel(self):
        return -1

    def isCharging(self):
        return False


class Imu:
    def getAccel(self):
        return (0.0, 0.0, 1.0)


def reset():
    print("reset")
    raise SystemExit(1)


M5, machine = Module(), Module()
M5.begin = M5.update = lambda: None
M5.Imu, M5.Mic, M5.Power, M5.Speaker, M5.BtnA = Imu(), Mic(), Power(), Speaker(), Button()
machine.UART, machine.reset = Uart, reset
machine.unique_id = lambda: b"\1\2\3\4\5\6"
machine.RTC = lambda: type("Rtc", (), {"datetime": lambda self, at: print("clock", at[0])})()
sys.modules["M5"], sys.modules["machine"] = M5, machine

from lobug import main

main._OPEN_S = 0
main.main()
