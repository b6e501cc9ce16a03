"""What a turn reads does not grow with the past."""

from __future__ import annotations

from pathlib import Path

import apsw

from edge_memory.memory import Memory
from edge_memory.store import Store
from firmware_bridge.contracts import Heard, Said
from firmware_bridge.turn import Dialogue, Manner, Persona
from firmware_bridge.turn.scripted import ScriptedReplies

TURNS = 5
FEW, MANY = 4_000, 20_000
# Words as they are spread in speech: one in every fifth record, one in every fiftieth, one in every thousandth.
FILL = """
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
INSERT INTO records (uid, user_id, layer, kind, text, confidence, importance, status, valid_from, origin, created_at,
                     updated_at, source_turn_id, key, reinforcement)
SELECT 'r' || n, 'owner', 'semantic', 'fact',
       'often' || (n % 5) || ' seldom' || (n % 50) || ' rarely' || (n % 1000) || ' once' || n, 0.8, 0.5, 'active', n,
       'conversation', n, n, 't' || n, 'thing.' || n, n % 2
FROM numbers
"""
SAID = """
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
INSERT INTO conversation_log (turn_id, role, content, session_id, user_id, created_at, summarized)
SELECT 't' || (n / 2), iif(n % 2, 'assistant', 'user'), 'often said ' || n, 's' || (n / 40), 'owner', n, 1
FROM numbers
"""


async def pages_of_a_turn(path: Path, count: int) -> float:
    """Pages of the file that one turn looks at, in memory or on disk, of both connections."""

    def fill(connection: apsw.Connection) -> None:
        for sql in (FILL, SAID):
            connection.execute(sql, {"count": count})

    async with Store(path, serve=True) as store:
        await store.write(fill)
    manner = Manner(Persona("Lo-Bug", "a test"), "tail", 60, 0.0)
    async with (
        Memory(path, serve=True) as memory,
        Dialogue(memory, ScriptedReplies(lambda _: "I see."), manner, 8_000) as dialogue,
    ):
        before = 0
        for number in range(TURNS + 1):
            text = f"what is often{number % 5} with seldom{number} and rarely{number}"
            *_, said = [event async for event in dialogue.talk(Heard(text, "kitchen"))]
            assert isinstance(said, Said)
            assert said.memories, "recall found something"
            if not number:  # the first one finds everything cold
                before = await looked_at(memory)
        return (await looked_at(memory) - before) / TURNS


async def looked_at(memory: Memory) -> int:
    def count(connection: apsw.Connection) -> int:
        kinds = (apsw.SQLITE_DBSTATUS_CACHE_HIT, apsw.SQLITE_DBSTATUS_CACHE_MISS)
        return sum(connection.status(kind)[0] for kind in kinds)

    return await memory._store.read(count) + await memory._store.write(count)


async def test_a_turn_looks_at_about_as_many_pages_however_much_is_remembered(tmp_path: Path) -> None:
    few = await pages_of_a_turn(tmp_path / "few" / "memory.db", FEW)
    many = await pages_of_a_turn(tmp_path / "many" / "memory.db", MANY)
    assert few > 100, "what a turn reads was counted"
    assert many < 1.5 * few
