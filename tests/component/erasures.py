"""Invented facts that are erased in every way there is, and a search for their words in all that lies on the disk."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw
from memory_house import Clock, digest, say, tell

from edge_memory.errors import StoreInUse
from edge_memory.memory import Memory
from edge_memory.store import Backups

_SYLLABLES = ("ba", "du", "fe", "gi", "ko", "lu", "mi", "no", "pa", "ru", "sy", "te", "vo", "wa", "xi", "zu")
_TEMPLATES = (
    "my friend {0} plays the {1}",
    "the {0} is behind the {1} cupboard",
    "i like {0} with {1}",
    "my cousin {0} works at {1}",
)


@dataclass(frozen=True, slots=True)
class Fact:
    sentence: str
    words: tuple[str, str]


def facts(count: int, seed: int) -> list[Fact]:
    """Each with two words of its own that no language has."""
    dice = random.Random(seed)
    words: set[str] = set()
    while len(words) < 2 * count:
        words.add("".join(dice.choices(_SYLLABLES, k=5)))
    ordered = sorted(words)
    dice.shuffle(ordered)
    pairs = zip(ordered[::2], ordered[1::2], strict=True)
    return [Fact(_TEMPLATES[number % len(_TEMPLATES)].format(*pair), pair) for number, pair in enumerate(pairs)]


def traces(folder: Path, wanted: list[Fact]) -> set[str]:
    """Which of their words are anywhere in the folder: file, log, copies."""
    content = b"\n".join(file.read_bytes().lower() for file in folder.rglob("*") if file.is_file())
    return {word for fact in wanted for word in fact.words if word.encode() in content}


async def erase_all_ways(path: Path, count: int, seed: int = 1) -> dict[str, tuple[int, int, int]]:
    """For each way of erasing: how many facts, how many of their words stayed, and how many other facts were lost."""
    result = {}
    for way in ("command", "voice", "user"):
        invented = facts(count + 10, seed)
        told, kept = invented[:count], invented[count:]
        async with Memory(path, serve=True, clock=Clock()) as memory:
            await tell(memory, *(fact.sentence for fact in (*told, *kept)))
            await asyncio.to_thread(Backups(path, Clock()).make, "asked")
            assert len(traces(path.parent, told)) == 2 * count
            if way == "user":
                await memory.transfer.erase_user("owner")
            for fact in told:
                if way == "command":
                    await memory.forget(await memory.find_to_forget(fact.words[0]))
                elif way == "voice":
                    await say(memory, f"forget {fact.words[0]}", f"forget {fact.words[0]}", session_id="other")
                    await digest(memory)
            left = traces(path.parent, told) - ({fact.words[0] for fact in told} if way == "voice" else set())
            lost = 0 if way == "user" else len({w for f in kept for w in f.words} - traces(path.parent, kept)) // 2
            result[way] = (count, len(left), lost)
            await memory.transfer.erase_everybody()
        seed += 1
    return result


def erase_and_die(path: Path, fact: Fact, seconds: float) -> bool:
    """A process is killed so long after it began to erase `fact`; then memory starts again. Whether it was gone."""
    asyncio.run(_told(path, fact))
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            asyncio.run(_erase(path, fact, lambda: os.write(writing, b"!")))
        os._exit(0)
    os.read(reading, 1)
    time.sleep(seconds)
    os.close(reading)
    os.close(writing)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return asyncio.run(_begun_and_finished(path, fact))


async def _told(path: Path, fact: Fact) -> None:
    async with Memory(path, serve=True, clock=Clock()) as memory:
        await tell(memory, fact.sentence)
        await asyncio.to_thread(Backups(path, Clock()).make, "asked")


async def _erase(path: Path, fact: Fact, begin: Callable[[], object]) -> None:
    async with Memory(path, serve=True, clock=Clock()) as memory:
        doomed = await memory.find_to_forget(fact.words[0])
        begin()
        await memory.forget(doomed)


async def _begun_and_finished(path: Path, fact: Fact) -> bool:
    """Raises AssertionError if something of an erasure that was begun is left."""
    async with Memory(path, serve=True, clock=Clock()) as memory:
        await digest(memory)
        if (await memory.search(fact.words[0])) != []:
            return False
        left = await asyncio.to_thread(traces, path.parent, [fact])
        assert not left, left
        return True


async def erase_beside_a_reader(path: Path, fact: Fact) -> None:
    """Another program reads on while `fact` is erased: that is told, and the rest is done when it lets go."""
    async with Memory(path, serve=True, clock=Clock()) as memory:
        await tell(memory, fact.sentence)
        doomed = await memory.find_to_forget(fact.words[0])
        with reading(path):
            try:
                await memory.forget(doomed)
            except StoreInUse:
                pass
            else:
                raise AssertionError("it says that all is gone, while a reader holds the log")
            assert await memory.search(fact.words[0]) == []
        await digest(memory)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    with closing(apsw.Connection(str(path))) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM records").fetchall()
        yield
        reader.execute("ROLLBACK")
