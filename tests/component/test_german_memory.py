"""A memory that is spoken with in German: what it keeps and changes, what waits, what it finds, and its indices."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import bench_memory
import pytest
from memory_house import MUTE, Clock, believed, digest, rows, say, tell, texts

from edge_memory.memory import Memory
from edge_memory.records import Language, Status
from edge_memory.scripted import HashEmbedder, ScriptedChat

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def memory(path: Path) -> AsyncIterator[Memory]:
    async with Memory(
        path, serve=True, embedder=HashEmbedder(), chat=MUTE, clock=Clock(), language=Language.GERMAN
    ) as memory:
        await memory.prepare()
        yield memory


@pytest.mark.parametrize("name", ["meike", "yusuf"])
def test_labelled_lives(name: str) -> None:
    """By rules alone: what must be known is found, noise leaves nothing, nothing is overwritten or kept wrongly."""
    report, _ = bench_memory.measure(bench_memory.load(ROOT / f"tests/data/turns_de_{name}.jsonl"), "none", "de")
    assert report.findable >= 0.95 * report.expected
    assert (report.invented, report.wrongly_overwritten, report.wrongly_kept, report.pending_wrong) == ([], [], [], [])


async def test_a_change_takes_the_place_of_what_was(memory: Memory) -> None:
    await tell(memory, "Ich wohne in Husum", "Ich bin letzte Woche nach Tönning gezogen")
    assert await texts(memory) == ["Der Nutzer ist letzte Woche nach Tönning gezogen"]
    assert await texts(memory, Status.SUPERSEDED) == ["Der Nutzer wohnt in Husum"]


async def test_what_is_risky_waits(memory: Memory) -> None:
    await tell(memory, "Ich bin allergisch gegen Muscheln", "Ich bin nicht mehr allergisch gegen Muscheln")
    (waiting,) = await memory.review.pending("owner")
    assert waiting.record.text == "Der Nutzer ist nicht mehr allergisch gegen Muscheln"
    assert await texts(memory) == ["Der Nutzer ist allergisch gegen Muscheln"]
    await memory.review.confirm(waiting.record.id)
    assert "Der Nutzer ist allergisch gegen Muscheln" not in await texts(memory)


async def test_another_allergy_stands_beside_the_first(memory: Memory) -> None:
    await tell(memory, "Ich bin allergisch gegen Muscheln", "Ich bin auch allergisch gegen Soja")
    await tell(memory, "Ich bin nicht mehr allergisch gegen Soja")
    assert len(await texts(memory)) == 2
    assert [one.record.key for one in await memory.review.pending("owner")] == ["user.allergy"]


async def test_liking_what_was_disliked_ends_it(memory: Memory) -> None:
    await tell(memory, "Ich mag keine Rosinen", "Ich mag Rosinen")
    assert await texts(memory) == ["Der Nutzer mag Rosinen"]


async def test_a_fragment_puts_the_last_statement_right(memory: Memory) -> None:
    await tell(memory, "Meine Tante Gesa wohnt in Varel", "nein, in Jever")
    assert await texts(memory) == ["Des Nutzers Tante Gesa wohnt in Jever"]
    await tell(memory, "Das Boot liegt an Steg vier", "nicht vier, sondern fünf")
    assert "Das Boot liegt an Steg fünf" in await texts(memory)


async def test_an_activity_that_stopped_is_over(memory: Memory) -> None:
    await tell(memory, "Ich spiele Tuba", "Ich singe im Chor", "Ich spiele nicht mehr Tuba")
    assert "Der Nutzer spielt Tuba" not in await texts(memory)
    assert "Der Nutzer singt im Chor" in await texts(memory)


async def test_forgetting_by_voice_erases(memory: Memory, path: Path) -> None:
    await tell(memory, "Meine Handynummer ist 0151 998877", "Ich mag Fenchel")
    await tell(memory, "Vergiss meine Handynummer")
    assert await texts(memory) == ["Der Nutzer mag Fenchel"]
    assert rows(path, "SELECT count(*) FROM conversation_log WHERE content LIKE '%998877%'") == [(0,)]
    await tell(memory, "Vergiss, dass ich Fenchel mag")
    assert await texts(memory) == []


async def test_forget_that_means_what_was_just_said(memory: Memory) -> None:
    await tell(memory, "Mein Rad ist grün", "vergiss das wieder")
    assert await texts(memory) == []


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Nuss", "Der Nutzer ist allergisch gegen Nüsse"),
        ("Nuesse", "Der Nutzer ist allergisch gegen Nüsse"),
        ("Strasse", "Der Nutzer wohnt in der Poststraße"),
        ("Zahnarzt", "Der Nutzer hat am Freitag einen Zahnarzttermin"),
        ("wohnen Poststraße", "Der Nutzer wohnt in der Poststraße"),
    ],
)
async def test_words_are_found_in_their_forms(memory: Memory, asked: str, told: str) -> None:
    for sentence in ("Ich bin allergisch gegen Nüsse", "Ich wohne in der Poststraße",
                     "Ich habe am Freitag einen Zahnarzttermin", "Mein Rad ist grün"):  # fmt: skip
        await say(memory, sentence, sentence)
    await digest(memory)
    found = await memory.search(asked, 1) if asked != "Strasse" else await memory.search("Poststrasse", 1)
    assert [hit.record.text for hit in found] == [told]


async def test_what_the_owner_types_is_read_in_the_language_of_the_file(memory: Memory, path: Path) -> None:
    async with Memory(path, serve=False) as guest:
        assert guest.language is Language.GERMAN
        (record,) = await guest.learn("Ich heiße Rieke")
    assert (record.key, record.confidence) == ("user.name", 1.0)


async def test_another_language_makes_the_indices_anew(path: Path) -> None:
    async with Memory(path, serve=True) as memory:
        assert memory.language is Language.ENGLISH
        await tell(memory, "I keep bees", "my name is Vera")
    for language, tokenizer in ((Language.GERMAN, "german"), (Language.ENGLISH, "porter")):
        async with Memory(path, serve=True, language=language) as memory:
            await memory.check()
            assert [hit.record.text for hit in await memory.search("bees", 1)] == ["The user keeps bees"]
            assert len(await believed(memory)) == 2
        sql = "SELECT count(*) FROM sqlite_schema WHERE name IN ('records_fts', 'turn_words') AND sql LIKE ?"
        assert rows(path, sql, (f"%'{tokenizer} %",)) == [(2,)]


async def test_nothing_german_is_put_to_an_english_prompt(path: Path) -> None:
    """The model's sorting and its opinions are asked for and checked in English only."""
    asked: list[str] = []

    def answer(messages: object) -> str:
        asked.append(str(messages))
        return ""

    async with Memory(path, serve=True, chat=ScriptedChat(answer), language=Language.GERMAN) as memory:
        await memory.prepare()
        await tell(memory, "Ich habe gestern im Watt einen Seestern gefunden", "Ich wohne jetzt in Husum")
        assert len(await texts(memory)) == 2
    assert asked == []
