"""Where the time of a turn went, as it tells itself."""

from __future__ import annotations

from pathlib import Path

from memory_house import digest
from talking_house import MANNER

from edge_memory.memory import Memory
from edge_memory.scripted import HashEmbedder
from firmware_bridge.contracts import Heard, Said
from firmware_bridge.turn import Dialogue
from firmware_bridge.turn.scripted import ScriptedReplies

MS_PER_WORD, WORDS = 20, 5


async def test_of_a_reply_that_was_held_back_it_tells_all_the_cost_and_when_it_was_told(tmp_path: Path) -> None:
    """The model forgets the answer twice, so it is told in the user's words."""
    replies = ScriptedReplies(lambda _: "Roses are red, violets too.", seconds_per_word=MS_PER_WORD / 1e3)
    async with (
        Memory(tmp_path / "memory.db", serve=True, embedder=HashEmbedder()) as memory,
        Dialogue(memory, replies, MANNER, max_text_characters=200) as dialogue,
    ):
        told = [event async for event in dialogue.talk(Heard("I'm allergic to hazelnuts", "kitchen"))]
        await digest(memory)
        asked = Heard("what am I allergic to, and then write me a poem", "hall")
        *_, said = [event async for event in dialogue.talk(asked)]
    assert isinstance(told[-1], Said)
    assert told[-1].timings["first_clause_ms"] <= told[-1].timings["total_ms"]
    assert isinstance(said, Said)
    assert said.text == "You're allergic to hazelnuts."
    tries = [sum(len(message.content.split()) for message in prompt) for prompt in replies.prompts]
    assert len(tries) == 2
    assert said.timings["prompt_tokens_read"] == sum(tries)
    assert said.timings["reply_tokens"] == 2 * WORDS
    assert 2 * WORDS * MS_PER_WORD <= said.timings["first_token_ms"] <= said.timings["first_clause_ms"]
