from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import apsw
import pytest
from memory_house import Clock, tell

from edge_memory.memory import Memory
from edge_memory.records import Kind
from edge_memory.store.finding import Wanted

MANY = 2_000
FILL = """
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
INSERT INTO records (uid, user_id, layer, kind, text, source_excerpt, confidence, importance, status, valid_from,
                     origin, created_at, updated_at)
SELECT 'r' || n, 'owner', 'semantic', 'fact', 'The user saw heron ' || n, 'i saw heron ' || n, 0.8, 0.5, 'active', n,
       'conversation', n, n
FROM numbers
"""


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    async with Memory(tmp_path / "memory.db", serve=True, clock=Clock()) as memory:
        yield memory


async def test_who_was_introduced_is_known_until_it_is_over(memory: Memory) -> None:
    assert await memory.relations("owner") == {}
    await tell(memory, "my sister Jana keeps hens")
    assert await memory.relations("owner") == {"sister": ("Jana",)}
    assert await memory.relations("guest") == {}
    await tell(memory, "my brother Tom has a boat")
    assert await memory.relations("owner") == {"sister": ("Jana",), "brother": ("Tom",)}
    await memory.forget(await memory.find_to_forget("Jana"))
    assert await memory.relations("owner") == {"brother": ("Tom",)}


async def test_what_another_process_told_or_erased_is_seen(memory: Memory, tmp_path: Path) -> None:
    await tell(memory, "my sister Jana keeps hens")
    assert await memory.relations("owner") == {"sister": ("Jana",)}
    async with Memory(tmp_path / "memory.db", serve=False, clock=Clock()) as guest:
        await guest.learn("my brother Tom has a boat")
        assert await memory.relations("owner") == {"sister": ("Jana",), "brother": ("Tom",)}
        await guest.transfer.erase_user("owner")
    assert await memory.relations("owner") == {}
    await tell(memory, "my aunt Vera lives in Oslo")
    assert await memory.relations("owner") == {"aunt": ("Vera",)}


async def test_looking_again_costs_about_the_same_however_much_no_slot_holds(memory: Memory) -> None:
    async def looked_at() -> int:
        def count(connection: apsw.Connection) -> int:
            kinds = (apsw.SQLITE_DBSTATUS_CACHE_HIT, apsw.SQLITE_DBSTATUS_CACHE_MISS)
            return sum(connection.status(kind)[0] for kind in kinds)

        before = await memory._store.read(count)
        await memory.relations("owner")
        return await memory._store.read(count) - before

    await tell(memory, "my sister Jana keeps hens")
    await memory.relations("owner")
    few = await looked_at()
    await memory._store.write(lambda connection: connection.execute(FILL, {"count": MANY}).fetchall())
    await memory.relations("owner")
    assert 0 < await looked_at() < 5 * few + 100


async def test_who_or_what_is_named_first_is_an_entity_and_what_is_told_later_is_of_it(memory: Memory) -> None:
    for told in ("Ravi is a plumber", "Ravi is a good cook", "the Blue Heron is a pub on the canal"):
        await tell(memory, told)
    await tell(memory, "my sister is called Jana")
    await tell(memory, "Jana is a nurse")
    found, _ = await memory.select(Wanted("owner", kind=Kind.ENTITY), 10, 0)
    assert {record.text for record in found} == {"Ravi is a plumber", "The Blue Heron is a pub on the canal"}
