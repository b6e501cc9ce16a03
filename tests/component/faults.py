"""A disk that fails: at one operation, or from one on, with an I/O error or for want of space."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import apsw
from disks import OnDisk
from memory_house import digest, say

from edge_memory.errors import EdgeMemoryError, StoreError
from edge_memory.memory import Memory
from edge_memory.records import Status
from edge_memory.store.records import Filter

SENTENCES = ("my name is Alex", "i am allergic to peanuts", "my sister Nora lives in Hull")


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens at operation `at`, counted from 0."""

    at: int
    full: bool  # no space, else an I/O error
    lasting: bool  # from then on, else once

    def error(self) -> apsw.Error:
        return apsw.FullError("no space") if self.full else apsw.IOError("the disk failed")


class FailingDisk:
    """Without a fault it only counts."""

    def __init__(self, fault: Fault | None = None) -> None:
        self.fault = fault
        self.operations = 0

    def write(self, name: str, offset: int, data: bytes) -> None:
        self._step()

    def truncate(self, name: str, size: int) -> None:
        self._step()

    def sync(self, name: str) -> None:
        self._step()

    def delete(self, name: str) -> None:
        self._step()

    def _step(self) -> None:
        now, self.operations = self.operations, self.operations + 1
        if self.fault and (now == self.fault.at or (self.fault.lasting and now > self.fault.at)):
            raise self.fault.error()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was answered, how many errors were told, and what was wrong when the disk was well again."""

    answered: int
    told: int
    wrong: str = ""


def operations(folder: Path) -> int:
    """How many there are in a life without a fault."""
    disk = FailingDisk()
    _on(disk, folder / "memory.db")
    return disk.operations


def suffer(folder: Path, fault: Fault) -> Outcome:
    """Lives through `fault`, then opens the file on a disk that works and looks it through."""
    path = folder / "memory.db"
    answered, told = _on(FailingDisk(fault), path)
    return Outcome(answered, told, asyncio.run(_wrong(path, answered)))


def _on(disk: FailingDisk, path: Path) -> tuple[int, int]:
    vfs = OnDisk(disk)
    try:
        return asyncio.run(_live(path))
    finally:
        vfs.unregister()


async def _live(path: Path) -> tuple[int, int]:
    """Says each sentence up to twice, as a device does that got no answer."""
    answered = told = 0
    try:
        async with Memory(path, serve=True) as memory:
            for number, sentence in enumerate(SENTENCES):
                for _ in range(2):
                    try:
                        await say(memory, f"t{number}", sentence)
                        answered |= 1 << number
                        await digest(memory)
                        break
                    except StoreError:
                        told += 1
    except StoreError:
        told += 1
    return answered, told


async def _wrong(path: Path, answered: int) -> str:
    try:
        async with Memory(path, serve=True) as memory:
            await memory.check()
            await memory.prepare()
            await digest(memory)
            turns = [str(turn["turn_id"]) for turn in await memory.turns(None, 100)]
            known, _ = await memory.select(Filter(status=Status.ACTIVE), 100)
    except EdgeMemoryError as error:
        return f"does not open: {error.message}"
    texts = sorted(record.text for record in known)
    missing = [f"t{number}" for number in range(len(SENTENCES)) if answered >> number & 1 and f"t{number}" not in turns]
    if missing:
        return f"lost {missing}"
    if len(set(turns)) != len(turns) or len(set(texts)) != len(texts):
        return f"doubled: {turns} {texts}"
    if len(texts) < len(turns):
        return f"not digested: {turns} {texts}"
    return ""
