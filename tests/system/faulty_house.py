"""Memory and turns over a model that ends the process; started again and again, as a service manager does.

Run as a program it is one life: it answers two turns that a device sends again until they are settled, and digests.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.records import Status
from edge_memory.scripted import HashEmbedder
from edge_memory.store.records import Filter
from firmware_bridge.contracts import Heard, Said
from firmware_bridge.deaths import Deaths
from firmware_bridge.errors import InferenceError
from firmware_bridge.inference.faulty import FaultyChat
from firmware_bridge.lane import ComputeLane
from firmware_bridge.turn import Dialogue, Manner, Persona

_MANNER = Manner(Persona("Lo-Bug", "a friend"), "tail", 60, 0.0)
_TURNS = {"t0": "my sister Nora lives in Hull", "t1": "krakatoa erupted when i wandered among unmapped gardens"}
_TRIGGER = "krakatoa"
_MOST_LIVES = 8


@dataclass(frozen=True, slots=True)
class Outcome:
    """How often the process died, what the last life told, and what is wrong with that, or with dying too often."""

    deaths: int
    told: str
    wrong: str = ""


def survive(folder: Path, way: str, stage: str) -> Outcome:
    """Lives until one comes to its end."""
    for deaths in range(_MOST_LIVES):
        life = [sys.executable, __file__, str(folder), way, stage]
        done = subprocess.run(life, capture_output=True, text=True, timeout=240)
        if done.returncode == 0:
            wrong = asyncio.run(_wrong(folder, done.stdout, stage))
            return Outcome(deaths, done.stdout, wrong or ("" if 1 <= deaths <= 2 else "it died again and again"))
    return Outcome(_MOST_LIVES, done.stdout + done.stderr, "it dies for ever")


async def _wrong(folder: Path, told: str, stage: str) -> str:
    async with Memory(folder / "memory.db", serve=True) as memory:
        heard = [turn["heard"] for turn in await memory.turns(None, 10)]
        known, _ = await memory.select(Filter(status=Status.ACTIVE), 10)
        parked = (await memory.stats())["jobs_failed"]
    if stage != "loading" and sorted(map(str, heard)) != sorted(_TURNS.values()):
        return f"turns are not as they were said: {heard}"
    if stage != "loading" and not any("Nora" in record.text for record in known):
        return "the other turn was not digested"
    if stage == "memory" and not parked:
        return "the deadly job cannot be seen"
    settled = "t1 The" in told or "model_deadly" in told  # what was written before it hung is its answer
    return "" if settled else f"it tells {told!r}"


async def _live(folder: Path, way: str, stage: str) -> None:
    lane = ComputeLane(Deaths(folder / "cache" / "deaths.json"))
    model = FaultyChat(lane, way, stage, _TRIGGER, seconds=2.0)
    config = MemoryConfig(job_backoff_seconds=0.0)
    async with (
        Memory(folder / "memory.db", serve=True, embedder=HashEmbedder(), chat=model, config=config) as memory,
        lane,
        Dialogue(memory, model, _MANNER, 200) as dialogue,
    ):
        watching = asyncio.create_task(_end_if_it_hangs(lane))
        await memory.prepare()
        for turn_id, text in _TURNS.items():
            try:
                async for event in dialogue.talk(Heard(text, "kitchen", turn_id=turn_id)):
                    if isinstance(event, Said):
                        _tell(turn_id, event.text)
            except InferenceError as error:
                _tell(turn_id, error.code)
        while (await memory.stats())["jobs_pending"]:
            await memory.digest_once()
            await asyncio.sleep(0.01)
            if lane.stuck(0.0):
                await watching
        watching.cancel()


def _tell(turn_id: str, what: str) -> None:
    sys.stdout.write(f"{turn_id} {what}\n")
    sys.stdout.flush()


async def _end_if_it_hangs(lane: ComputeLane) -> None:
    while not lane.stuck(1.0):
        await asyncio.sleep(0.05)
    os._exit(1)


if __name__ == "__main__":
    asyncio.run(_live(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
