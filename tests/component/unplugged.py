"""A disk that loses power: what SQLite wrote is certain once it was synced; before that each write may be there, torn,
or missing, in any order.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import apsw
from disks import OnDisk
from memory_house import digest, say
from upgrades import unpack

from edge_memory.errors import EdgeMemoryError
from edge_memory.memory import Memory
from edge_memory.records import Status
from edge_memory.store.records import Filter
from edge_memory.store.schema import newest_version

SECTOR = 512
Image = dict[str, bytes]


class UnpluggedDisk:
    def __init__(self) -> None:
        self._certain: dict[str, bytearray] = {}
        self._pending: dict[str, list[tuple[int, bytes | None]]] = {}
        self.watch: Callable[[], None] = lambda: None  # called before each change

    def keep(self, path: Path) -> None:
        """What was there before."""
        self._certain[path.name] = bytearray(path.read_bytes())

    def write(self, name: str, offset: int, data: bytes) -> None:
        self.watch()
        self._pending.setdefault(name, []).append((offset, data))

    def truncate(self, name: str, size: int) -> None:
        self.watch()
        self._pending.setdefault(name, []).append((size, None))

    def sync(self, name: str) -> None:
        self.watch()
        content = self._certain.setdefault(name, bytearray())
        for offset, data in self._pending.pop(name, []):
            _apply(content, offset, data)

    def delete(self, name: str) -> None:
        self.watch()
        self._certain.pop(name, None)
        self._pending.pop(name, None)

    def after_cut(self, dice: random.Random) -> Image:
        """One of the states that a power cut at this moment may leave."""
        image = {}
        for name in self._certain.keys() | self._pending.keys():
            content = bytearray(self._certain.get(name, b""))
            for offset, data in self._pending.get(name, []):
                for piece in _survivors(offset, data, dice):
                    _apply(content, *piece)
            image[name] = bytes(content)
        return image


def _survivors(offset: int, data: bytes | None, dice: random.Random) -> list[tuple[int, bytes | None]]:
    fate = dice.choice(("whole", "torn", "lost"))
    if fate == "whole" or (fate == "torn" and data is None):
        return [(offset, data)]
    if fate == "lost" or data is None:
        return []
    sectors = range(0, len(data), SECTOR)
    return [(offset + at, data[at : at + SECTOR]) for at in sectors if dice.random() < 0.5]


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        content.extend(bytes(offset - len(content)))
        return
    content.extend(bytes(max(offset - len(content), 0)))
    content[offset : offset + len(data)] = data


@dataclass(slots=True)
class Damage:
    """What power cuts did: turns lost although they were answered, files that do not open or do not hold together."""

    cuts: int = 0
    lost: int = 0
    broken: int = 0


@dataclass(slots=True)
class _Cuts:
    """Takes images of `disk` at random moments, each with the number of turns answered by then."""

    disk: UnpluggedDisk
    dice: random.Random
    share: float
    answered: int = 0
    taken: list[tuple[int, Image]] = field(default_factory=list)

    def __call__(self) -> None:
        if self.dice.random() < self.share:
            self.taken.append((self.answered, self.disk.after_cut(self.dice)))


SENTENCES = (
    "my name is Alex",
    "i live in Leeds",
    "my sister Nora lives in Hull",
    "i am allergic to peanuts",
    "we have a dog called Rex",
    "my son is called Tom",
)


def cut_memory(folder: Path, turns: int, share: float, seed: int, *, older: bool = False) -> Damage:
    """A companion's memory in use, cut off at random writes. The real store then opens each image. It begins with a new
    file, or with one of an `older` version, which is brought up to date first.
    """
    disk = UnpluggedDisk()
    cuts = _Cuts(disk, random.Random(seed), share)
    path = folder / "lived" / "memory.db"
    if older:
        unpack(newest_version() - 1, path)
        disk.keep(path)
    disk.watch = cuts
    vfs = OnDisk(disk)
    try:
        asyncio.run(_live(path, turns, cuts))
    finally:
        vfs.unregister()
    damage = Damage(len(cuts.taken))
    for number, (answered, image) in enumerate(cuts.taken):
        home = folder / f"cut{number}"
        _unpack(image, home)
        asyncio.run(_inspect(home / "memory.db", answered, damage))
    return damage


async def _live(path: Path, turns: int, cuts: _Cuts) -> None:
    async with Memory(path, serve=True) as memory:
        for number in range(turns):
            await say(memory, f"t{number}", SENTENCES[number % len(SENTENCES)], at_once=number % 2 == 1)
            cuts.answered += 1
            await digest(memory)


async def _inspect(path: Path, answered: int, damage: Damage) -> None:
    try:
        async with Memory(path, serve=True) as memory:
            await memory.check()
            await digest(memory)
            turns = {str(turn["turn_id"]) for turn in await memory.turns(None, 1_000) if turn["said"] == "I see."}
            known, _ = await memory.select(Filter(status=Status.ACTIVE), 1_000)
    except EdgeMemoryError:
        damage.broken += 1
        return
    damage.lost += len({f"t{number}" for number in range(answered)} - turns)
    expected = min(answered, len(SENTENCES))
    damage.broken += not expected <= len({record.text for record in known}) == len(known)


def cut_sqlite(folder: Path, turns: int, share: float, seed: int, synchronous: str) -> Damage:
    """The same cuts on a plain WAL database with a weaker `synchronous`."""
    disk = UnpluggedDisk()
    cuts = _Cuts(disk, random.Random(seed), share)
    vfs = OnDisk(disk)
    try:
        with closing(apsw.Connection(str(folder / "memory.db"))) as connection:
            connection.pragma("journal_mode", "WAL")
            connection.pragma("synchronous", synchronous)
            connection.wal_autocheckpoint(60)
            connection.execute("CREATE TABLE turns (id TEXT PRIMARY KEY, said TEXT)")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            disk.watch = cuts
            for number in range(turns):
                connection.execute("INSERT INTO turns VALUES (?, ?)", (f"t{number}", "x" * 1_000))
                cuts.answered += 1
            disk.watch = lambda: None
    finally:
        vfs.unregister()
    damage = Damage(len(cuts.taken))
    for number, (answered, image) in enumerate(cuts.taken):
        home = folder / f"cut{number}"
        _unpack(image, home)
        _inspect_sqlite(home / "memory.db", answered, damage)
    return damage


def _inspect_sqlite(path: Path, answered: int, damage: Damage) -> None:
    try:
        with closing(sqlite3.connect(path)) as connection:
            whole = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            kept = {row[0] for row in connection.execute("SELECT id FROM turns")}
    except sqlite3.Error:
        damage.broken += 1
        return
    damage.broken += not whole
    damage.lost += len({f"t{number}" for number in range(answered)} - kept)


def cut_rewritten_file(turns: int, share: float, seed: int) -> Damage:
    """The same cuts on what peers do: one JSON or YAML file, opened for writing and written anew at each turn."""
    disk = UnpluggedDisk()
    cuts = _Cuts(disk, random.Random(seed), share)
    disk.watch = cuts
    said: list[str] = []
    for number in range(turns):
        said.append(f"t{number}")
        content = json.dumps([{"turn": turn, "said": "x" * 200} for turn in said]).encode()
        disk.truncate("memory.json", 0)
        for at in range(0, len(content), 4_096):
            disk.write("memory.json", at, content[at : at + 4_096])
        cuts.answered += 1
    damage = Damage(len(cuts.taken))
    for answered, image in cuts.taken:
        try:
            kept = {row["turn"] for row in json.loads(image["memory.json"])}
        except (KeyError, ValueError):
            damage.broken += 1
        else:
            damage.lost += len(set(said[:answered]) - kept)
    return damage


def _unpack(image: Image, home: Path) -> None:
    home.mkdir()
    for name, content in image.items():
        (home / name).write_bytes(content)
