"""What memory knows of a question is looked up once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from beside import beside_the_loop
from memory_house import MUTE, digest, tell, turn

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.observe import read_statements
from edge_memory.observe.german import clauses as german
from edge_memory.protocols import Purpose, Vectors
from edge_memory.records import Language
from edge_memory.scripted import HashEmbedder
from firmware_bridge.contracts import Heard, Said
from firmware_bridge.turn import Dialogue, Manner, Persona
from firmware_bridge.turn.english import grounding as english
from firmware_bridge.turn.scripted import ScriptedReplies
from firmware_bridge.turn.tongue import tongue_of

MANNER = Manner(Persona("Lo-Bug", "a test"), "tail", 50, 0.0)


class NotingEmbedder(HashEmbedder):
    """Notes what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[list[str]] = []

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        if purpose is Purpose.QUERY:
            self.asked.append(list(texts))
        return await super().embed(texts, purpose)


async def test_a_question_is_embedded_once_with_the_name_behind_its_kin_word(path: Path) -> None:
    embedder, replies = NotingEmbedder(), ScriptedReplies(lambda messages: "I see.")
    async with (
        Memory(path, serve=True, embedder=embedder) as memory,
        Dialogue(memory, replies, MANNER, 200) as dialogue,
    ):
        await memory.prepare()
        for sentence in ("my brother Tom is a baker", "Tom lives in Lille"):
            await memory.learn(sentence)
        await digest(memory)
        for question, answer in (
            ("where does my brother live", "Tom lives in Lille."),
            ("can I have a beer", "I see."),
        ):
            embedder.asked.clear()
            *_, said = [event async for event in dialogue.talk(Heard(question, "kitchen"))]
            assert isinstance(said, Said)
            assert said.text == answer
            assert embedder.asked == [[question.replace("brother", "brother Tom")]]


async def test_what_a_question_is_held_against_may_be_far_from_it(path: Path) -> None:
    config = MemoryConfig(retrieval_min_similarity=0.9)
    async with Memory(path, serve=True, embedder=HashEmbedder(), config=config) as memory:
        await memory.prepare()
        await memory.learn("the ferry to Moss leaves at nine")
        await digest(memory)
        recalled = await memory.recall_for(turn("now", "to be at that"))
        assert recalled is not None
        assert recalled.recollection.hits == ()
        assert [hit.record.text for hit in recalled.recollection.wide] == ["The ferry to Moss leaves at nine"]


async def test_what_is_near_enough_is_the_same_beside_what_is_not(path: Path) -> None:
    ports = "Moss Horten Larvik Bergen Narvik Molde Bryne Harstad Namsos Hamar".split()
    config = MemoryConfig(retrieval_min_similarity=0.4, retrieval_top_k=3)
    async with Memory(path, serve=True, embedder=HashEmbedder(), chat=MUTE, config=config) as memory:
        await memory.prepare()
        await tell(
            memory, *(f"the {port} ferry leaves at {number} from the old pier" for number, port in enumerate(ports))
        )
        for text in ("when does the ferry leave", "old pier of Hamar", "the from at old", "quantum chromodynamics"):
            recalled, plain = await memory.recall_for(turn("now", text, "cellar")), await memory.recall(text, "cellar")
            assert recalled is not None
            assert recalled.recollection.hits == plain.hits
            assert len(recalled.recollection.wide) == len(ports)


async def test_a_question_about_the_world_goes_to_the_model_whatever_was_told(path: Path) -> None:
    replies = ScriptedReplies(lambda messages: "I think so.")
    async with (
        Memory(path, serve=True, embedder=HashEmbedder()) as memory,
        Dialogue(memory, replies, MANNER, 200) as dialogue,
    ):
        await memory.prepare()
        for sentence in ("my cousin Odile wrote me a postcard", "I live in Bruges"):
            await memory.learn(sentence)
        await digest(memory)
        for question, answer in (
            ("Who wrote me?", "Your cousin Odile wrote you a postcard."),
            ("Who wrote War and Peace?", "I think so."),
            ("Where do koalas live?", "I think so."),
        ):
            *_, said = [event async for event in dialogue.talk(Heard(question, "kitchen"))]
            assert isinstance(said, Said)
            assert said.text == answer


async def test_an_answer_is_told_with_what_waits_to_take_its_place(path: Path) -> None:
    replies = ScriptedReplies(lambda messages: "I see.")
    async with (
        Memory(path, serve=True, embedder=HashEmbedder()) as memory,
        Dialogue(memory, replies, MANNER, 200) as dialogue,
    ):
        await memory.prepare()
        for sentence in ("my birthday is on the second of May", "my birthday is on the third of May now"):
            async for _ in dialogue.talk(Heard(sentence, "hall")):
                pass
            await digest(memory)
        *_, said = [event async for event in dialogue.talk(Heard("when is my birthday", "kitchen"))]
        assert isinstance(said, Said)
        assert "second of May" in said.text
        assert "waits for a yes: Your birthday is on the third of May" in said.text


ON_AND_ON = "and then the man there said that my sister is not allergic to nuts any more and i went home with the dog "


@pytest.mark.parametrize(
    ("language", "told", "long", "reads"),
    [
        (Language.ENGLISH, "My sister is allergic to nuts.", ON_AND_ON * 70, english.ground),
        (Language.GERMAN, "Ich bin gegen Nüsse allergisch.", "und dann ging ich mit dem Hund heim " * 200, german.asks),
    ],
)
async def test_nobody_waits_while_a_long_text_is_read(
    path: Path, language: Language, told: str, long: str, reads: Callable[..., Any]
) -> None:
    async with Memory(path, serve=True, language=language) as memory:
        await tell(memory, told)
        heard = turn("long", long[:7_990])
        active = await memory.activate(heard, len)
        await beside_the_loop(tongue_of(language).know(memory, heard, active, ()), reads, read_statements)
