"""A busy house: devices that talk, others that are slow or silent, and a companion in a process of its own.

Run as a program it is that companion: `load.py FOLDER DEVICES PATIENCE` prints one line of JSON when it answers, and
one with what it measured when it is told to stop.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import signal
import statistics
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

import aiohttp
from web_house import House, open_house

from edge_memory.records import Message
from edge_memory.scripted import ScriptedChat

_SAMPLE_SECONDS = 0.01
_CONNECTIONS = 256
_WARM = 0.5  # of all turns, after which memory must not grow any more
_TURNS_TO_A_READING = 10
_SENT_AGAIN_SECONDS = 1.0
_NOTHING_NEW = '{"ongoing_topics": [], "key_history": []}'
_SYLLABLES = "ba ke li mo nu ra se ti vo zu dan fel gor hin jam kol mer pin sat wol".split()
_HEAD = b"POST /chat/text HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: 5000\r\n\r\n"


# The companion


def answer(messages: Sequence[Message]) -> str:
    return f"I note that {messages[-1].content.splitlines()[-1]}."


class Milliseconds:
    """Times counted by whole milliseconds, in a bounded room."""

    def __init__(self) -> None:
        self._counts = [0] * 5_000

    def add(self, seconds: float) -> None:
        self._counts[min(max(int(seconds * 1e3), 0), len(self._counts) - 1)] += 1

    def quantile(self, share: float) -> int:
        """What this share of them does not exceed."""
        wanted, seen = sum(self._counts) * share, 0
        for milliseconds, count in enumerate(self._counts):
            seen += count
            if seen >= wanted:
                return milliseconds
        return len(self._counts)


class Pulse:
    """How late the event loop is, and how much waits in it, a hundred times a second."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.late, self.late_by_itself = Milliseconds(), Milliseconds()
        self.most_tasks = 0

    async def run(self) -> None:
        while True:
            due, worked = time.perf_counter() + _SAMPLE_SECONDS, time.process_time()
            await asyncio.sleep(_SAMPLE_SECONDS)
            late = time.perf_counter() - due
            self.late.add(late)
            self.late_by_itself.add(min(late, time.process_time() - worked))  # the rest is other programs'
            self.most_tasks = max(self.most_tasks, len(asyncio.all_tasks()))
            self._house.replies.prompts.clear()  # the script's notes are no part of the companion
            self._house.replies.ahead.clear()


async def keep_house(folder: Path, devices: int, patience: float) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with open_house(
        folder,
        answer,
        chat=ScriptedChat(lambda messages: _NOTHING_NEW),
        trust_loopback=False,
        turns_per_minute=0,
        most_connections=_CONNECTIONS,
        patience_seconds=patience,
    ) as house:
        tokens = [await house.pair(f"device{number}") for number in range(devices)]
        pulse = Pulse(house)
        async with asyncio.TaskGroup() as tasks:
            work = [tasks.create_task(pulse.run()), tasks.create_task(_digest(house))]
            _tell({"port": house.site.port, "tokens": tokens})
            await stop.wait()
            turns = (await house.memory.stats())["turns"]
            for task in work:
                task.cancel()
        late = {"lag_p99_ms": pulse.late.quantile(0.99), "own_lag_p99_ms": pulse.late_by_itself.quantile(0.99)}
        _tell({**late, "most_tasks": pulse.most_tasks, "turns": turns})


def _tell(figures: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.stdout.flush()


async def _digest(house: House) -> None:
    await house.memory.prepare()
    await house.memory.digest()


# Those who come to it


@dataclass
class Load:
    """What came of it. `closed` is after how many seconds each unwelcome connection was ended, by kind."""

    devices: int
    turns: int = 0
    lost: int = 0
    refused: int = 0  # turns that were sent again, because the companion said that it was too busy to hear them
    acknowledged_ms: list[float] = field(default_factory=list)
    closed: dict[str, list[float]] = field(default_factory=dict)
    memory_kb: list[int] = field(default_factory=list)  # from the end of the warm-up on
    seconds: float = 0.0
    lag_p99_ms: int = 0
    own_lag_p99_ms: int = 0  # without the time in which other programs had the processor
    most_tasks: int = 0

    @property
    def ack_p95_ms(self) -> float:
        return statistics.quantiles(self.acknowledged_ms, n=20)[-1]

    @property
    def growth_percent(self) -> float:
        """Of the resident memory, from the end of the warm-up to the end."""
        return (self.memory_kb[-1] / self.memory_kb[0] - 1) * 100

    @property
    def longest_stay(self) -> float:
        return max((stay for stays in self.closed.values() for stay in stays), default=0.0)


class BusyHouse:
    def __init__(self, pid: int, load: Load, port: int, tokens: list[str]) -> None:
        self.load = load
        self._pid = pid
        self._port = port
        self._tokens = tokens
        self._left = 0

    async def talk(
        self, turns: int, *, pause: float = 0.0, unwelcome: int = 0, least_seconds: float = 0.0, anew: bool = True
    ) -> None:
        """So many turns by all devices together, each with a pause of about so many seconds between two of its own.
        They connect `anew` for each request, as microcontrollers do, or keep their connections.

        Beside them `unwelcome` connections of each kind, for `least_seconds` at least and until each was let go once.
        """
        self._left = turns
        began = time.monotonic()
        pests = [asyncio.create_task(self._pester(kind)) for kind in self._kinds() for _ in range(unwelcome)]
        connector = aiohttp.TCPConnector(limit=0, force_close=anew)
        try:
            async with (
                aiohttp.ClientSession(f"http://127.0.0.1:{self._port}", connector=connector) as session,
                asyncio.TaskGroup() as tasks,
            ):
                tasks.create_task(self._watch_memory(turns))
                for number, token in enumerate(self._tokens):
                    tasks.create_task(self._device(session, number, token, pause))
            self.load.seconds = time.monotonic() - began
            await asyncio.sleep(max(0.0, least_seconds - self.load.seconds))
            while not all(self.load.closed.values()):
                await asyncio.sleep(0.1)
        finally:
            for pest in pests:
                pest.cancel()
            await asyncio.gather(*pests, return_exceptions=True)

    async def _device(self, session: aiohttp.ClientSession, number: int, token: str, pause: float) -> None:
        chance = random.Random(number)
        headers = {"Authorization": f"Bearer {token}"}
        while self._left > 0:
            self._left -= 1
            await asyncio.sleep(chance.uniform(0, 2 * pause))
            turn = self.load.turns
            self.load.turns += 1
            text = f"device {number} counts {turn} {_word(chance)} beside the {_word(chance)}"
            turn_id = await self._heard(session, text, headers)
            async with session.get(f"/turns/{turn_id}?wait=60", headers=headers) as response:
                said = await response.json()
            self.load.lost += text not in said.get("text", "")
            if turn % _TURNS_TO_A_READING == 0:
                reading = {"light": turn, "battery": 80}
                async with session.post("/context/sensors", json=reading, headers=headers) as response:
                    self.load.lost += response.status != 204

    async def _heard(self, session: aiohttp.ClientSession, text: str, headers: Mapping[str, str]) -> str:
        """The id of a turn that is acknowledged. One that is refused for now is sent again, as devices do."""
        while True:
            began = time.perf_counter()
            async with session.post("/turns", json={"text": text}, headers=headers) as response:
                told = await response.json()
                self.load.acknowledged_ms.append((time.perf_counter() - began) * 1e3)
            if response.status != HTTPStatus.SERVICE_UNAVAILABLE:
                return str(told.get("turn_id"))
            self.load.refused += 1
            await asyncio.sleep(_SENT_AGAIN_SECONDS)

    async def _watch_memory(self, turns: int) -> None:
        while self._left > 0:
            await asyncio.sleep(0.1)
            if self._left <= turns * (1 - _WARM):
                self.load.memory_kb.append(resident_kb(self._pid))

    def _kinds(self) -> dict[str, tuple[bytes, bytes]]:
        """What each unwelcome client sends at once, and what it lets drop."""
        head = _HEAD % self._tokens[0].encode()
        sound = head.replace(b"/chat/text", b"/chat/audio")
        return {
            "silent": (b"", b""),
            "slow head": (b"POST /chat/text HTTP/1.1\r\n", b"x"),
            "slow body": (head, b" "),
            "half a body": (head + b'{"text"', b""),
            "slow recording": (sound, b"\0"),
            "silent after an answer": (b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b""),
        }

    async def _pester(self, kind: str) -> None:
        """Comes back as soon as it has been let go."""
        at_once, drop = self._kinds()[kind]
        stays = self.load.closed.setdefault(kind, [])
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            began = time.monotonic()
            writer.write(at_once)
            dripping = asyncio.create_task(_drip(writer, drop))
            try:
                with suppress(ConnectionError):
                    while await reader.read(65_536):
                        pass
                stays.append(time.monotonic() - began)
            finally:
                dripping.cancel()
                writer.transport.abort()
                with suppress(ConnectionError):
                    await writer.wait_closed()


def _word(chance: random.Random) -> str:
    """One of 8,000: who talks for long uses many words, and recall must not find all in each."""
    return "".join(chance.choice(_SYLLABLES) for _ in range(3))


async def _drip(writer: asyncio.StreamWriter, drop: bytes) -> None:
    with suppress(ConnectionError):
        while drop:
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(0.3)


@asynccontextmanager
async def busy_house(folder: Path, devices: int, patience: float) -> AsyncIterator[BusyHouse]:
    """On leaving, the companion ends and its own figures join the load's."""
    command = (sys.executable, __file__, str(folder), str(devices), str(patience))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, limit=1 << 20)
    assert process.stdout is not None
    try:
        told = json.loads(await process.stdout.readline())
        load = Load(devices)
        yield BusyHouse(process.pid, load, told["port"], told["tokens"])
        process.terminate()
        figures = json.loads(await process.stdout.readline())
        load.lost += load.turns - figures.pop("turns")
        for name, figure in figures.items():
            setattr(load, name, figure)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def resident_kb(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024


if __name__ == "__main__":
    asyncio.run(keep_house(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
