"""An encrypted file with one bit flipped, and what encryption costs a turn."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory_house import Clock, tell

from edge_memory.errors import StoreError
from edge_memory.memory import Memory
from edge_memory.store import copy_checked, make_key, use_key


def _live(path: Path, turns: int) -> None:
    async def run() -> None:
        async with Memory(path, serve=True, clock=Clock()) as memory:
            await tell(memory, *(f"my friend Nora{number} lives in Town{number}" for number in range(turns)))

    asyncio.run(run())


@contextmanager
def one_key(file: Path) -> Iterator[None]:
    """Every database is opened with a new key, which is kept in `file`."""
    make_key(file)
    use_key(file)
    try:
        yield
    finally:
        use_key(None)


def unnoticed_flips(folder: Path, tries: int, seed: int) -> int:
    """Of so many bits, each flipped in a copy of an encrypted file, those that a look does not find."""
    dice, unnoticed, path = random.Random(seed), 0, folder / "flipped" / "memory.db"
    with one_key(folder / "flips.key"):
        _live(path, 6)
        whole = path.read_bytes()
        for _ in range(tries):
            content = bytearray(whole)
            content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
            path.write_bytes(content)
            try:
                copy_checked(path, folder / "checked.db")
            except StoreError:
                continue
            unnoticed += 1
    return unnoticed


def cost_of_key(folder: Path, turns: int) -> tuple[float, float]:
    """Milliseconds of processor time for a turn with its jobs: plain, encrypted."""
    make_key(folder / "cost.key")
    costs = []
    try:
        for key in (None, folder / "cost.key"):
            use_key(key)
            began = time.process_time()
            _live(folder / f"cost{key is None}" / "memory.db", turns)
            costs.append((time.process_time() - began) / turns * 1e3)
    finally:
        use_key(None)
    return costs[0], costs[1]
