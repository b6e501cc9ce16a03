"""Keeping memory in order: compaction and dedup as proposals, procedures, runs, consolidation by the week."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from memory_house import NOON, Clock, believed, digest, rows, say, texts, use

from edge_memory.config import MemoryConfig
from edge_memory.errors import BadQuery, NothingMatches, WrongState
from edge_memory.memory import OWNER, Memory
from edge_memory.records import Kind, Layer, NewRecord, Priority, Record, Status
from edge_memory.review import Consolidated
from edge_memory.review.consolidation import strength
from edge_memory.scripted import HashEmbedder
from edge_memory.store import records
from edge_memory.store.records import Cause

DAY = 86_400.0


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def memory(path: Path, clock: Clock) -> AsyncIterator[Memory]:
    async with Memory(path, serve=True, embedder=HashEmbedder(), clock=clock) as memory:
        await memory.prepare()
        yield memory


async def note(memory: Memory, text: str, **more: Any) -> Record:
    fields = {"layer": Layer.SEMANTIC, "kind": Kind.FACT, "many": True} | more
    now = fields.pop("at", NOON)
    new = NewRecord(text=text, **fields)
    return await memory._store.write(lambda c: records.insert(c, new, Cause("insert"), now))


async def status_of(memory: Memory, record: Record) -> Status:
    return (await memory.inspect(record.id))[0].status


async def three_boiler_notes(memory: Memory) -> list[Record]:
    return [
        await note(memory, "The old boiler rattles at night", source_turn_id="t1", tags=("house",)),
        await note(memory, "The old boiler rattles at night when it is windy", source_turn_id="t2", confidence=0.7),
        await note(memory, "The old boiler rattles loudly at night", source_turn_id="t1"),
    ]


# Semantic compaction


async def test_notes_that_say_nearly_the_same_are_shown_and_then_proposed(memory: Memory) -> None:
    notes = await three_boiler_notes(memory)
    await note(memory, "The ferry leaves at nine")
    (shown,) = await memory.upkeep.compact(OWNER, create=False)
    assert (shown.sources, shown.record_id) == (tuple(notes), None)
    assert await texts(memory, Status.PENDING) == []
    (made,) = await memory.upkeep.compact(OWNER, create=True)
    (waiting,) = await believed(memory, Status.PENDING)
    assert made.record_id == waiting.id
    assert waiting.text == "The old boiler rattles at night when it is windy. The old boiler rattles loudly at night."
    assert waiting.value == {
        "origin": "compaction",
        "topic_tags": ["house"],
        "compacted_from": [one.id for one in notes],
        "confidence": 0.4,
        "evidence_refs": ["t1", "t2"],
    }
    assert await memory.upkeep.compact(OWNER, create=True) == []  # it waits already


async def test_confirming_ends_the_sources_and_rolling_back_restores_them(memory: Memory) -> None:
    notes = await three_boiler_notes(memory)
    await digest(memory)
    (made,) = await memory.upkeep.compact(OWNER, create=True)
    assert made.record_id is not None
    (waiting,) = await memory.review.pending(OWNER)
    assert waiting.replaces == tuple(one.id for one in notes)
    await memory.review.confirm(made.record_id)
    assert [record.id for record in await believed(memory)] == [made.record_id]
    assert [await status_of(memory, one) for one in notes] == [Status.SUPERSEDED] * 3
    assert len((await memory.review.rollback(made.record_id)).restored) == 3
    assert [record.id for record in await believed(memory)] == [one.id for one in notes]
    assert await memory.upkeep.compact(OWNER, create=True) == []  # it was turned down
    await digest(memory)
    assert (await memory.stats())["vectors"] == 3


async def test_a_proposal_whose_source_has_changed_is_not_confirmed(memory: Memory, path: Path) -> None:
    first, *_ = await three_boiler_notes(memory)
    (made,) = await memory.upkeep.compact(OWNER, create=True)
    assert made.record_id is not None
    await memory.review.rollback(first.id)
    before = rows(path, "SELECT * FROM records")
    with pytest.raises(WrongState, match=str(first.id)):
        await memory.review.confirm(made.record_id)
    assert rows(path, "SELECT * FROM records") == before
    await memory.review.reject(made.record_id)


@pytest.mark.parametrize(
    ("one", "other", "more"),
    [
        ("Sarah is allergic to roasted peanuts", "Sarah is not allergic to roasted peanuts", {}),
        ("The boiler rattles loudly at night", "The ferry leaves the harbour at nine", {}),
        ("The red shed key hangs inside", "The red shed key hangs inside, too", {"scope": "shed/*"}),
        ("The red shed key hangs inside", "The red shed key hangs inside, too", {"session_id": "attic"}),
        ("Ola plays the old cello", "Ola plays the old cello loudly", {"layer": Layer.EPISODIC}),
    ],
)
async def test_what_only_looks_alike_stays_apart(memory: Memory, one: str, other: str, more: dict[str, Any]) -> None:
    await note(memory, one)
    await note(memory, other, **more)
    assert await memory.upkeep.compact(OWNER, create=True) == []


async def test_two_subjects_never_meet(memory: Memory) -> None:
    await note(memory, "plays the old cello on Sundays", key="ola.hobby")
    await note(memory, "plays the old cello on Sundays, too", key="kari.hobby")
    assert await memory.upkeep.compact(OWNER, create=True) == []


async def test_forgetting_a_source_takes_its_retelling_and_brings_back_the_others(memory: Memory, path: Path) -> None:
    one = await note(memory, "The spare marmalade shelf hides a zinnia key")
    other = await note(memory, "The spare marmalade shelf hides a key")
    (made,) = await memory.upkeep.compact(OWNER, create=True)
    assert made.record_id is not None
    await memory.review.confirm(made.record_id)
    doomed = await memory.transfer.of_id(one.id)
    assert [record.id for record in doomed] == [one.id, made.record_id]
    await memory.forget(doomed)
    assert await texts(memory) == ["The spare marmalade shelf hides a key"]
    assert await status_of(memory, other) is Status.ACTIVE
    assert b"zinnia" not in b"".join(file.read_bytes() for file in path.parent.iterdir()).lower()


async def test_forgetting_a_retelling_takes_its_sources(memory: Memory, path: Path) -> None:
    await note(memory, "The spare marmalade shelf hides a zinnia key")
    await note(memory, "The spare marmalade shelf hides a key")
    (made,) = await memory.upkeep.compact(OWNER, create=True)
    assert made.record_id is not None
    await memory.review.confirm(made.record_id)
    await memory.forget(await memory.find_to_forget(str(made.record_id)))
    assert await texts(memory) == []
    assert b"marmalade" not in b"".join(file.read_bytes() for file in path.parent.iterdir()).lower()


async def test_a_thousand_notes_are_compared_quickly(memory: Memory) -> None:
    for number in range(1_000):
        await note(memory, f"The hen number {number} lays {number * 7} eggs a year in house {number % 13}")
    assert await memory.upkeep.compact(OWNER, create=False) == []


# Procedures


async def test_a_procedure_proves_itself_and_is_made_canonical(memory: Memory) -> None:
    first = await memory.notes.procedure("Deploy Site", ["build", "copy"], "", OWNER)
    again = await memory.notes.procedure("Deploy Site", ["build", "copy"], "", OWNER)
    assert again.id == first.id
    assert isinstance(again.value, dict)
    assert (again.value["success_count"], again.reinforcement) == (1, 1)
    other = await memory.notes.procedure("deploy site", ["build", "test", "copy"], "", OWNER)
    await memory.notes.procedure("deploy site", ["build"], "blog/*", OWNER)  # for something else
    assert first.text == "Deploy Site: 1. build; 2. copy"
    (shown,) = await memory.upkeep.dedup_procedures(OWNER, create=False)
    assert [record.id for record in shown.sources] == [first.id, other.id]
    (made,) = await memory.upkeep.dedup_procedures(OWNER, create=True)
    assert made.record_id is not None
    record, _ = await memory.inspect(made.record_id)
    assert (record.status, record.text) == (Status.PENDING, first.text)
    assert isinstance(record.value, dict)
    assert {name: record.value[name] for name in ("workflow", "canonical", "compacted_from", "success_count")} == {
        "workflow": "Deploy Site",
        "canonical": True,
        "compacted_from": [first.id, other.id],
        "success_count": 1,
    }
    await memory.review.confirm(made.record_id)
    assert [await status_of(memory, one) for one in (first, other)] == [Status.SUPERSEDED] * 2
    assert await memory.upkeep.dedup_procedures(OWNER, create=True) == []
    await memory.review.rollback(made.record_id)
    assert [await status_of(memory, one) for one in (first, other)] == [Status.ACTIVE] * 2


async def test_empty_notes_are_refused(memory: Memory) -> None:
    for attempt in (
        memory.notes.procedure("", ["build"], "", OWNER),
        memory.notes.procedure("?!", ["build"], "", OWNER),
        memory.notes.procedure("deploy", [], "", OWNER),
        memory.notes.procedure("deploy", ["build", " "], "", OWNER),
        memory.notes.procedure("deploy", ["s"] * 51, "", OWNER),
        memory.notes.episode(" \n", "", [], OWNER),
        memory.notes.episode("e" * 4_001, "", [], OWNER),
        memory.notes.episode("it rained", "", [str(n) for n in range(21)], OWNER),
        memory.notes.jot("run 1", "", OWNER),
    ):
        with pytest.raises(BadQuery):
            await attempt
    assert await texts(memory, None) == []


async def test_a_run_s_notes_end_with_it(memory: Memory) -> None:
    for run, text in (("run 1", "the pump is off"), ("run 1", "the valve is open"), ("run 2", "the light is on")):
        await memory.notes.jot(run, text, OWNER)
    episode = await memory.notes.close_run("run 1", "fixed", OWNER)
    assert episode is not None
    assert (episode.layer, episode.text) == (Layer.EPISODIC, "the pump is off; the valve is open")
    assert (episode.value, episode.session_id) == ({"outcome": "fixed"}, None)
    assert await memory.notes.close_run("run 2", None, OWNER) is None
    assert await texts(memory) == [episode.text]
    with pytest.raises(NothingMatches):
        await memory.notes.close_run("run 1", None, OWNER)


# Consolidation


def test_strength_halves_with_each_half_life() -> None:
    assert strength(NOON, 0, NOON, 90.0) == 1.0
    assert strength(NOON, 0, NOON + 90 * DAY, 90.0) == pytest.approx(0.5)
    assert strength(NOON, 3, NOON + 180 * DAY, 90.0) == pytest.approx(1.0)
    assert strength(NOON + DAY, 0, NOON, 90.0) == 1.0


async def test_what_faded_is_archived_and_still_found(memory: Memory, clock: Clock) -> None:
    faded = await note(memory, "the ferry leaves at nine")
    used = await note(memory, "the hens need grit")
    spared = [
        await note(memory, "the well is deep", confidence=0.9),
        await note(memory, "never mow on Sundays", priority=Priority.HIGH),
        await note(memory, "takes beta blockers", key="user.medicine"),
    ]
    clock.now = NOON + 290 * DAY
    assert await memory.upkeep.consolidate() == Consolidated()
    await use(memory, used.id, at=clock.now)
    clock.now = NOON + 300 * DAY
    assert await memory.upkeep.consolidate() == Consolidated(archived=1)
    assert await status_of(memory, faded) is Status.ARCHIVED
    assert {await status_of(memory, one) for one in (used, *spared)} == {Status.ACTIVE}
    assert (await memory.search("ferry"))[0].record.id == faded.id
    assert (await memory.recall("when does the ferry leave", "kitchen")).hits == ()
    assert await memory.upkeep.consolidate() == Consolidated()


async def test_exact_repeats_become_one_but_not_episodes_or_other_places(memory: Memory) -> None:
    kept = await note(memory, "The hens need grit", confidence=0.4)
    again = await note(memory, "the hens need grit", confidence=0.7)
    await note(memory, "The hens need grit", scope="garden/*")
    await note(memory, "The hens need grit", session_id="attic")
    for _ in range(2):
        await memory.notes.episode("The hens got grit", "", [], OWNER)
    assert await memory.upkeep.consolidate() == Consolidated(merged=1)
    record, history = await memory.inspect(kept.id)
    assert (record.confidence, record.reinforcement, history[-1].action) == (0.7, 1, "merge")
    assert await status_of(memory, again) is Status.SUPERSEDED
    assert await memory.review.replacement(again.id) == kept.id
    assert len(await texts(memory)) == 5


async def test_what_keeps_coming_back_is_trusted_more_once(memory: Memory) -> None:
    hens = await note(memory, "the hens need grit")
    for _ in range(3):
        await use(memory, hens.id)
    assert await memory.upkeep.consolidate() == Consolidated(promoted=1)
    assert (await memory.inspect(hens.id))[0].confidence == 0.8
    assert await memory.upkeep.consolidate() == Consolidated()


async def test_too_many_records_are_too_many(path: Path) -> None:
    config = MemoryConfig(most_active_records=10)
    async with Memory(path, serve=True, config=config, clock=Clock()) as memory:
        for number in range(14):
            await note(
                memory, f"the hen {number} is called Berta", confidence=0.9 if number < 2 else 0.4, at=NOON + number
            )
        await use(memory, 3)
        assert await memory.upkeep.consolidate() == Consolidated(archived=4)
        assert [record.id for record in await believed(memory, Status.ARCHIVED)] == [4, 5, 6, 7]


async def test_a_week_later_it_is_done_by_itself_also_after_a_restart(path: Path) -> None:
    clock = Clock()

    async def life(turn_id: str, day: float) -> int:
        clock.now = NOON + day * DAY
        async with Memory(path, serve=True, clock=clock) as memory:
            await say(memory, turn_id, "hm", at=clock.now)
            waiting = rows(path, "SELECT count(*) FROM jobs WHERE kind = 'consolidate'")[0][0]
            await digest(memory)
            return int(waiting)

    async with Memory(path, serve=True, clock=clock) as memory:
        repeats = [await note(memory, "the hens need grit") for _ in range(2)]
        fading = await note(memory, "the ferry leaves at nine", at=NOON - 299 * DAY)
    assert [await life("t0", 0), await life("t1", 6), await life("t2", 7), await life("t3", 8)] == [0, 0, 1, 0]
    async with Memory(path, serve=True, clock=clock) as memory:
        assert await status_of(memory, repeats[1]) is Status.SUPERSEDED
        assert await status_of(memory, fading) is Status.ARCHIVED


async def test_a_jump_of_the_clock_archives_nothing(path: Path) -> None:
    clock = Clock()
    async with Memory(path, serve=True, clock=clock) as memory:
        await note(memory, "the hens need grit")
        for number, at in enumerate((NOON, NOON + 40 * 365 * DAY, NOON, NOON + DAY, 0.0, NOON + 8 * DAY)):
            clock.now = at
            await say(memory, f"t{number}", "hm", at=at)
            await digest(memory)
        assert await texts(memory, Status.ARCHIVED) == []
