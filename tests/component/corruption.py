"""Damaging the real file in every usual way, and what becomes of it: noticed or not, and how much can be saved."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import apsw
from memory_house import Clock, digest, say, tell

from edge_memory.errors import StoreError
from edge_memory.memory import Memory
from edge_memory.records import Status
from edge_memory.scripted import HashEmbedder
from edge_memory.store import restore, salvage
from edge_memory.store.connection import Connection, open_untouched
from edge_memory.store.records import Filter

SECTORS = 4_096  # what a card loses at once
TURNS, ERASED = 60, 10
_TOLD = ("records", "fact_history", "conversation_log", "memory_summaries", "memory_base")
_SAVED = ("records", "conversation_log")
Harm = Callable[[Path, random.Random], None]


def flip(path: Path, dice: random.Random) -> None:
    """One bit."""
    content = bytearray(path.read_bytes())
    at = dice.randrange(len(content))
    content[at] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


def zero(path: Path, dice: random.Random) -> None:
    content = bytearray(path.read_bytes())
    at = dice.randrange(len(content) // SECTORS) * SECTORS
    content[at : at + SECTORS] = bytes(SECTORS)
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


DAMAGES: dict[str, Harm] = {"bit flip": flip, "zeroed page": zero, "cut short": cut, "foreign log": foreign_log}


@dataclass(slots=True)
class Outcome:
    """Of so many damaged files: told, harmless (all is as it was), unnoticed (something is not), started empty; and of
    the told ones, the rows that the damage did not hit, and how many of these were saved without any copy, unchanged.

    A row is hit if a byte of a page changed or is gone on which it stands: its leaf, or where it overflows to.
    """

    tries: int = 0
    told: int = 0
    harmless: int = 0
    unnoticed: int = 0
    empty: int = 0
    rows: int = 0
    saved: int = 0
    revived: int = 0
    """Rows in what was saved that were not in the file any more."""


def make(path: Path) -> None:
    """A lived-in file, closed, in which everything of one user was erased."""
    asyncio.run(_make(path))


async def _make(path: Path) -> None:
    async with Memory(path, serve=True, embedder=HashEmbedder(), clock=Clock()) as memory:
        await memory.prepare()
        towns = [f"my friend Nora{number} lives in Town{number}" for number in range(TURNS)]
        await tell(memory, *towns[: TURNS // 2])
        for number in range(ERASED):
            await say(memory, f"guest{number}", f"my friend Olga{number} lives in Burg{number}", user_id="guest")
            await digest(memory)
        await tell(memory, *towns[TURNS // 2 :])
        await memory.transfer.erase_user("guest")


def survive(original: Path, folder: Path, damage: Harm, seed: int, outcome: Outcome) -> None:
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
        unhit, known = _unhit(original, path)
        saved = _saved(path)
        outcome.rows += len(unhit)
        outcome.saved += len(unhit.items() & saved.items())
        outcome.revived += len(saved.keys() - known)
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


def _unhit(original: Path, damaged: Path) -> tuple[dict[str, str], set[str]]:
    """By table and id, the rows whose pages are in `damaged` what they are in `original`; and the names of all rows."""
    with closing(open_untouched(original)) as connection:
        size = int(connection.pragma("page_size"))
        pages, now = original.read_bytes(), damaged.read_bytes()
        same = {at // size + 1 for at in range(0, len(pages), size) if pages[at : at + size] == now[at : at + size]}
        rows = _by_id(connection)
        unhit = {row: rows[row] for table in _SAVED for row, on in _pages_of_rows(connection, table) if on <= same}
        return unhit, set(rows)


def _pages_of_rows(connection: Connection, table: str) -> Iterator[tuple[str, set[int]]]:
    """In the order of the tree, which is that of the paths that SQLite gives its pages (sqlite.org/dbstat.html)."""
    stands = "SELECT path, pageno, ncell FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY path"
    ids = iter(connection.execute(f"SELECT id FROM {table} ORDER BY id").fetchall())
    overflows: dict[str, set[int]] = {}
    for path, page, _ in connection.execute(stands, (table, "overflow")):
        overflows.setdefault(str(path).partition("+")[0], set()).add(int(str(page)))
    for path, page, cells in connection.execute(stands, (table, "leaf")).fetchall():
        for cell in range(int(str(cells))):
            yield f"{table} {next(ids)[0]}", {int(str(page))} | overflows.get(f"{path}{cell:03x}", set())


def _by_id(connection: Connection) -> dict[str, str]:
    return {f"{table} {row[0]}": repr(row) for table in _SAVED for row in connection.execute(f"SELECT * FROM {table}")}


def _saved(path: Path) -> dict[str, str]:
    """What a companion has that goes on with what was saved."""
    fresh = path.with_name("fresh.db")
    try:
        salvage(path, fresh)
        restore(fresh, path, path.with_name("aside.db"))
        asyncio.run(_content(path))
        with closing(open_untouched(path)) as connection:
            return _by_id(connection)
    except StoreError:
        return {}
