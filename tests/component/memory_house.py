"""What the tests of the memory engine share: a clock to turn, and the shortest way to say something."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from edge_memory.memory import Memory
from edge_memory.records import Record, Status, UserTurn
from edge_memory.scripted import ScriptedChat
from edge_memory.store.conversation import Answer
from edge_memory.store.records import Filter

NOON = 1_900_000_000.0
MUTE = ScriptedChat(lambda messages: "")


class Clock:
    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def turn(turn_id: str, text: str, session_id: str = "kitchen", at: float = NOON, user_id: str = "owner") -> UserTurn:
    return UserTurn(turn_id, session_id, user_id, text, at)


async def say(
    memory: Memory,
    turn_id: str,
    text: str,
    reply: str = "I see.",
    action: str = "respond",
    at_once: bool = False,
    **more: Any,
) -> None:
    """A whole turn, not yet digested. One that is answered `at_once` is synced as a whole."""
    heard = turn(turn_id, text, **more)
    await memory.hear(heard, durable=not at_once)
    await memory.answer(Answer(heard, reply, action, {}, heard.heard_at))


async def use(memory: Memory, *record_ids: int, at: float = NOON) -> None:
    """A reply that was given these records, of a turn that leaves nothing else."""
    heard = turn(uuid.uuid4().hex, "hm", "elsewhere", at)
    await memory.hear(heard)
    await memory.answer(Answer(heard, "", "ignore", {}, at, record_ids))


async def digest(memory: Memory) -> None:
    """Does all memory work that is due."""
    while await memory.digest_once():
        pass


async def tell(memory: Memory, *sentences: str, session_id: str = "kitchen") -> None:
    """Turns heard, answered and digested one after another."""
    before = (await memory.stats())["turns"]
    for number, sentence in enumerate(sentences, start=before):
        await say(memory, f"t{number}", sentence, session_id=session_id)
        await digest(memory)


async def believed(memory: Memory, status: Status | None = Status.ACTIVE) -> list[Record]:
    """Oldest first."""
    found, _ = await memory.select(Filter(status=status), limit=1_000)
    return found[::-1]


async def texts(memory: Memory, status: Status | None = Status.ACTIVE) -> list[str]:
    return [record.text for record in await believed(memory, status)]


async def recalled(memory: Memory, text: str, session_id: str = "kitchen") -> list[str]:
    return [hit.record.text for hit in (await memory.recall(text, session_id)).hits]


def rows(path: Path, sql: str, values: Mapping[str, Any] | tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Looks into the file from outside, with another SQLite, which changes nothing: what it writes has no checksums."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return connection.execute(sql, values).fetchall()
    finally:
        connection.close()
