"""Leaving the house and coming back: a round trip, broken rows, and erasing a slot, a user or everything."""

from __future__ import annotations

import copy
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from memory_house import MUTE, NOON, Clock, digest, rows, say, tell, texts

from edge_memory.config import MemoryConfig
from edge_memory.errors import BadDocument, NothingMatches, RecordNotFound
from edge_memory.memory import OWNER, Memory
from edge_memory.records import Layer, Status, UserTurn
from edge_memory.scripted import HashEmbedder
from edge_memory.store import summaries
from edge_memory.transfer import Imported

CONFIG = MemoryConfig(short_term_threshold=4, short_term_keep=1)
TABLES = ("records", "fact_history", "conversation_log", "memory_summaries", "memory_base")


@pytest.fixture
async def memory(path: Path) -> AsyncIterator[Memory]:
    async with Memory(path, serve=True, embedder=HashEmbedder(), chat=MUTE, config=CONFIG, clock=Clock()) as memory:
        await memory.prepare()
        yield memory


@pytest.fixture
async def other(tmp_path: Path) -> AsyncIterator[Memory]:
    """Another house, which already knows something of its own."""
    path = tmp_path / "other" / "memory.db"
    async with Memory(path, serve=True, embedder=HashEmbedder(), config=CONFIG, clock=Clock()) as memory:
        await memory.prepare()
        await memory.learn("the well is deep", user_id="guest")
        await memory.learn("the well is dry", user_id="guest")
        await say(memory, "g1", "hello", session_id="cellar")
        await memory.transfer.erase_user(OWNER)
        await digest(memory)
        yield memory


async def live(memory: Memory) -> None:
    """A life with a bit of everything in it."""
    await tell(memory, "I live in Bergen", "I moved to Narvik", "the hens need grit", "ünïcödé is spoken here 🙂")
    await say(memory, "i1", "mumble", "", action="ignore")
    await memory.overhear([UserTurn("d1", "film", OWNER, "the boat is late", NOON, speaker="Nora")])
    await memory.review.reject((await memory.review.propose("user.home", "Oslo", "a joke", OWNER)).id)
    await memory.review.propose("user.diet", "vegan", "", OWNER)
    await memory.notes.episode("the boat sank", "towed home", ["boat"], OWNER)
    for steps in (["build", "copy"], ["build", "test", "copy"]):
        await memory.notes.procedure("deploy", steps, "site/*", OWNER)
    (made,) = await memory.upkeep.dedup_procedures(OWNER, create=True)
    assert made.record_id is not None
    await memory.review.confirm(made.record_id)
    await memory._store.write(lambda c: summaries.set_base_memory(c, OWNER, "User Profile:\n- Ola", "a test", NOON))
    await memory.forget(await memory.find_to_forget("grit"))
    await digest(memory)


def plain(document: dict[str, Any]) -> dict[str, Any]:
    """A document without ids and without its date: each id becomes the place where it stands."""
    told = copy.deepcopy(document)
    del told["exported_at"]
    places = {record["id"]: place for place, record in enumerate(told["records"])}
    messages = sorted(id_ for turn in told["turns"] for id_ in (turn["heard_id"], turn["said_id"]) if id_)
    for record in told["records"]:
        states = [record, *(entry[name] for entry in record["history"] for name in ("before", "after") if entry[name])]
        for state in states:
            state["id"] = places[state["id"]]
            if isinstance(state["value"], dict) and "compacted_from" in state["value"]:
                state["value"]["compacted_from"] = [places[source] for source in state["value"]["compacted_from"]]
        for entry in record["history"]:
            del entry["id"]
    for turn in told["turns"]:
        for name in ("heard_id", "said_id"):
            turn[name] = messages.index(turn[name]) if turn[name] else None
    for summary in told["summaries"]:
        for name in ("from_id", "to_id"):
            summary[name] = messages.index(summary[name])
    for number, version in enumerate(told["base_memory"]):
        version["version"] = number
    return told


# Round trip


async def test_a_round_trip_loses_nothing(memory: Memory, other: Memory) -> None:
    await live(memory)
    document = json.loads(json.dumps(await memory.export()))
    assert document["summaries"]
    came = await other.transfer.take_in(document, trusted=True)
    assert came == Imported(len(document["records"]), 6, len(document["summaries"]), 1, 0)
    assert plain(await other.export()) == plain(document)
    await other.check()
    await digest(other)
    live_ones = [r for r in document["records"] if r["status"] in ("active", "pending", "archived")]
    assert (await other.stats())["vectors"] == len(live_ones) + 2
    assert [hit.record.text for hit in await other.search("Narvik")][:1] == ["The user moved to Narvik"]


async def test_what_came_in_can_be_undone_as_at_home(memory: Memory, other: Memory) -> None:
    await live(memory)
    await other.transfer.take_in(await memory.export())
    found = {hit.record.text: hit.record for hit in await other.search("Narvik deploy")}
    home = found["The user moved to Narvik"]
    assert [old.text for old in await other.review.replaced(home.id)] == ["The user lives in Bergen"]
    canonical = next(record for record in found.values() if record.layer is Layer.PROCEDURAL)
    assert len((await other.review.rollback(canonical.id)).restored) == 2


async def test_importing_twice_changes_nothing(memory: Memory, other: Memory, tmp_path: Path) -> None:
    await live(memory)
    document = await memory.export()
    await other.transfer.take_in(document)
    path = tmp_path / "other" / "memory.db"
    before = [rows(path, f"SELECT * FROM {table} ORDER BY 1") for table in TABLES]
    again = await other.transfer.take_in(document)
    assert (again.records, again.turns, again.summaries, again.base_memory) == (0, 0, 0, 0)
    assert again.left_out == sum(len(document[name]) for name in ("records", "turns", "summaries", "base_memory"))
    assert [rows(path, f"SELECT * FROM {table} ORDER BY 1") for table in TABLES] == before
    assert (await memory.transfer.take_in(document)).records == 0  # at home neither


async def test_what_was_erased_stays_erased(memory: Memory) -> None:
    await tell(memory, "the zinnia pot is by the marmalade")
    document = await memory.export()
    await memory.forget(await memory.find_to_forget("zinnia"))
    await memory.transfer.take_in(document)
    assert await texts(memory) == []
    assert "zinnia" not in json.dumps(await memory.export())


async def test_what_is_here_wins_and_a_conversation_goes_on_as_it_is(memory: Memory, other: Memory) -> None:
    await tell(memory, "I live in Bergen")
    document = await memory.export()
    await other.transfer.take_in(document)
    await say(other, "o1", "I moved to Narvik", session_id="kitchen")
    await digest(other)
    await tell(memory, "my aunt keeps hens")
    came = await other.transfer.take_in(await memory.export())
    assert (came.records, came.turns) == (1, 0)
    assert {"The user moved to Narvik", "The user's aunt keeps hens"} <= set(await texts(other))
    assert "The user lives in Bergen" not in await texts(other)
    assert [message.content for message in await other.history("kitchen")][::2] == [
        "I live in Bergen",
        "I moved to Narvik",
    ]


# Broken documents

Break = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda d: d["records"][1].update(confidence=1.4), "records[1].confidence"),
        (lambda d: d["records"][1].update(confidence=float("nan")), "records[1].confidence"),
        (lambda d: d["records"][1].update(confidence=True), "records[1].confidence"),
        (lambda d: d["records"][1].update(confidence=10**400), "records[1].confidence"),
        (lambda d: d["records"][0].update(layer="rumour"), "records[0].layer"),
        (lambda d: d["records"][0].update(status=None), "records[0].status"),
        (lambda d: d["records"][0].update(text=""), "records[0].text"),
        (lambda d: d["records"][0].update(text="half \ud800"), "records[0].text"),
        (lambda d: d["records"][0].update(tags="boat"), "records[0].tags"),
        (lambda d: d["records"][0].update(surprise={"novelty": "much"}), "records[0].surprise"),
        (lambda d: d["records"][0].update(value={"deep": [float("inf")]}), "records[0].value"),
        (lambda d: d["records"][0].update(value=[["\ud800"]]), "records[0].value"),
        (lambda d: d["records"][0].update(value=json.loads("[" * 900 + "]" * 900)), "records[0].value"),
        (lambda d: d["records"][0].update(reinforcement=2**70), "records[0].reinforcement"),
        (lambda d: d["records"][0].update(user_id="guest"), "records[0].user_id"),
        (lambda d: d["records"][0].pop("uid"), "records[0].uid"),
        (lambda d: d["records"][2].update(uid=d["records"][0]["uid"]), "records[2]"),
        (lambda d: d["records"].append("a record"), "records["),
        (lambda d: d["records"][0]["history"][0].update(at="noon"), "records[0].history[0].at"),
        (lambda d: d["records"][0]["history"][0].update(after=[]), "records[0].history[0].after"),
        (lambda d: d["turns"][1].update(action="shout"), "turns[1].action"),
        (lambda d: d["turns"][1].update(heard=7), "turns[1].heard"),
        (lambda d: d["turns"][1].update(turn_id=d["turns"][0]["turn_id"]), "turns[1]"),
        (lambda d: d["summaries"][0].update(to_id=999_999), "summaries[0].to_id"),
        (lambda d: d["base_memory"][0].update(version=0), "base_memory[0].version"),
        (lambda d: d.pop("turns"), "turns"),
        (lambda d: d.update(records={}), "records"),
        (lambda d: d.update(user_id=""), "user_id"),
        (lambda d: d.update(format="diary"), "lobug"),
        (lambda d: d.update(version=2), "version 2"),
    ],
)
async def test_one_broken_row_refuses_the_whole_import_and_is_named(
    memory: Memory, other: Memory, tmp_path: Path, spoil: Break, named: str
) -> None:
    await live(memory)
    document = json.loads(json.dumps(await memory.export()))
    spoil(document)
    before = [rows(tmp_path / "other" / "memory.db", f"SELECT * FROM {table}") for table in TABLES]
    with pytest.raises(BadDocument) as refused:
        await other.transfer.take_in(document)
    assert named in refused.value.message
    assert refused.value.hint
    assert [rows(tmp_path / "other" / "memory.db", f"SELECT * FROM {table}") for table in TABLES] == before


@pytest.mark.parametrize("document", [None, [], "memory", 7, {}, {"format": "lobug-memory"}])
async def test_what_is_no_document_is_refused(memory: Memory, document: Any) -> None:
    with pytest.raises(BadDocument):
        await memory.transfer.take_in(document)


# Erasing


def on_disk(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.iterdir()).lower()


async def test_a_slot_is_erased_with_all_its_past(memory: Memory, path: Path) -> None:
    await tell(memory, "I live in Zinniatown", "I moved to Narvik", "my aunt keeps hens")
    doomed = await memory.transfer.of_key("User.Home", OWNER)
    assert [record.status for record in doomed] == [Status.SUPERSEDED, Status.ACTIVE]
    await memory.forget(doomed)
    assert await texts(memory) == ["The user's aunt keeps hens"]
    assert [word for word in (b"zinniatown", b"narvik") if word in on_disk(path)] == []
    with pytest.raises(NothingMatches):
        await memory.transfer.of_key("user.home", OWNER)
    with pytest.raises(RecordNotFound):
        await memory.transfer.of_id(99)


async def test_a_user_is_erased_and_the_others_stay(memory: Memory, path: Path) -> None:
    await live(memory)
    await memory.learn("the marmalade is in the cellar", user_id="guest")
    await tell(memory, "the zinnia wilts in July")
    await say(memory, "w1", "the zinnia blooms in June")  # not digested yet
    await digest_vectors_only(memory)
    with pytest.raises(NothingMatches, match="stranger"):
        await memory.transfer.erase_user("stranger")
    await memory.transfer.erase_user(OWNER)
    left = on_disk(path)
    words = (b"zinnia", b"narvik", b"bergen", b"towed", b"deploy", b"vegan", b"mumble", b"kitchen")
    assert [word for word in words if word in left] == []
    assert b"marmalade" in left
    assert await texts(memory, None) == ["The marmalade is in the cellar"]
    assert await memory.transfer.users() == ["guest"]
    assert await memory.history("kitchen") == ()
    await digest(memory)  # nothing that waited brings anything back
    stats = await memory.stats()
    assert (stats["jobs_pending"], stats["jobs_failed"], stats["turns"], stats["vectors"]) == (0, 0, 0, 1)
    await memory.check()
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]


async def digest_vectors_only(memory: Memory) -> None:
    """One job, so that the newest turn still waits."""
    await memory.digest_once()


async def test_everybody_is_erased(memory: Memory, path: Path) -> None:
    await live(memory)
    await memory.learn("the marmalade is in the cellar", user_id="guest")
    await memory.sensing.sense("box", {"zinnias": 7})
    await memory.transfer.erase_everybody()
    words = (b"narvik", b"marmalade", b"zinnias", b"guest", b"towed")
    assert [word for word in words if word in on_disk(path)] == []
    assert await memory.transfer.users() == []
    await memory.transfer.erase_everybody()  # again is fine
    (hens,) = await memory.learn("the hens need grit")
    assert hens.id > 1  # ids are never used again


async def test_a_document_of_strange_but_whole_rows_comes_in(memory: Memory, other: Memory) -> None:
    await live(memory)
    document = json.loads(json.dumps(await memory.export()))
    document["records"][0]["value"] = {"compacted_from": [[], None, 10**30, {"a": 1}, document["records"][1]["id"]]}
    document["records"][0]["history"][0]["after"] = {"id": [], "status": 7}
    document["records"][0]["source_turn_id"] = "a turn that nobody knows"
    document["records"][0]["something new"] = True
    await other.transfer.take_in(document)
    await other.upkeep.compact(OWNER, create=True)
    await other.upkeep.consolidate()
    await other.review.profile(OWNER)
    await other.check()
