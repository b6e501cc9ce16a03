"""The memory loop by rule and by words: heard, answered, digested, recalled."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_house import NOON, Clock, believed, digest, recalled, rows, say, tell, texts, turn

from edge_memory.config import MemoryConfig
from edge_memory.errors import BadQuery, NothingMatches, RecordNotFound, WrongState
from edge_memory.memory import Memory
from edge_memory.recall import Ranker
from edge_memory.records import Kind, Layer, Message, NewRecord, Origin, Priority, Role, Status
from edge_memory.scripted import HashEmbedder
from edge_memory.store import records
from edge_memory.store.conversation import Answer
from edge_memory.store.records import Cause

DAY = 86_400.0


# The turn


async def test_a_conversation_goes_on_after_a_restart(path: Path) -> None:
    config = MemoryConfig(working_messages=4)
    async with Memory(path, serve=True, config=config) as memory:
        for number in range(4):
            await say(memory, f"t{number}", f"question {number}", f"answer {number}")
        live = await memory.history("kitchen")
    async with Memory(path, serve=True, config=config) as memory:
        assert await memory.history("kitchen") == live
        assert live == (
            Message(Role.USER, "question 2"),
            Message(Role.ASSISTANT, "answer 2"),
            Message(Role.USER, "question 3"),
            Message(Role.ASSISTANT, "answer 3"),
        )
        assert await memory.history("attic") == ()


async def test_working_memory_follows_the_log(memory: Memory, path: Path) -> None:
    assert await memory.history("kitchen") == ()
    await say(memory, "t1", "the hens need grit", "Noted.")
    await say(memory, "t1", "the hens need grit", "Noted.")  # the client asked again
    await say(memory, "t2", "mumble", "", action="ignore")
    await say(memory, "t3", "and then", "")  # the reply was broken off
    live = await memory.history("kitchen")
    assert [message.content for message in live] == ["the hens need grit", "Noted.", "and then"]
    assert len(rows(path, "SELECT 1 FROM conversation_log")) == 6


async def test_many_conversations_do_not_mix(memory: Memory) -> None:
    for number in range(70):  # more than are kept live
        await say(memory, f"t{number}", f"I am in room {number}", session_id=f"s{number}")
        await memory.history(f"s{number}")
    for number in (0, 69):
        assert (await memory.history(f"s{number}"))[0].content == f"I am in room {number}"


async def test_what_is_ignored_is_logged_and_never_extracted(memory: Memory) -> None:
    await say(memory, "t1", "my aunt keeps hens", action="ignore")
    assert (await memory.stats())["jobs_pending"] == 0
    await digest(memory)
    assert await texts(memory) == []
    (logged,) = await memory.turns("kitchen", 10)
    assert (logged["heard"], logged["action"]) == ("my aunt keeps hens", "ignore")


async def test_a_turn_is_digested_after_its_reply_even_in_the_next_life(path: Path) -> None:
    async with Memory(path, serve=True) as memory:
        await say(memory, "t1", "my name is Ola and I tune pianos")
        assert await texts(memory) == []
        assert (await memory.stats())["jobs_pending"] == 1
    async with Memory(path, serve=True) as memory:
        await digest(memory)
        name, trade = await believed(memory)
        assert (name.text, name.key, name.value) == ("The user's name is Ola", "user.name", "Ola")
        assert (name.source_turn_id, name.source_excerpt) == ("t1", "my name is Ola")
        assert (name.layer, name.confidence) == (Layer.PROFILE, 0.4)
        assert (trade.text, trade.layer, trade.key) == ("The user tunes pianos", Layer.SEMANTIC, None)


async def test_the_assistant_s_words_are_no_evidence(memory: Memory) -> None:
    await say(memory, "t1", "what do you think", "I think that my name is Kari and I live in Oslo.")
    await digest(memory)
    assert await texts(memory, None) == []


async def test_a_turn_broken_off_by_a_crash_is_closed_and_digested(path: Path) -> None:
    async with Memory(path, serve=True) as memory:
        await memory.hear(turn("t1", "my aunt keeps hens"))
    async with Memory(path, serve=True) as memory:
        await memory.hear(turn("t2", "what is her name"))  # waits for its model while the others are read
        await memory.prepare()
        await memory.answer(Answer(turn("t2", "what is her name"), "Ingrid.", "respond", {}, NOON))
        await digest(memory)
        assert await texts(memory) == ["The user's aunt keeps hens"]
        broken, whole = await memory.turns(None, 10)
        assert (broken["said"], whole["said"]) == ("", "Ingrid.")
        assert [message.content for message in await memory.history("kitchen")] == [
            "my aunt keeps hens",
            "what is her name",
            "Ingrid.",
        ]


# What is believed


async def test_said_twice_is_known_once_and_better(memory: Memory) -> None:
    await tell(memory, "my aunt keeps hens", "my aunt really keeps hens", "My aunt keeps hens!")
    (aunt,) = await believed(memory, None)
    assert aunt.confidence == pytest.approx(0.85)
    assert aunt.reinforcement == 2
    _, history = await memory.inspect(aunt.id)
    assert [entry.action for entry in history] == ["insert", "noop", "noop"]
    assert [entry.turn_id for entry in history] == ["t0", "t1", "t2"]


async def test_a_slot_of_one_value_is_superseded_with_its_history(memory: Memory) -> None:
    await tell(memory, "I live in Bergen", "I moved to Narvik last spring")
    old, new = await believed(memory, None)
    assert (old.status, new.status) == (Status.SUPERSEDED, Status.ACTIVE)
    assert old.valid_to == NOON
    _, (_, superseded) = await memory.inspect(old.id)
    assert superseded.before is not None
    assert superseded.after is not None
    assert (superseded.before["status"], superseded.after["status"]) == ("active", "superseded")
    assert superseded.turn_id == "t1"
    assert await recalled(memory, "where do I live, Bergen or Narvik?") == ["The user moved to Narvik last spring"]


async def test_slots_of_many_values_keep_them_all(memory: Memory) -> None:
    told = [
        "my daughter is called olga",
        "my daughter is called kari",
        "we have a dog called Trym",
        "I'm allergic to bees",
    ]
    told += ["we have a cat called Trym", "I'm allergic to walnuts", "my son Piotr is five", "my son Jan is six"]
    await tell(memory, *told)
    known = await texts(memory)
    assert len(known) == len(told) + len(
        {"The user's son is called Piotr", "The user's son is called Jan"} & set(known)
    )


async def test_words_nearly_the_same_stay_apart(memory: Memory) -> None:
    await tell(memory, "the blue ferry leaves the old harbour at nine", "the blue ferry leaves the old harbour at ten")
    assert len(await texts(memory)) == 2


async def test_a_change_of_identity_waits_for_a_confirmation(memory: Memory) -> None:
    await tell(memory, "my name is Ola", "my name is Kari")
    assert await texts(memory) == ["The user's name is Ola"]
    assert await texts(memory, Status.PENDING) == ["The user's name is Kari"]
    assert await recalled(memory, "is my name Kari?") == ["The user's name is Ola"]
    assert (await memory.search("Kari"))[0].record.status is Status.PENDING
    await memory.learn("my name is Kari")  # the owner may, of course
    assert await texts(memory) == ["The user's name is Kari"]


async def test_an_end_is_an_event_and_expires_what_it_ends(memory: Memory) -> None:
    await tell(memory, "I work at the harbour", "I quit the harbour")
    work, end = await believed(memory, None)
    assert (work.status, work.valid_to) == (Status.EXPIRED, NOON)
    assert (end.layer, end.kind, end.key) == (Layer.EPISODIC, Kind.EVENT, None)


async def test_a_job_done_again_changes_nothing(memory: Memory, path: Path) -> None:
    await tell(memory, "I live in Bergen", "my aunt keeps hens")
    before = rows(path, "SELECT * FROM records"), rows(path, "SELECT * FROM fact_history")
    again = "INSERT INTO jobs (kind, key, payload, created_at) VALUES ('observe', ?, json_object('turn_id', ?), 0)"
    for turn_id in ("t0", "t1"):
        await memory._store.write(lambda connection, t=turn_id: connection.execute(again, (t, t)).get)
        assert await memory.digest_once()
    assert (rows(path, "SELECT * FROM records"), rows(path, "SELECT * FROM fact_history")) == before


async def test_what_the_owner_teaches_is_certain(memory: Memory) -> None:
    (hens,) = await memory.learn("remember that the hens need grit.")
    assert (hens.text, hens.confidence, hens.origin) == ("The hens need grit", 1.0, Origin.OWNER)
    (again,) = await memory.learn("the hens need grit")
    assert again.id == hens.id
    await digest(memory)
    assert (await memory.stats())["vectors"] == 1


# Time


@pytest.mark.parametrize("then", [0.0, NOON - 14 * DAY, NOON - 1.0, NOON + 56 * 365 * DAY])
async def test_a_wrong_clock_does_no_harm(path: Path, then: float) -> None:
    clock = Clock()
    async with Memory(path, serve=True, embedder=HashEmbedder(), clock=clock) as memory:
        await memory.prepare()
        await tell(memory, "I live in Bergen")
        await memory.sensing.sense("box", {"celsius": 20})
        clock.now = then
        await say(memory, "t1", "I moved to Narvik", at=then)
        await memory.sensing.sense("box", {"celsius": 21})
        await digest(memory)
        assert [turned["turn_id"] for turned in await memory.turns(None, 10)] == ["t0", "t1"]
        assert [message.content for message in await memory.history("kitchen")][::2] == [
            "I live in Bergen",
            "I moved to Narvik",
        ]
        assert await texts(memory) == ["The user moved to Narvik"]
        clock.now = NOON
        (hit,) = (await memory.recall("Narvik", "kitchen")).hits
        assert hit.score == sum(hit.why.values())
        hybrid = (await memory.look_up("Narvik", ranker=Ranker.HYBRID)).hits[0]
        assert 0 <= hybrid.why["recency"] <= 0.10
        clock.now = then
        sensed = await memory.sensing.sensed("box")
        assert sensed is not None
        assert sensed.readings == {"celsius": 21}


async def test_old_readings_are_not_spoken_of(path: Path) -> None:
    clock = Clock()
    config = MemoryConfig(sensor_fresh_seconds=60.0, sensor_rows_per_device=3, sensor_seconds=0.0)
    async with Memory(path, serve=True, clock=clock, config=config) as memory:
        assert await memory.sensing.sensed("box") is None
        for celsius in range(5):
            await memory.sensing.sense("box", {"celsius": celsius, "door": "open", "dark": False, "lux": None})
        await memory.sensing.sense("loft", {"celsius": -1.5})
        state = await memory.sensing.sensed("box")
        assert state is not None
        assert state.readings == {"celsius": 4, "door": "open", "dark": False, "lux": None}
        assert len(rows(path, "SELECT 1 FROM sensor_log WHERE device_id = 'box'")) == 3
        for jump in (61.0, -61.0):
            clock.now = NOON + jump
            assert await memory.sensing.sensed("box") is None


# What people ask of it


async def test_bad_queries_are_refused(memory: Memory) -> None:
    which = records.Filter()
    huge = 10**30
    for asked in (
        memory.select(which, limit=0),
        memory.select(which, limit=1_001),
        memory.select(which, offset=-1),
        memory.select(which, offset=huge),
        memory.search(" \n "),
        memory.search("hens", limit=0),
        memory.search("hens", limit=huge),
        memory.learn(""),
        memory.learn("remember that ..."),
        memory.turns(None, 0),
        memory.turns("kitchen", huge),
    ):
        with pytest.raises(BadQuery):
            await asked
    for unknown in (0, -1, 99, huge):
        with pytest.raises(RecordNotFound):
            await memory.inspect(unknown)
    for nothing in ("zeppelins", "the and of", "?!", ""):
        with pytest.raises(NothingMatches):
            await memory.find_to_forget(nothing)
    with pytest.raises(RecordNotFound):
        await memory.find_to_forget(str(huge))
    (hens,) = await memory.learn("the hens need grit")
    await memory.forget([hens])
    with pytest.raises(WrongState):
        await memory.find_to_forget(str(hens.id))


async def test_records_are_listed_by_page_state_and_layer(memory: Memory) -> None:
    await tell(memory, "I live in Bergen", "I moved to Narvik", "the hens need grit")
    page, total = await memory.select(records.Filter(), limit=2, offset=1)
    assert (len(page), total) == (2, 3)
    assert page[0].id > page[1].id
    for status in Status:
        found, total = await memory.select(records.Filter(status=status))
        assert [record.status for record in found] == [status] * total
    for layer in Layer:
        found, total = await memory.select(records.Filter(layer=layer))
        assert [record.layer for record in found] == [layer] * total


async def test_every_kind_of_record_comes_back_as_it_was(memory: Memory) -> None:
    for number, kind in enumerate(Kind):
        new = NewRecord(
            list(Layer)[number % len(Layer)],
            kind,
            f"text {number}",
            key=f"user.{kind}",
            many=bool(number % 2),
            value={"nested": [number, None, "ø"]},
            priority=list(Priority)[number % len(Priority)],
            origin=list(Origin)[number % len(Origin)],
            tags=("a", "b"),
            scope="garden/*",
            surprise={"novelty": 0.5},
            valid_to=NOON + 1,
            event_time=NOON - 1,
        )
        stored = await memory._store.write(lambda c, n=new: records.insert(c, n, Cause("insert"), NOON))
        found, history = await memory.inspect(stored.id)
        assert found == stored
        assert history[0].after == records.to_json(found) | {"tags": ["a", "b"]}


async def test_export_holds_everything(memory: Memory) -> None:
    await tell(memory, "I live in Bergen", "I moved to Narvik")
    document = await memory.export()
    assert (document["format"], document["exported_at"]) == ("lobug-memory", NOON)
    assert [record["text"] for record in document["records"]] == [
        "The user lives in Bergen",
        "The user moved to Narvik",
    ]
    assert [entry["action"] for entry in document["records"][0]["history"]] == ["insert", "supersede"]
    assert [turned["heard"] for turned in document["turns"]] == ["I live in Bergen", "I moved to Narvik"]
    assert (document["summaries"], document["base_memory"]) == ([], [])
    assert (await memory.export("somebody else"))["turns"] == []
