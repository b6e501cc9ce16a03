"""Damaging the real file in every usual way, and what becomes of it: noticed or not, and how much can be saved."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import apsw
from memory_house import Clock, tell

from edge_memory.errors import StoreDamaged, StoreError
from edge_memory.memory import Memory
from edge_memory.records import Status
from edge_memory.scripted import HashEmbedder
from edge_memory.store import restore, salvage
from edge_memory.store.connection import open_untouched
from edge_memory.store.records import Filter

PAGE = 4_096
TURNS = 60
_TOLD = ("records", "fact_history", "conversation_log", "memory_summaries", "memory_base")
Damage = Callable[[Path, random.Random], None]


def flip(path: Path, dice: random.Random) -> None:
    """One bit."""
    content = bytearray(path.read_bytes())
    at = dice.randrange(len(content))
    content[at] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


def zero(path: Path, dice: random.Random) -> None:
    content = bytearray(path.read_bytes())
    at = dice.randrange(len(content) // PAGE) * PAGE
    content[at : at + PAGE] = bytes(PAGE)
    path.write_bytes(content)


def cut(path: Path, dice: random.Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: dice.randrange(1, len(content))])


def foreign_log(path: Path, dice: random.Random) -> None:
    """The log of another database lies beside the file."""
    other = path.with_name("other.db")
    with closing(apsw.Connection(str(other))) as connection:
        connection.pragma("journal_mode", "WAL")
        connection.execute("CREATE TABLE strange (x)")
        connection.execute("INSERT INTO strange VALUES (randomblob(?))", (dice.randrange(9_000, 90_000),))
        shutil.copy(other.with_name("other.db-wal"), path.with_name(f"{path.name}-wal"))
    other.unlink()


DAMAGES: dict[str, Damage] = {"bit flip": flip, "zeroed page": zero, "cut short": cut, "foreign log": foreign_log}


@dataclass(slots=True)
class Outcome:
    """Of so many damaged files: told, harmless (all is as it was), unnoticed (something is not), started empty; and of
    the rows of the told ones, which share was saved without any copy.
    """

    tries: int = 0
    told: int = 0
    harmless: int = 0
    unnoticed: int = 0
    empty: int = 0
    rows: int = 0
    saved: int = 0


def make(path: Path) -> None:
    """A lived-in file, closed."""
    asyncio.run(_make(path))


async def _make(path: Path) -> None:
    async with Memory(path, serve=True, embedder=HashEmbedder(), clock=Clock()) as memory:
        await memory.prepare()
        await tell(memory, *(f"my friend Nora{number} lives in Town{number}" for number in range(TURNS)))


def survive(original: Path, folder: Path, damage: Damage, seed: int, outcome: Outcome) -> None:
    """Damages a copy of `original`, opens it, and saves what can be saved if it was refused."""
    folder.mkdir()
    path = folder / "memory.db"
    shutil.copy(original, path)
    damage(path, random.Random(seed))
    outcome.tries += 1
    before = asyncio.run(_content(original))
    try:
        now = asyncio.run(_content(path))
    except StoreError:
        outcome.told += 1
        outcome.rows += len(before)
        outcome.saved += len(before & _saved(path))
        return
    if now == before and _rows(path) == _rows(original):
        outcome.harmless += 1
    elif not now:
        outcome.empty += 1
    else:
        outcome.unnoticed += 1


async def _content(path: Path) -> set[str]:
    """Everything that it was told and believes. Raises StoreError."""
    async with Memory(path, serve=True, clock=Clock()) as memory:
        await memory.check()
        known, _ = await memory.select(Filter(status=Status.ACTIVE), 1_000)
        turns = await memory.turns(None, 1_000)
    return {record.text for record in known} | {str(turn["heard"]) for turn in turns}


def _rows(path: Path) -> list[str]:
    """Every row of what was told and believed, whole; nothing where a row is no text any more."""
    with closing(open_untouched(path)) as connection, suppress(UnicodeDecodeError):
        return [repr(row) for table in _TOLD for row in connection.execute(f"SELECT * FROM {table}")]
    return []


def _saved(path: Path) -> set[str]:
    fresh = path.with_name("fresh.db")
    try:
        salvage(path, fresh)
        restore(fresh, path, path.with_name("aside.db"))
        return asyncio.run(_content(path))
    except StoreDamaged:
        return set()
