#!/usr/bin/env -S .venv/bin/python
"""The device's code under MicroPython on a pty cable: pulled and plugged in again during turns, and carrying sound.

Fails when a turn or an answer is lost or doubled, a byte is wrong, the speaker has gaps, sound goes slower than real
time, or a link is back after more than two seconds.

usage: prove_cable.py [--replugs 1000] [--seconds 10] [--baud 921600] [--seed 1] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import wave
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path

import firmware_bridge.m5stack
from edge_memory.memory import Memory
from edge_memory.records import Message
from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import Action, Heard, ReplySound, Said, Sound, TurnBegun, TurnEvent, VoiceEvent
from firmware_bridge.device import NoticeBoard, SerialDoor
from firmware_bridge.device.pty_cable import PtyCable
from firmware_bridge.settings import SerialSettings
from firmware_bridge.turn import Dialogue, Manner, Persona
from firmware_bridge.turn.scripted import ScriptedReplies

_MANNER = Manner(Persona("Lo-Bug", "a proof"), "tail", 50, 0.0)
_RATE = 16_000
_MOST_TURNS = 100_000
_LINGER_SECONDS = 4.0  # after the last sound, for what a slow machine brings late
_LONGEST_AWAY_SECONDS = 2.0


def install(flash: Path) -> Path:
    """Copies the device's folder as the guide's command does to a board."""
    source = Path(firmware_bridge.m5stack.__file__).parent
    shutil.copytree(source, flash / "lobug", ignore=shutil.ignore_patterns("__pycache__"))
    return flash


def start_device(flash: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(Path(sys.executable).with_name("micropython")), "-m", "lobug.desk", *arguments],
        cwd=flash,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


class House:
    """The real memory and turns behind a cable, with a scripted model."""

    def __init__(self, memory: Memory, dialogue: Dialogue) -> None:
        self._memory = memory
        self._dialogue = dialogue

    def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]:
        return self._dialogue.talk(heard)

    def listen(self, heard: Heard, pieces: AsyncIterator[bytes], rate: int) -> AsyncIterator[VoiceEvent]:
        raise NotImplementedError("this proof is about text")

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None:
        await self._memory.sensing.sense(device_id, readings)

    async def is_welcome(self, device_id: str) -> bool:
        return True

    async def key_for(self, device_id: str, *, has_key: bool) -> str | None:
        return None


def _echo(messages: Sequence[Message]) -> str:
    return f"You said {messages[-1].content.splitlines()[-1]}, and that takes a while to say"


async def replug(replugs: int, seed: int, folder: Path) -> dict[str, float]:
    """Pulls the cable at a random moment, again and again, while the device says one thing after another."""
    chance, back, told = random.Random(seed), list[float](), list[str]()
    with PtyCable(folder / "usb0") as cable:
        memory = Memory(folder / "memory.db", serve=True)
        async with memory, Dialogue(memory, ScriptedReplies(_echo, 0.002), _MANNER, 200) as dialogue:
            serial = SerialSettings(ports=(cable.host_port,))
            async with SerialDoor(serial, House(memory, dialogue), NoticeBoard()) as door:
                device = start_device(install(folder / "flash"), "--cable", cable.device_port)
                talking = asyncio.create_task(asyncio.to_thread(_talk, device, told))
                for number in range(replugs):
                    await _until_linked(door, back)
                    while number % 3 == 2 and _answered(told).total() <= number // 3:  # noqa: ASYNC110 - see below
                        await asyncio.sleep(0.002)  # so that some turns end on a slow machine, too
                    await asyncio.sleep(chance.uniform(0.0, 0.08))
                    cable.unplug()
                    while "desk" in door.devices:  # noqa: ASYNC110 - it is watched from outside
                        await asyncio.sleep(0.001)
                    await asyncio.sleep(chance.uniform(0.0, 0.03))
                    cable.plug()
                await _until_linked(door, back)
                assert device.stdin is not None
                device.stdin.close()
                await talking
    kept = _kept(folder / "memory.db")
    done = _answered(told)
    said = [line.removeprefix("you> ") for line in told if line.startswith("you> ")]
    answers = Counter(_echo([Message("user", text)]) for text in said)
    return {
        "replugs": replugs,
        "turns": len(said),
        "turns lost": (Counter(said) - Counter(kept)).total(),
        "turns doubled": (Counter(kept) - Counter(said)).total(),
        "answers lost": (answers - done).total(),
        "answers doubled": (done - answers).total(),
        "back after, median s": round(statistics.median(back), 2),
        "back after, longest s": round(max(back), 2),
    }


def _answered(told: list[str]) -> Counter[str]:
    return Counter(line.removeprefix("done> respond: ") for line in told if line.startswith("done> "))


def _talk(device: subprocess.Popen[str], told: list[str]) -> None:
    """Types on and on until the keyboard is taken away. `told` gets what the device's screen shows."""
    assert device.stdin is not None
    assert device.stdout is not None
    number = 0
    device.stdin.write("turn 0\n")
    device.stdin.flush()
    for line in device.stdout:
        told.append(line.rstrip("\n"))
        if line.startswith("done> ") and not device.stdin.closed and number < _MOST_TURNS:
            number += 1
            try:
                device.stdin.write(f"turn {number}\n")
                device.stdin.flush()
            except (ValueError, BrokenPipeError):
                pass  # closed meanwhile
    device.stdout.close()
    device.wait()


async def _until_linked(door: SerialDoor, back: list[float]) -> None:
    began = time.monotonic()
    await asyncio.sleep(0)
    while "desk" not in door.devices:
        if time.monotonic() - began > 30:
            raise TimeoutError("the device did not come back")
        await asyncio.sleep(0.002)
    back.append(time.monotonic() - began)


def _kept(database: Path) -> list[str]:
    """What the file says was heard, read past the product."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return [row[0] for row in connection.execute("SELECT content FROM conversation_log WHERE role = 'user'")]


class Ears:
    """Takes sound, answers every utterance with it, and notes when it came."""

    def __init__(self) -> None:
        self.heard = b""
        self.all_heard = asyncio.Event()

    def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]:
        raise NotImplementedError("this proof is about sound")

    async def listen(self, heard: Heard, pieces: AsyncIterator[bytes], rate: int) -> AsyncIterator[VoiceEvent]:
        self.heard = pcm = b"".join([piece async for piece in pieces])
        self.all_heard.set()
        assert heard.turn_id is not None
        yield TurnBegun(heard.turn_id, heard.session_id)
        yield ReplySound(Sound(pcm, rate))
        yield Said(Action.RESPOND, "as you said", heard.turn_id, heard.session_id)

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None:
        pass

    async def is_welcome(self, device_id: str) -> bool:
        return True

    async def key_for(self, device_id: str, *, has_key: bool) -> str | None:
        return None


async def sound(seconds: int, baud: int, seed: int, folder: Path, speed: int = 1) -> dict[str, float]:
    """One utterance over the cable and back; `speed` is how much faster than a real one the speaker plays."""
    pcm = random.Random(seed).randbytes(seconds * _RATE * 2)
    wav = folder / "utterance.wav"
    _write_wav(wav, pcm)
    out, board = folder / "played.pcm", NoticeBoard()
    ears = Ears()
    with PtyCable(folder / "usb0", baud) as cable:
        async with SerialDoor(SerialSettings(ports=(cable.host_port,)), ears, board) as door:
            arguments = ("--cable", cable.device_port, "--wav", str(wav), "--out", str(out), "--speed", str(speed))
            device = start_device(install(folder / "flash"), *arguments, "--linger", str(int(_LINGER_SECONDS * 1_000)))
            await _until_linked(door, [])
            began = time.monotonic()
            finishing = asyncio.create_task(asyncio.to_thread(device.communicate, ""))
            await ears.all_heard.wait()
            up = time.monotonic() - began
            told, _ = await finishing
            down = time.monotonic() - began - up - _LINGER_SECONDS
    gaps = int(told.rpartition("gaps ")[2].partition(" ms")[0])
    return {
        "sound, s": seconds,
        "to the companion, s": round(up, 2),
        "to the device, s": round(down, 2),
        "bytes wrong": sum(a != b for a, b in zip(pcm + pcm, ears.heard + out.read_bytes(), strict=True)),
    } | ({"gaps in the speaker, ms": gaps} if speed == 1 else {})


def _write_wav(path: Path, pcm: bytes) -> None:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, _RATE, 0, "NONE", ""))
        file.writeframes(pcm)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replugs", type=int, default=1_000)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--baud", type=int, default=921_600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    tables: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as name:
        for number, speed in enumerate((1, 8)):
            folder = Path(name) / str(number)
            folder.mkdir()
            title = f"sound at {asked.baud} baud, speaker {'in real time' if speed == 1 else f'{speed} times as fast'}"
            tables[title] = asyncio.run(sound(asked.seconds, asked.baud, asked.seed, folder, speed))
        if asked.replugs:
            tables["replugs during turns"] = asyncio.run(replug(asked.replugs, asked.seed, Path(name)))
    if asked.json:
        print(json.dumps(tables))
    else:
        for title, table in tables.items():
            print(title, *(f"  {what:<26} {figure:>10}" for what, figure in table.items()), sep="\n")
    wrong = [f"{title}: {what} {table[what]}" for title, table in tables.items() for what in _faults(table)]
    print(*wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


def _faults(table: dict[str, float]) -> list[str]:
    """The figures that must not be as they are."""
    most = {"to the companion, s": table.get("sound, s"), "to the device, s": table.get("sound, s")}
    if "gaps in the speaker, ms" in table:
        most["to the device, s"] = None  # as slow as the speaker itself
    most["back after, longest s"] = _LONGEST_AWAY_SECONDS
    never = ("lost", "doubled", "wrong", "gaps")
    return [
        what
        for what, figure in table.items()
        if (any(word in what for word in never) and figure) or figure > (most.get(what) or float("inf"))
    ]


if __name__ == "__main__":
    sys.exit(main())
