"""A companion of another name and manner: it answers to it, says it, and is written so in the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from edge_memory.memory import Memory
from edge_memory.records import Message, Role
from firmware_bridge.contracts import Heard, Said
from firmware_bridge.turn import Dialogue, Introduction, Manner, Persona
from firmware_bridge.turn.scripted import ScriptedReplies

ADA = Persona("Ada", "a butler of few words")


async def said(folder: Path, text: str) -> tuple[str, str, list[str]]:
    """What it answers, what it keeps of what it heard, and the system prompts that the model was given."""
    prompts: list[str] = []

    def reply(messages: Sequence[Message]) -> str:
        prompts.extend(message.content for message in messages if message.role is Role.SYSTEM)
        return "Very well."

    manner = Manner(ADA, "tail", 60, 0.0, commands=(Introduction(ADA),))
    async with Memory(folder / "memory.db", serve=True) as memory:
        async with Dialogue(memory, ScriptedReplies(reply), manner, 8_000) as dialogue:
            events = [event async for event in dialogue.talk(Heard(text, "desk"))]
        heard = (await memory.turns(None, 1))[0]["heard"]
    return next(event.text for event in events if isinstance(event, Said)), str(heard), prompts


@pytest.mark.parametrize("asked", ["what's your name?", "Hey Ada, what is your name", "do you have a name"])
async def test_it_tells_its_name_without_the_model(tmp_path: Path, asked: str) -> None:
    answer, _, prompts = await said(tmp_path, asked)
    assert answer == "My name is Ada."
    assert not prompts


async def test_it_tells_who_it_is(tmp_path: Path) -> None:
    assert (await said(tmp_path, "who are you?"))[0] == "I am Ada, a butler of few words."


@pytest.mark.parametrize("asked", ["what's your name for a crow", "who are you to tell me that", "what's my name"])
async def test_other_questions_are_not_taken_for_it(tmp_path: Path, asked: str) -> None:
    assert not (await said(tmp_path, asked))[0].startswith(("My name is", "I am Ada"))


async def test_it_answers_to_its_name_and_keeps_what_was_said(tmp_path: Path) -> None:
    answer, heard, prompts = await said(tmp_path, "Ada, I have bought a kite")
    assert answer == "Very well."
    assert heard == "I have bought a kite"
    assert prompts[0].startswith("You are Ada, a butler of few words.")
