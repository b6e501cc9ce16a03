"""The memory loop with models: sorting into slots, cascades, and models that fail or talk nonsense."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from memory_house import NOON, Clock, believed, digest, rows, say, tell, texts

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.records import Kind, Message
from edge_memory.scripted import HashEmbedder, ScriptedChat

SMALL = MemoryConfig(
    short_term_threshold=6, short_term_keep=2, long_term_threshold=2, long_term_keep=1, job_backoff_seconds=0.0
)


class Script:
    """Answers each of the three questions that memory asks of a model, and keeps what it was asked."""

    def __init__(self, *, summary: str = "", distilled: object = "", sorted_as: object = "") -> None:
        self._answers = {"Summarise": summary, "You keep notes": distilled, "Sort one": sorted_as}
        self.asked: list[str] = []

    def __call__(self, messages: Sequence[Message]) -> str:
        self.asked.append(messages[-1].content)
        answer = next(answer for start, answer in self._answers.items() if messages[0].content.startswith(start))
        return answer if isinstance(answer, str) else json.dumps(answer)


@asynccontextmanager
async def at_work(path: Path, chat: ScriptedChat, config: MemoryConfig = SMALL) -> AsyncIterator[Memory]:
    async with Memory(path, serve=True, embedder=HashEmbedder(), chat=chat, config=config, clock=Clock()) as memory:
        await memory.prepare()
        yield memory


async def kept_summaries(memory: Memory) -> list[dict[str, Any]]:
    return list((await memory.export())["summaries"])


# Sorting


async def test_the_model_sorts_what_no_rule_knew(path: Path) -> None:
    told = {"subject": "user", "attribute": "trade", "value": "tune pianos", "kind": "preference"}
    async with at_work(path, ScriptedChat(Script(sorted_as=told)), MemoryConfig()) as memory:
        await tell(memory, "I tune pianos")
        (trade,) = await believed(memory)
        assert (trade.key, trade.value, trade.kind) == ("user.trade", "tune pianos", Kind.PREFERENCE)
        assert trade.text == "The user tunes pianos"
        assert [entry.action for entry in (await memory.inspect(trade.id))[1]] == ["insert", "update"]


@pytest.mark.parametrize(
    "nonsense", ["", "{}", {"subject": "user", "attribute": "trade", "value": "sell violins", "kind": "fact"}]
)
async def test_nonsense_leaves_the_record_as_it_was(path: Path, nonsense: object) -> None:
    async with at_work(path, ScriptedChat(Script(sorted_as=nonsense)), MemoryConfig()) as memory:
        await tell(memory, "I tune pianos")
        (trade,) = await believed(memory)
        assert (trade.key, trade.text) == (None, "The user tunes pianos")
        assert (await memory.stats())["jobs_pending"] == 0


async def test_one_turn_asks_the_model_a_few_times_at_most(path: Path) -> None:
    script = Script()
    config = MemoryConfig(extraction_max_items=2)
    async with at_work(path, ScriptedChat(script), config) as memory:
        await tell(memory, "I tune pianos. I mend clocks. I bind books. I carve spoons.")
        assert len(await believed(memory)) == 4
        assert len(script.asked) == 2


# Cascades


async def test_old_messages_become_a_summary(path: Path) -> None:
    script = Script(summary="The user tuned a piano in Moss. Maximilian came to dinner. The user mended a clock.")
    async with at_work(path, ScriptedChat(script)) as memory:
        await say(memory, "t1", "I tuned a piano in Moss")
        await say(memory, "t2", "mumble", "", action="ignore")
        await digest(memory)
        assert await kept_summaries(memory) == []
        await say(memory, "t3", "then I mended a clock")
        await digest(memory)
        (summary,) = await kept_summaries(memory)
        assert summary["content"] == "The user tuned a piano in Moss."
        assert (summary["from_id"], summary["to_id"], summary["session_id"]) == (1, 4, "kitchen")
        assert rows(path, "SELECT id FROM conversation_log WHERE NOT summarized") == [(5,), (6,)]
        prompt = next(asked for asked in script.asked if asked.startswith("- "))
        assert "Moss" in prompt
        assert "mumble" not in prompt
        assert "I see." not in prompt  # the assistant's words are no evidence


async def test_without_one_true_word_the_user_s_own_are_kept(path: Path) -> None:
    script = Script(summary="Maximilian flew to Jupiter. Everybody cheered loudly.")
    async with at_work(path, ScriptedChat(script)) as memory:
        for number, text in enumerate(("hear the rain", "the roof leaks", "what a day")):
            await say(memory, f"t{number}", text)
        await digest(memory)
        (summary,) = await kept_summaries(memory)
        assert summary["content"] == "The roof leaks."


async def test_sessions_are_summarised_apart(path: Path) -> None:
    async with at_work(path, ScriptedChat(Script())) as memory:
        for number in range(3):
            for session in ("kitchen", "attic"):
                await say(memory, f"{session}{number}", f"in the {session}", session_id=session)
        await digest(memory)
        kept = {summary["session_id"]: summary["content"] for summary in await kept_summaries(memory)}
        assert set(kept) == {"kitchen", "attic"}
        assert "attic" not in kept["kitchen"]


async def test_a_long_wait_for_the_model_is_summarised_in_pieces(path: Path) -> None:
    script = Script()
    chat = ScriptedChat(script)
    chat.available = False
    async with at_work(path, chat) as memory:
        for number in range(20):
            await say(memory, f"t{number}", f"line {number}")
        assert await memory.digest_once()
        chat.available = True
        await digest(memory)
        ranges = [(summary["from_id"], summary["to_id"]) for summary in await kept_summaries(memory)]
        assert ranges[0] == (1, 6)
        assert all(after[0] == before[1] + 1 for before, after in pairwise(ranges))
        left = rows(path, "SELECT count(*) FROM conversation_log WHERE NOT summarized")[0][0]
        assert SMALL.short_term_keep <= left < SMALL.short_term_threshold
        assert max(asked.count("The user said") for asked in script.asked if asked.startswith("- ")) == 3


async def test_keeping_more_from_now_on_summarises_nothing_new(path: Path) -> None:
    chat = ScriptedChat(Script())
    chat.available = False
    async with at_work(path, chat) as memory:
        for number in range(4):
            await say(memory, f"t{number}", f"line {number}")
    chat.available = True
    async with at_work(path, chat, MemoryConfig()) as memory:  # the default keeps the newest ten of these eight
        await digest(memory)
        assert await kept_summaries(memory) == []
        assert (await memory.stats())["jobs_pending"] == 0


async def test_old_summaries_become_base_memory(path: Path) -> None:
    notes = {"ongoing_topics": ["The user builds a sloop", "Maximilian sings"], "key_history": ["A mast broke in Moss"]}
    script = Script(summary="The user builds a sloop. A mast broke in Moss.", distilled=notes)
    async with at_work(path, ScriptedChat(script)) as memory:
        assert (await memory.base_memory()).version == 0
        await tell(memory, "my name is Ola", "I prefer tea in glasses")
        for number in range(9):
            await say(memory, f"s{number}", "I build a sloop. The mast broke in Moss")
            await digest(memory)
        newest, *older = await memory.base_memory_versions()
        assert newest == await memory.base_memory()
        assert [version.version for version in (newest, *older)] == list(range(1 + len(older), 0, -1))
        assert newest.content == (
            "User Profile:\n- The user's name is Ola\n"
            "Preferences:\n- The user prefers tea in glasses\n"
            "Ongoing Topics:\n- The user builds a sloop\n"
            "Key History:\n- A mast broke in Moss"
        )
        kept = await kept_summaries(memory)
        assert [summary["incorporated"] for summary in kept] == [True] * (len(kept) - 1) + [False]
        stats = await memory.stats()
        assert (stats["summaries"], stats["base_memory_version"]) == (len(kept), newest.version)


async def test_what_is_kept_for_good_tells_dates(path: Path) -> None:
    script = Script(distilled={"ongoing_topics": [], "key_history": []})
    async with at_work(path, ScriptedChat(script)) as memory:
        await tell(memory, "my recital is tomorrow")
        for number in range(9):
            await say(memory, f"s{number}", "the mast broke yesterday")
            await digest(memory)
        assert (await memory.base_memory()).content.startswith(
            "User Profile:\n- The user's recital is on 18 March 2030"
        )
        told = " ".join(summary["content"] for summary in await kept_summaries(memory))
        assert "the mast broke on 16 march 2030" in told.lower()
        assert "yesterday" not in told


async def test_what_matters_most_is_in_base_memory_however_old(path: Path) -> None:
    script = Script(distilled={"ongoing_topics": [], "key_history": []})
    async with at_work(path, ScriptedChat(script)) as memory:
        await tell(memory, "I'm allergic to walnuts", "my name is Ola")
        for number in range(70):
            await memory.learn(f"the hen number {number} lays brown eggs")
            await memory.learn(f"I like hen number {number}")
        for number in range(6):
            await say(memory, f"x{number}", "hm")
        await digest(memory)
        document = (await memory.base_memory()).content
        assert "The user is allergic to walnuts" in document
        assert "The user's name is Ola" in document
        assert len(document.split()) <= SMALL.base_memory_words


# Models that fail


async def test_nonsense_for_ever_is_parked_and_the_others_go_on(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    script = Script(distilled="A long tale about Rumpelstiltskin.")
    async with at_work(path, ScriptedChat(script)) as memory:
        for number in range(7):
            await say(memory, f"t{number}", "I tune pianos")
        await digest(memory)
        stats = await memory.stats()
        assert (stats["jobs_pending"], stats["jobs_failed"], stats["base_memory_version"]) == (0, 1, 0)
        (parked,) = stats["failed_jobs"]
        assert (parked["key"], parked["attempts"]) == ("distil:owner", SMALL.job_attempts)
        assert "NonsenseAnswer" in parked["error"]
        told = [record.getMessage() for record in caplog.records if record.levelname != "DEBUG"]
        assert not any("Rumpel" in message or "piano" in message for message in [*told, parked["error"]])
        await tell(memory, "the hens need grit")
        assert "The hens need grit" in await texts(memory)
        script._answers["You keep notes"] = {"ongoing_topics": [], "key_history": []}
        assert await memory.retry_parked() == 1
        await digest(memory)
        stats = await memory.stats()
        assert (stats["jobs_failed"], stats["base_memory_version"]) == (0, 1)


async def test_parked_work_is_due_again_at_once_when_asked_for(path: Path) -> None:
    config = MemoryConfig(
        short_term_threshold=2, short_term_keep=0, long_term_threshold=1, long_term_keep=0,
        job_attempts=1, job_backoff_seconds=3_600.0,
    )  # fmt: skip
    script = Script(distilled="nonsense")
    async with at_work(path, ScriptedChat(script), config) as memory:
        await tell(memory, "I tune pianos")
        assert (await memory.stats())["jobs_failed"] == 1
        assert await memory.retry_parked() == 1
        assert await memory.digest_once()


async def test_a_model_that_is_away_costs_no_attempt(path: Path) -> None:
    chat = ScriptedChat(Script())
    chat.available = False
    async with at_work(path, chat) as memory:
        await say(memory, "t1", "I tune pianos")
        for _ in range(3 * SMALL.job_attempts):
            assert await memory.digest_once()
        stats = await memory.stats()
        assert (stats["jobs_pending"], stats["jobs_failed"]) == (1, 0)
        assert rows(path, "SELECT attempts FROM jobs") == [(0,)]
        chat.available = True
        await digest(memory)
        assert (await memory.stats())["jobs_pending"] == 0


async def test_work_waits_longer_after_each_failure(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "edge_memory.observe.queue")
    chat = ScriptedChat(Script())
    chat.available = False
    began = time.monotonic()
    async with at_work(path, chat, MemoryConfig(job_backoff_seconds=0.1)) as memory:
        await tell(memory, "I tune pianos")
        while len(waits := re.findall(r"job extract:\S+ waits (\S+) s", caplog.text)) < 3:
            await memory.digest_once()
    assert waits == ["0.1", "0.2", "0.4"]
    assert time.monotonic() - began >= 0.3, "the first two were waited for"


async def test_a_model_that_is_away_for_weeks_is_waited_for(path: Path) -> None:
    chat = ScriptedChat(Script())
    chat.available = False
    async with at_work(path, chat) as memory:
        await say(memory, "t1", "I tune pianos")
        for _ in range(1_200):
            assert await memory.digest_once()
        chat.available = True
        await digest(memory)
        assert (await memory.stats())["jobs_pending"] == 0


async def test_digest_works_by_itself_until_cancelled(path: Path) -> None:
    async with Memory(path, serve=True, embedder=HashEmbedder()) as memory:
        await memory.prepare()
        work = asyncio.create_task(memory.digest(), name="digest")
        await say(memory, "t1", "I live in Bergen")
        while not await texts(memory):
            pass
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work


async def test_a_server_takes_up_what_a_guest_leaves(path: Path) -> None:
    async with Memory(path, serve=True, embedder=HashEmbedder(), clock=Clock(NOON)) as server:
        await server.prepare()
        await say(server, "t1", "the hens need grit")
        assert len(await server.history("kitchen")) == 2
        async with Memory(path, serve=False, clock=Clock(NOON)) as guest:
            await guest.learn("the geese need oats")
            await say(guest, "t2", "from outside")
        await digest(server)
        assert (await server.stats())["vectors"] == 2
        assert [message.content for message in await server.history("kitchen")][-2] == "from outside"
