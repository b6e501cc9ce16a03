"""What a reply is given of memory: the layers, their order under the budget, and what is never given."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from memory_house import NOON, Clock, digest, say, tell, use

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.recall import Activated
from edge_memory.records import Kind, Layer, NewRecord, Priority, Record, Status, StoredMessage, UserTurn
from edge_memory.scripted import HashEmbedder
from edge_memory.store import records
from edge_memory.store.records import Cause

DAY = 86_400.0
POLICY = {"kind": Kind.POLICY, "priority": Priority.CRITICAL}
FIRM = {"kind": Kind.PREFERENCE, "priority": Priority.HIGH}


def words(one: Record | StoredMessage) -> int:
    """A tokenizer to count on: one token a word."""
    return len((one.content if isinstance(one, StoredMessage) else one.text).split())


@pytest.fixture
def clock() -> Clock:
    return Clock()


@asynccontextmanager
async def house(path: Path, clock: Clock | None = None, **config: Any) -> AsyncIterator[Memory]:
    settings = MemoryConfig(**config)
    async with Memory(path, serve=True, embedder=HashEmbedder(), clock=clock or Clock(), config=settings) as memory:
        await memory.prepare()
        yield memory


@pytest.fixture
async def memory(path: Path, clock: Clock) -> AsyncIterator[Memory]:
    async with house(path, clock) as memory:
        yield memory


async def keep(memory: Memory, text: str, status: Status = Status.ACTIVE, at: float = NOON, **more: Any) -> Record:
    more = {"layer": Layer.SEMANTIC, "kind": Kind.FACT, "confidence": 0.8} | more
    new = NewRecord(text=text, **more)
    return await memory._store.write(lambda connection: records.insert(connection, new, Cause("insert"), at, status))


async def given(memory: Memory, text: str, session_id: str = "kitchen") -> Activated:
    return await memory.activate(UserTurn("now", session_id, "owner", text, 0.0), words)


def told(some: tuple[Record, ...]) -> list[str]:
    return [record.text for record in some]


async def test_the_baseline_holds_whatever_is_said(memory: Memory) -> None:
    await keep(memory, "no nuts", **POLICY)
    await keep(memory, "short answers", **FIRM)
    await keep(memory, "the house has two floors", kind=Kind.ARCHITECTURE, priority=Priority.HIGH)
    await keep(memory, "likes tea", kind=Kind.PREFERENCE)
    await keep(memory, "an urgent fact", priority=Priority.CRITICAL)
    active = await given(memory, "hello")
    assert told(active.baseline) == ["no nuts", "short answers", "the house has two floors"]
    assert active.relevant == ()
    assert {record.text for record in active.constraints} == {*told(active.baseline), "an urgent fact"}
    assert active.tokens == 2 + 2 + 5


@pytest.mark.parametrize(
    ("tokens", "baseline", "relevant", "procedures", "left_out"),
    [
        (100, ["no nuts", "short answers"], ["the hens need grit", "hens are liked"], ["feed hens: 1. grit"], 0),
        (13, ["no nuts", "short answers"], ["the hens need grit", "hens are liked"], [], 1),
        (8, ["no nuts", "short answers"], ["the hens need grit"], [], 2),
        (6, ["no nuts", "short answers"], [], [], 3),
        (2, ["no nuts"], [], [], 4),
        (1, [], [], [], 5),
        (0, [], [], [], 5),
    ],
)
async def test_the_budget_goes_to_the_hard_first_then_the_task_then_the_soft(
    path: Path, tokens: int, baseline: list[str], relevant: list[str], procedures: list[str], left_out: int
) -> None:
    async with house(path, injection_tokens=tokens) as memory:
        await keep(memory, "hens are liked", kind=Kind.PREFERENCE)
        await keep(memory, "the hens need grit")
        await keep(memory, "short answers", **FIRM)
        await keep(memory, "no nuts", **POLICY)
        way = {"layer": Layer.PROCEDURAL, "kind": Kind.WORKFLOW, "value": {"workflow": "feed hens"}}
        await keep(memory, "feed hens: 1. grit", **way)
        await digest(memory)
        active = await given(memory, "how do I feed the hens")
    assert sorted(told(active.baseline)) == baseline
    assert sorted(told(active.relevant)) == sorted(relevant)
    assert told(active.procedures) == procedures
    assert (active.left_out, active.tokens <= tokens) == (left_out, True)


async def test_what_does_not_fit_leaves_its_place_to_what_does(path: Path) -> None:
    async with house(path, injection_tokens=10) as memory:
        await keep(memory, "hens " * 50)
        await keep(memory, "the hens need grit")
        active = await given(memory, "hens")
    assert told(active.relevant) == ["the hens need grit"]
    assert active.left_out == 1


@pytest.mark.parametrize("doubt", [{"confidence": 0.2}, {"at": NOON - 400 * DAY}], ids=["unsure", "stale"])
@pytest.mark.parametrize(("tokens", "count"), [(8, 2), (4, 1)])
async def test_what_is_stale_or_unsure_goes_first(path: Path, doubt: dict[str, Any], tokens: int, count: int) -> None:
    async with house(path, injection_tokens=tokens) as memory:
        await keep(memory, "hens hens hens grit", **doubt)
        await keep(memory, "soft hens here please", kind=Kind.PREFERENCE)
        relevant = told((await given(memory, "hens")).relevant)
    assert len(relevant) == count
    assert "soft hens here please" in relevant


async def test_what_is_used_often_and_lately_comes_to_mind_unasked(memory: Memory, clock: Clock) -> None:
    often = await keep(memory, "the boat leaks")
    await keep(memory, "the shed is red")
    for _ in range(4):
        await use(memory, often.id)
    assert told((await given(memory, "hello")).relevant) == ["the boat leaks"]
    assert told((await given(memory, "is the boat red")).relevant).count("the boat leaks") == 1
    clock.now += 90 * DAY  # half as strong
    assert (await given(memory, "hello")).relevant == ()
    clock.now -= 900 * DAY  # a clock that was set back makes nothing older
    assert told((await given(memory, "hello")).relevant) == ["the boat leaks"]


@pytest.mark.parametrize(("config", "count"), [({}, 1), ({"injection_strongest": 0}, 0), ({"injection_floor": 2.1}, 0)])
async def test_how_much_comes_to_mind_is_a_setting(path: Path, config: dict[str, Any], count: int) -> None:
    async with house(path, **config) as memory:
        often = await keep(memory, "the boat leaks")
        for _ in range(4):
            await use(memory, often.id)
        assert len((await given(memory, "hello")).relevant) == count


async def test_proven_procedures_come_first_and_only_for_the_task(memory: Memory) -> None:
    for name, successes in (("clean boat", 0), ("wash boat", 2), ("clean boat hull", 1), ("clean boat sail", 0)):
        value = {"workflow": name, "success_count": successes}
        await keep(memory, f"{name}: 1. rinse", layer=Layer.PROCEDURAL, kind=Kind.WORKFLOW, value=value)
    await digest(memory)
    active = await given(memory, "how do I clean the boat")
    assert len(active.procedures) == 3
    assert {record.success_count > 0 for record in active.procedures[:2]} == {True}
    assert active.relevant == ()
    assert (await given(memory, "what a fine day")).procedures == ()


async def test_nothing_is_told_that_the_conversation_shows(memory: Memory) -> None:
    await tell(memory, "my aunt keeps hens", "I'm allergic to nuts")
    here, elsewhere = await given(memory, "aunt hens"), await given(memory, "aunt hens", "attic")
    assert (told(here.relevant), told(here.baseline)) == ([], [])
    assert told(here.constraints) == ["The user is allergic to nuts"]
    assert told(elsewhere.relevant) == ["The user's aunt keeps hens"]
    assert told(elsewhere.baseline) == ["The user is allergic to nuts"]


async def test_what_the_conversation_no_longer_shows_is_told_and_quoted(path: Path) -> None:
    async with house(path, working_messages=4) as memory:
        await tell(memory, "my aunt keeps hens", "what would the hens of my aunt eat tonight?")
        await say(memory, "q", "the hens got out over the fence again")
        await say(memory, "r", "and the fox was there")
        await say(memory, "s", "so it was")
        active = await memory.activate(UserTurn("now", "kitchen", "owner", "hens of my aunt", 0.0), words)
        assert told(active.relevant) == ["The user's aunt keeps hens"]
        assert [message.content for message in active.turns] == ["the hens got out over the fence again"]
        assert (await memory.activate(UserTurn("now", "attic", "owner", "hens of my aunt", 0.0), words)).turns == ()


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.ACTIVE])
async def test_what_is_not_active_is_never_given(memory: Memory, status: Status) -> None:
    await keep(memory, "no hens", status, **POLICY)
    much_used = await keep(memory, "the hens need grit", status)
    for _ in range(9):
        await use(memory, much_used.id)
    active = await given(memory, "hens")
    assert (active.baseline, active.relevant, active.constraints, active.tokens) == ((), (), (), 0)


async def test_another_conversations_private_records_are_never_given(memory: Memory) -> None:
    await keep(memory, "no hens", session_id="attic", **POLICY)
    used = await keep(memory, "the boat leaks", session_id="attic")
    for _ in range(9):
        await use(memory, used.id)
    here, there = await given(memory, "hello"), await given(memory, "hello", "attic")
    assert (here.baseline, here.relevant, here.constraints) == ((), (), ())
    assert (told(there.baseline), told(there.relevant)) == (["no hens"], ["the boat leaks"])


async def test_it_reads_a_bounded_number_however_much_is_remembered(path: Path) -> None:
    def fill(connection: records.Connection) -> None:
        for number in range(400):
            new = NewRecord(Layer.PROFILE, Kind.POLICY, f"rule {number}", priority=Priority.CRITICAL)
            records.insert(connection, new, Cause("insert"), NOON)

    async with house(path, injection_tokens=100_000) as memory:
        await memory._store.write(fill)
        assert len((await given(memory, "hello")).baseline) == 200
        plan = await memory._store.read(
            lambda c: str(
                c.execute(
                    "EXPLAIN QUERY PLAN SELECT id FROM records WHERE status = 'active' AND reinforcement > 0"
                    " AND user_id = 'owner' ORDER BY reinforcement DESC, id DESC LIMIT 5"
                ).fetchall()
            )
        )
    assert "records_used" in plan
    assert "TEMP B-TREE" not in plan


async def test_what_was_said_and_is_not_true_any_more_is_not_quoted(path: Path) -> None:
    async with house(path, working_messages=2, retrieval_top_k=1) as memory:
        await tell(memory, "my bin day is monday", "my bin day is friday now", "the hens laid four eggs")
        given = await memory.activate(UserTurn("now", "kitchen", "owner", "which bin day is it", 0.0), words)
        assert [record.text for record in given.relevant] == ["The user's bin day is friday now"]
        assert given.turns == ()


async def test_a_scoped_policy_is_not_for_every_conversation(memory: Memory) -> None:
    await keep(memory, "Never push to main", scope="src/**", **POLICY)
    await keep(memory, "Never ring after eight", **POLICY)
    given = await memory.activate(UserTurn("now", "kitchen", "owner", "good evening", 0.0), words)
    assert [record.text for record in given.baseline] == ["Never ring after eight"]
