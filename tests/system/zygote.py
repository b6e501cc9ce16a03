"""A program that has imported everything, and forks a process for each line that it reads.

What a fork runs is what `lobug serve` runs, or the memory alone, or what peers do, without half a second of imports for
each of thousands of lives.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from edge_memory.memory import Memory
from edge_memory.records import UserTurn
from edge_memory.scripted import HashEmbedder
from edge_memory.store.conversation import Answer

SYLLABLES = "ba du fe gi ko lu mi no pa ru sy te vo wa xi zu".split()


@contextmanager
def zygote(kind: str, folder: Path, environment: dict[str, str]) -> Iterator[Callable[[], tuple[int, str]]]:
    """Yields what starts one more process; it must have ended before the next is started."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "zygote.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, __file__, kind, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", **environment},
        )
        assert process.stdin is not None
        assert process.stdout is not None

        lives: list[int] = []

        def start() -> tuple[int, str]:
            process.stdin.write("start\n")
            process.stdin.flush()
            pid, _, told = process.stdout.readline().strip().partition(" ")
            if not told:
                raise AssertionError(f"it did not start:\n{(folder / 'zygote.log').read_text()}")
            lives.append(int(pid))
            return lives[-1], told

        try:
            yield start
        except BaseException:
            with suppress(ProcessLookupError):
                os.kill(lives[-1], signal.SIGKILL)  # the zygote waits for it
            raise
        finally:
            process.stdin.close()
            process.stdout.close()
            process.wait()


def sentence_of(turn_id: str) -> str:
    """One that is told from all others by what rules read."""
    digits = "".join(SYLLABLES[int(digit)] for digit in turn_id.removeprefix("turn"))
    return f"my friend {digits.capitalize()} plays the {digits}"


def memory_at(path: Path) -> Memory:
    """The memory that such a life has, with its embedder."""
    return Memory(path, serve=True, embedder=HashEmbedder(dimension=8))


def _live_as_memory(folder: Path, announce: Callable[[str], None]) -> None:
    asyncio.run(_talk_to_itself(folder, announce))


async def _talk_to_itself(folder: Path, announce: Callable[[str], None]) -> None:
    with (folder / "acknowledged").open("a") as acknowledged:
        async with memory_at(folder / "memory.db") as memory:
            announce(acknowledged.name)
            await memory.prepare()
            for number in count(os.getpid() * 1_000):
                await _tell_memory(memory, f"turn{number}")
                print(f"turn{number}", file=acknowledged, flush=True)
                while await memory.digest_once():
                    pass


async def _tell_memory(memory: Memory, turn_id: str) -> None:
    turn = UserTurn(turn_id, "kitchen", "owner", sentence_of(turn_id), 0.0)
    await memory.hear(turn)
    await memory.answer(Answer(turn, "I see.", "respond", {}, 0.0))


async def _warm_up() -> None:
    """What is made at its first use, such as patterns, is there for all lives."""
    with TemporaryDirectory() as folder:
        async with memory_at(Path(folder) / "memory.db") as memory:
            await memory.prepare()
            await _tell_memory(memory, "turn1")
            while await memory.digest_once():
                pass


def _run_zygote(live: Callable[[Path, Callable[[str], None]], None], folder: Path) -> None:
    for _ in sys.stdin:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            live(folder, partial(_tell, writing))
            os._exit(0)
        os.close(writing)
        told = os.read(reading, 1_000).decode()
        os.close(reading)
        sys.stdout.write(f"{child} {told}\n")
        sys.stdout.flush()
        os.waitpid(child, 0)


def _tell(pipe: int, told: str) -> None:
    os.write(pipe, told.encode())
    os.close(pipe)


def _live_as_companion(folder: Path, announce: Callable[[str], None]) -> None:
    from firmware_bridge.app.serving import serve
    from firmware_bridge.settings import load_settings

    asyncio.run(serve(load_settings({"data_dir": folder, "server.port": 0}), announce))


def _live_as_peer(folder: Path, announce: Callable[[str], None]) -> None:
    """Our own few lines in the manner of memories that keep a YAML or JSON file."""
    with (folder / "acknowledged").open("w") as acknowledged:
        announce(acknowledged.name)
        while True:
            try:
                memory = json.loads((folder / "memory.json").read_text())
            except (OSError, ValueError):
                memory = []
            turn_id = f"{os.getpid()}-{len(memory)}"
            memory.append({"id": turn_id, "text": "my friend Nora plays the harp " * 5})
            with (folder / "memory.json").open("w") as file:
                json.dump(memory, file)
            print(turn_id, file=acknowledged, flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "lobug":
        import firmware_bridge.app.serving  # noqa: F401 - once for all lives
    if sys.argv[1] != "peer":
        asyncio.run(_warm_up())
    _lives = {"lobug": _live_as_companion, "memory": _live_as_memory, "peer": _live_as_peer}
    _run_zygote(_lives[sys.argv[1]], Path(sys.argv[2]))
