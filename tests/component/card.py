"""What a turn and its memory jobs cost an SD card: the bytes that SQLite writes and the syncs that it asks for."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from disks import OnDisk
from memory_house import Clock, digest

from edge_memory.memory import Memory
from edge_memory.scripted import HashEmbedder, ScriptedChat
from firmware_bridge.contracts import Heard
from firmware_bridge.turn import Dialogue, Manner, Persona
from firmware_bridge.turn.scripted import ScriptedReplies

_DIMENSION = 384  # of the default embedder
_MANNER = Manner(Persona("Lo-Bug", "a friend"), "tail", 60, 0.0)


_BLOCK = 4_096  # of a file system: what changes in one is written whole


class CountingDisk:
    """`written` are bytes as SQLite writes them; `blocks` what a file system makes of them from sync to sync."""

    def __init__(self) -> None:
        self.written = 0
        self.syncs = 0
        self.blocks = 0
        self._dirty: dict[str, set[int]] = {}

    def begin(self) -> None:
        """Counts from here on."""
        self.written = self.syncs = self.blocks = 0
        self._dirty.clear()

    def write(self, name: str, offset: int, data: bytes) -> None:
        if not name.endswith("-shm"):  # never reaches the card
            self.written += len(data)
            last = (offset + len(data) - 1) // _BLOCK
            self._dirty.setdefault(name, set()).update(range(offset // _BLOCK, last + 1))

    def truncate(self, name: str, size: int) -> None:
        pass

    def sync(self, name: str) -> None:
        self.syncs += 1
        self.blocks += len(self._dirty.pop(name, ()))

    def delete(self, name: str) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one turn, on average: what SQLite writes, the same in whole blocks of a file system, and syncs; those of the
    turns that a model answers alone.
    """

    kibibytes: float
    block_kibibytes: float
    syncs: float
    model_syncs: float


def cost_of_turns(path: Path, turns: int, sentences: Sequence[str] | None = None) -> Cost:
    """Whole turns with recall, vectors and every job that they leave; checkpoints are counted, too. The `sentences` of
    a mixed house unless others are given.
    """
    disk = CountingDisk()
    vfs = OnDisk(disk)
    sentences = sentences or MIXED
    said = [sentences[number % len(sentences)].format(number) for number in range(turns)]
    try:
        told = asyncio.run(_live(path, said, disk))
    finally:
        vfs.unregister()
    model_syncs = statistics.mean(syncs for syncs, is_models in told if is_models)
    return Cost(disk.written / turns / 1_024, disk.blocks * _BLOCK / turns / 1_024, disk.syncs / turns, model_syncs)


def syncs_of(path: Path, said: Sequence[str]) -> list[int]:
    """Of each of these turns with its jobs."""
    disk = CountingDisk()
    vfs = OnDisk(disk)
    try:
        return [syncs for syncs, _ in asyncio.run(_live(path, said, disk))]
    finally:
        vfs.unregister()


async def _live(path: Path, said: Sequence[str], disk: CountingDisk) -> list[tuple[int, bool]]:
    """The syncs of each turn, and whether the model was asked."""
    told: list[tuple[int, bool]] = []
    models = {"embedder": HashEmbedder(dimension=_DIMENSION), "chat": ScriptedChat(lambda messages: "{}")}
    replies = ScriptedReplies(lambda messages: "I see, and that is nice to know")
    async with Memory(path, serve=True, clock=Clock(), **models) as memory:
        await memory.prepare()
        async with Dialogue(memory, replies, _MANNER, 200, clock=Clock()) as dialogue:
            disk.begin()
            for text in said:
                asked, before = len(replies.prompts), disk.syncs
                async for _ in dialogue.talk(Heard(text, "kitchen")):
                    pass
                await digest(memory)
                told.append((disk.syncs - before, len(replies.prompts) > asked))
    return told


FOR_THE_MODEL = (  # or for memory, which is asked first
    "my friend Nora{0} lives in Town{0}",
    "what is the weather like",
    "i like tea number {0} a lot",
    "where does Nora{0} live",
    "tell me something about the sea",
)
MIXED = (*FOR_THE_MODEL, "set a timer for ten minutes", "hm", "cancel the timer")
