"""Turns with a large memory and models that cost nothing, to see what everything else takes."""

from __future__ import annotations

import random
import tempfile
import time
import uuid
from pathlib import Path

from recall_speed import fill, sentence

from edge_memory import lazy_re
from edge_memory.memory import Memory
from edge_memory.records import UserTurn
from edge_memory.scripted import HashEmbedder
from edge_memory.store import Store
from firmware_bridge.app import heap
from firmware_bridge.contracts import Heard, Said
from firmware_bridge.turn import Dialogue, Manner, Persona
from firmware_bridge.turn.scripted import ScriptedReplies

_DIMENSION, _SESSION, _EARLIER_TURNS = 384, "kitchen", 1_000
_MANNER = Manner(Persona("Lo-Bug", "a bench"), "tail", 60, 0.0)


async def turn_milliseconds(records: int, turns: int) -> tuple[list[float], list[float]]:
    """From heard to said without the embedding, on disk, in a file with `records` records and 1,000 earlier turns: by
    the clock, and in processor time of all threads, which other programs on the machine do not change.
    """
    source, embedder = random.Random(4), HashEmbedder(_DIMENSION)
    times, used = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        async with Store(path, serve=True) as store:
            await fill(store, embedder, [f"the user's {sentence(source, 9)}" for _ in range(records)])
        async with Memory(path, serve=True, embedder=embedder) as memory:
            await memory.overhear([_line(sentence(source, 9), number) for number in range(_EARLIER_TURNS)])
            while await memory.digest_once():
                pass
            async with Dialogue(memory, ScriptedReplies(lambda messages: "I see."), _MANNER, 8_000) as dialogue:
                lazy_re.compile_all()  # as a companion does once it runs
                heap.settle()
                for number in range(turns + 1):
                    text = f"what is {sentence(source, 5)} number {number}"
                    began, spent = time.perf_counter(), time.process_time()
                    *_, said = [event async for event in dialogue.talk(Heard(text, _SESSION))]
                    assert isinstance(said, Said)
                    embed_ms = said.timings.get("embed_ms", 0.0)
                    times.append((time.perf_counter() - began) * 1e3 - embed_ms)
                    used.append((time.process_time() - spent) * 1e3 - embed_ms)
                    while await memory.digest_once():
                        pass
    return times[1:], used[1:]  # the first one fills the mirror


def _line(text: str, number: int) -> UserTurn:
    return UserTurn(
        turn_id=uuid.uuid4().hex,
        session_id=f"before-{number // 50}",
        user_id="owner",
        device_id=None,
        text=text,
        heard_at=float(number),
        speaker="Ann",
    )
