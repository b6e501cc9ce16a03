"""What was said is found again: by words at once, by vectors later, and never where it must not be seen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import apsw
import numpy as np
import pytest
from memory_house import MUTE, NOON, Clock, believed, digest, rows, say, tell, turn

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.protocols import Purpose, Vectors
from edge_memory.recall import Ranker
from edge_memory.records import UserTurn
from edge_memory.scripted import HashEmbedder
from edge_memory.store import conversation, turn_index, vectors
from edge_memory.store.connection import APPLICATION_ID
from edge_memory.store.finding import Wanted
from edge_memory.store.migrations import all_migrations
from edge_memory.store.vectors import Source
from edge_memory.store.words import COMMON

_SAID_IN_THE_ATTIC = """
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
INSERT INTO conversation_log (turn_id, role, content, session_id, user_id, created_at, summarized)
SELECT 'a' || n, 'user', 'the ferry again', 'attic', 'owner', n, 1 FROM numbers
"""
SHORT = MemoryConfig(working_messages=2)


@pytest.fixture
async def memory(path: Path) -> AsyncIterator[Memory]:
    async with Memory(path, serve=True, embedder=HashEmbedder(), chat=MUTE, config=SHORT, clock=Clock()) as memory:
        await memory.prepare()
        yield memory


def line(number: int, speaker: str, text: str, session_id: str = "monday", at: float = NOON) -> UserTurn:
    return UserTurn(f"l{number}", session_id, "owner", text, at, None, speaker)


async def said(memory: Memory, text: str, session_id: str = "kitchen") -> list[str]:
    return [hit.message.content for hit in (await memory.recall(text, session_id)).turns]


async def found(memory: Memory, text: str, **more: object) -> list[str]:
    return [hit.message.content for hit in (await memory.look_up(text, **more)).turns]


def indexed(path: Path) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path))  # the index is FTS5, which the other SQLite may lack
    try:
        return list(connection.execute("SELECT rowid, body, around, day FROM turn_words ORDER BY rowid"))
    finally:
        connection.close()


# What is seen


async def test_what_was_said_long_ago_is_recalled_with_the_reason(memory: Memory) -> None:
    await tell(memory, "the ferry to Moss leaves at nine", "what is for dinner", "good night")
    (hit,) = (await memory.recall("when does the ferry leave", "kitchen")).turns
    assert (hit.message.content, hit.message.turn_id) == ("the ferry to Moss leaves at nine", "t0")
    assert hit.score == pytest.approx(sum(hit.why.values()))
    assert {"words", "cosine", "session"} <= set(hit.why)


async def test_what_the_model_sees_anyway_is_not_recalled(memory: Memory) -> None:
    await tell(memory, "the ferry to Moss leaves at nine")
    await memory.hear(UserTurn("now", "kitchen", "owner", "when does the ferry leave", NOON))
    assert await said(memory, "when does the ferry leave") == []
    assert [hit.message.content for hit in (await memory.look_up("ferry")).turns] == [
        "the ferry to Moss leaves at nine"
    ]


async def test_the_search_for_a_turn_may_begin_before_it_is_heard(path: Path) -> None:
    config, asked = MemoryConfig(working_messages=4), turn("now", "when does the ferry leave")
    moss, horten, larvik = (f"the ferry to {port}" for port in ("Moss at nine", "Horten at ten", "Larvik at noon"))
    async with Memory(path, serve=True, embedder=HashEmbedder(), chat=MUTE, config=config, clock=Clock()) as memory:
        await tell(memory, moss, horten, larvik)  # the model sees the third alone
        before = await memory.recall_for(asked)
        await memory.hear(asked)
        after = await memory.recall_for(asked)
        for recalled in (before, after):
            assert recalled is not None
            assert {hit.message.content for hit in recalled.recollection.turns} == {moss, horten}
        await tell(memory, "what is for dinner", "good night")
        given = await memory.activate(asked, lambda memory: 1, before)
        assert larvik in {hit.message.content for hit in given.recollection.turns}, "the model sees it no more"


async def test_another_session_s_words_are_private_to_it(memory: Memory) -> None:
    for number in range(60):
        await say(memory, f"s{number}", f"the secret ferry number {number}", session_id="attic")
    await tell(memory, "the ferry to Moss leaves at nine", "what is for dinner", "good night")
    assert await said(memory, "ferry") == ["the ferry to Moss leaves at nine"]
    assert await said(memory, "ferry", "cellar") == []
    everywhere = await found(memory, "ferry", limit=100)
    assert len([text for text in everywhere if "ferry" in text]) == 61


async def test_a_word_that_the_whole_house_says_tells_nothing_beside_a_rarer_one(memory: Memory) -> None:
    def fill(connection: apsw.Connection) -> None:
        connection.execute(_SAID_IN_THE_ATTIC, {"count": COMMON + 1})
        turn_index.rebuild(connection)

    await tell(memory, "the ferry to Moss leaves at nine", "the ferry to Horten is red", "what is for dinner", "hello")
    assert len(await said(memory, "ferry at nine")) == 2
    await memory._store.write(fill)
    assert await said(memory, "ferry at nine") == ["the ferry to Moss leaves at nine"]
    assert len(await said(memory, "ferry")) == 2, "it counts where there is no other"


async def test_another_user_s_words_are_hidden(memory: Memory) -> None:
    await memory.overhear([line(1, "Wilma", "the ferry is late")])
    assert await found(memory, "ferry", which=Wanted("guest")) == []


async def test_noise_is_not_indexed(memory: Memory, path: Path) -> None:
    await say(memory, "t1", "the ferry the ferry", "", action="ignore")
    await memory.hear(UserTurn("t2", "kitchen", "owner", "ferry", NOON))
    assert indexed(path) == []


async def test_only_the_best_few_turns_are_recalled(path: Path) -> None:
    config = MemoryConfig(retrieval_top_k=2, working_messages=2)
    async with Memory(path, serve=True, embedder=HashEmbedder(), config=config) as memory:
        await memory.prepare()
        await tell(memory, *(f"hen {number} is called Berta" for number in ("one", "two", "three", "four")), "hm", "hm")
        assert len(await said(memory, "which hen is Berta")) == 2


# The index


async def test_a_row_holds_its_neighbours_and_its_day(memory: Memory, path: Path) -> None:
    await memory.overhear([line(n, "Wilma", text) for n, text in enumerate(("one", "two", "three", "four"))])
    await memory.overhear([line(9, "Ole", "elsewhere", "tuesday")])
    stored = indexed(path)
    assert [row[1] for row in stored] == ["Wilma: one", "Wilma: two", "Wilma: three", "Wilma: four", "Ole: elsewhere"]
    assert stored[1][2] == "Wilma: one Wilma: three Wilma: four"
    assert stored[4][2] == ""
    assert str(stored[0][3]).split()[1:] == ["March", "2030"]
    assert await found(memory, "March 2030 elsewhere") != []


async def test_a_dialogue_is_kept_once_and_states_nothing_of_the_user(memory: Memory, path: Path) -> None:
    lines = [line(1, "Wilma", "my name is Wilma"), line(2, "Ole", "I live in Moss")]
    await memory.overhear(lines)
    await memory.overhear(lines)
    await memory.prepare()
    await digest(memory)
    assert await believed(memory, None) == []
    assert len(indexed(path)) == 2
    assert rows(path, "SELECT count(*) FROM conversation_log WHERE role = 'assistant'") == [(0,)]
    assert (await memory.stats())["turn_vectors"] == 2


async def test_who_is_asked_about_counts(memory: Memory) -> None:
    await memory.overhear([line(1, "Wilma", "hens are lovely"), line(2, "Ole", "hens are lovely")])
    for name, other in (("Wilma", "Ole"), ("Ole", "Wilma")):
        first, second = (await memory.look_up(f"what does {name} think of hens")).turns
        assert (first.message.speaker, second.message.speaker) == (name, other)
        assert "speaker" in first.why
        assert "speaker" not in second.why


async def test_the_answer_to_a_question_is_raised(memory: Memory) -> None:
    await memory.overhear([line(1, "Wilma", "where are the keys of the barn?"), line(2, "Ole", "under the pot")])
    await digest(memory)
    answer = next(hit for hit in (await memory.look_up("the keys of the barn")).turns if hit.message.speaker == "Ole")
    assert answer.why["asked"] > 0


@pytest.mark.parametrize("ranker", list(Ranker))
async def test_every_ranker_finds_turns_and_records(memory: Memory, ranker: Ranker) -> None:
    await tell(memory, "the ferry to Moss leaves at nine", "my aunt keeps hens")
    found = await memory.look_up("the ferry to Moss leaves", ranker=ranker)
    assert found.turns[0].message.content == "the ferry to Moss leaves at nine"
    assert found.hits[0].record.text == "The ferry to Moss leaves at nine"


@pytest.mark.parametrize("text", ["?!", '"', "AND OR NOT", "NEAR(a b)", "\U0001f980", "* ^ :", "x" * 10_000, "\x00"])
async def test_any_text_may_be_asked(memory: Memory, text: str) -> None:
    await memory.overhear([line(1, "Wilma", "hens are lovely")])
    await memory.look_up(text)
    assert (await memory.recall(text, "kitchen")).turns == ()


# Vectors


async def test_a_turn_is_found_by_words_before_it_has_a_vector(path: Path) -> None:
    embedder = HashEmbedder()
    async with Memory(
        path, serve=True, embedder=embedder, config=MemoryConfig(job_backoff_seconds=0.0), chat=MUTE
    ) as memory:
        await memory.prepare()
        embedder.available = False
        await say(memory, "t1", "the ferry to Moss leaves at nine")
        recollection = await memory.look_up("ferry")
        assert "switched off" in recollection.degraded
        assert recollection.turns[0].why["words"] > 0
        assert (await memory.stats())["turn_vectors"] == 0
        embedder.available = True
        await digest(memory)
        assert (await memory.stats())["turn_vectors"] == 1
        assert (await memory.look_up("ferry")).turns[0].why["cosine"] > 0


async def test_a_companion_without_an_embedder_leaves_no_job_for_one(path: Path) -> None:
    async with Memory(path, serve=True, chat=MUTE) as memory:
        await say(memory, "t1", "what is for dinner")
        await digest(memory)
        assert (await memory.stats())["jobs_pending"] == 0
        assert await found(memory, "dinner") == ["what is for dinner"]


async def test_another_embedder_embeds_every_turn_again(path: Path) -> None:
    for embedder in (HashEmbedder(), HashEmbedder(name="better"), HashEmbedder(dimension=32)):
        async with Memory(path, serve=True, embedder=embedder) as memory:
            await memory.prepare()
            await memory.overhear([line(n, "Wilma", f"hen number {n}") for n in range(20)])
            assert (await memory.look_up("hen number 7")).turns[0].why["cosine"] == 0
            await digest(memory)
            assert (await memory.stats())["turn_vectors"] == 20
            assert (await memory.look_up("hen number 7")).turns[0].why["cosine"] > 0


# Erasure


class DenseEmbedder(HashEmbedder):
    """No number of one text's vector is in another's."""

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        seeds = [int.from_bytes(text.encode()) for text in texts]
        rows = np.stack([np.random.default_rng(seed).normal(size=self.dimension) for seed in seeds])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


async def test_erased_words_leave_the_index_and_the_neighbours(path: Path) -> None:
    async with Memory(path, serve=True, embedder=DenseEmbedder(), chat=MUTE) as memory:
        await memory.prepare()
        await tell(memory, "the hens need grit", "the spare key is under the zinnia pot", "what is for dinner")
        await _erase_zinnia(memory, path)


async def _erase_zinnia(memory: Memory, path: Path) -> None:
    kept = await memory._store.read(lambda c: dict(vectors.each(c, Source.TURN)))
    vector = (await DenseEmbedder().embed(["the spare key is under the zinnia pot"], Purpose.DOCUMENT))[0].tobytes()
    assert vector in kept.values()
    pieces = [vector[start : start + 32] for start in range(0, len(vector), 32)]  # it may lie across two pages
    content = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert any(piece in content for piece in pieces)
    await memory.forget(await memory.find_to_forget("zinnia"))
    content = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"zinnia" not in content
    assert not any(piece in content for piece in pieces)
    assert [row[1] for row in indexed(path)] == ["the hens need grit", "what is for dinner"]
    assert not any("zinnia" in text for text in await found(memory, "zinnia"))
    await digest(memory)
    assert (await memory.stats())["turn_vectors"] == 2
    await memory.check()


async def test_an_answer_is_embedded_after_what_it_answers_too(path: Path) -> None:
    """And anew, once that was erased."""
    embedder = DenseEmbedder()

    async def mean(*texts: str) -> np.ndarray:
        sums = (await embedder.embed(texts, Purpose.DOCUMENT)).sum(axis=0)
        return sums / np.linalg.norm(sums)

    async def kept(memory: Memory) -> list[np.ndarray]:
        stored = await memory._store.read(lambda c: dict(vectors.each(c, Source.TURN)))
        return [np.frombuffer(vector, dtype=np.float32) for _, vector in sorted(stored.items())]

    async with Memory(path, serve=True, embedder=embedder, chat=MUTE) as memory:
        await memory.prepare()
        await memory.overhear([line(1, "Wilma", "where is the zinnia?"), line(2, "Ole", "in the shed")])
        await memory.overhear([line(3, "Ole", "it rains", "tuesday")])
        await digest(memory)
        question, answer, elsewhere = await kept(memory)
        assert np.allclose(question, await mean("Wilma: where is the zinnia?"), atol=1e-5)
        assert np.allclose(
            answer, await mean("Ole: in the shed", "Wilma: where is the zinnia? Ole: in the shed"), atol=1e-5
        )
        assert np.allclose(elsewhere, await mean("Ole: it rains"), atol=1e-5)
        await memory._store.write(lambda connection: conversation.blank(connection, "l1"))
        assert len(await kept(memory)) == 1
        await memory.learn("a job that embeds")
        await digest(memory)
        assert np.allclose((await kept(memory))[0], await mean("Ole: in the shed"), atol=1e-5)


# An older file


async def test_turns_of_an_older_file_are_found(path: Path) -> None:
    old = apsw.Connection(str(path))
    old.execute(all_migrations()[0].sql)
    old.execute(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1")
    for number, (text, action) in enumerate([("the ferry leaves", "respond"), ("pst", "ignore"), ("hm", "respond")]):
        old.execute(
            "INSERT INTO conversation_log (turn_id, role, content, session_id, user_id, action, created_at)"
            " VALUES (?, 'user', ?, 'kitchen', 'owner', ?, ?)",
            (f"t{number}", text, action, NOON),
        )
        old.execute(
            "INSERT INTO conversation_log (turn_id, role, content, session_id, user_id, created_at)"
            " VALUES (?, 'assistant', '', 'kitchen', 'owner', ?)",
            (f"t{number}", NOON),
        )
    old.close()
    async with Memory(path, serve=True, embedder=HashEmbedder()) as memory:
        await memory.prepare()
        await digest(memory)
        migrated = indexed(path)
        assert [row[1] for row in migrated] == ["the ferry leaves", "hm"]
        assert (await memory.look_up("ferry")).turns[0].why["cosine"] > 0
        await memory._store.write(lambda connection: turn_index.index(connection, 1))
        again = indexed(path)
    assert [[str(part).strip() for part in row[1:]] for row in migrated] == [list(row[1:]) for row in again]
