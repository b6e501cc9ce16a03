"""The auditor: what rules leave open is asked of the model, in one transaction, once, and undone in one step."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from memory_house import Clock, believed, digest, rows, say, tell, texts

from edge_memory.config import MemoryConfig
from edge_memory.memory import Memory
from edge_memory.records import Message, Status
from edge_memory.scripted import HashEmbedder, ScriptedChat


class Script:
    """Audits with one answer, and sorts nothing."""

    def __init__(self, action: str = "", evidence: str = "", candidate: str = "1", answer: str | None = None) -> None:
        told = {"evidence": evidence, "candidate": candidate, "action": action}
        self.answer = json.dumps(told) if answer is None else answer
        self.asked: list[str] = []

    def __call__(self, messages: Sequence[Message]) -> str:
        if not messages[0].content.startswith("Compare what"):
            return "{}"
        self.asked.append(messages[-1].content)
        return self.answer


@asynccontextmanager
async def house(path: Path, script: Script | None, **settings: object) -> AsyncIterator[Memory]:
    config = MemoryConfig(**{"job_backoff_seconds": 0.0} | settings)
    chat = None if script is None else ScriptedChat(script)
    async with Memory(path, serve=True, config=config, embedder=HashEmbedder(), chat=chat, clock=Clock()) as memory:
        await memory.prepare()
        yield memory


async def heard(memory: Memory) -> None:
    """Two statements between which no slot decides."""
    await tell(memory, "the stamp club meets above the bakery", "the stamp club meets above the bakery in Moss")


SAME = ("The stamp club meets above the bakery", "The stamp club meets above the bakery in Moss")


async def test_more_of_the_same_takes_its_place_and_a_rollback_brings_it_back(path: Path) -> None:
    script = Script("update", "in Moss")
    async with house(path, script) as memory:
        await heard(memory)
        assert await texts(memory) == [SAME[1]]
        assert len(script.asked) == 1
        assert script.asked[0] == f"Known:\n1. {SAME[0]}\nNow: the stamp club meets above the bakery in Moss"
        (kept,) = await believed(memory)
        old, history = await memory.inspect(1)
        assert (old.status, history[-1].action) == (Status.SUPERSEDED, "supersede")
        assert history[-1].before is not None
        await memory.review.rollback(kept.id)
        assert await texts(memory) == [SAME[0]]


async def test_the_same_in_other_words_counts_as_said_again(path: Path) -> None:
    async with house(path, Script("noop", "a stamp collection")) as memory:
        await tell(memory, "Greta collects stamps", "Greta has a stamp collection")
        (kept,) = await believed(memory)
        assert (kept.text, kept.reinforcement, kept.confidence) == ("Greta collects stamps", 1, 0.7)
        again, history = await memory.inspect(2)
        assert (again.status, history[-1].reason) == (Status.SUPERSEDED, "audited: the same in other words")


@pytest.mark.parametrize("action", ["insert", "update", "supersede", "expire", "noop", "mark_pending_confirmation"])
async def test_what_stands_beside_it_stays_whatever_the_model_says(path: Path, action: str) -> None:
    async with house(path, Script(action, "chess")) as memory:
        told = [
            "Bruno sings",
            "Bruno plays chess",
            "the kitchen tap drips",
            "the bathroom tap drips",
            "I own a red van",
        ]
        await tell(memory, *told, "I own a red bike")
        assert len(await texts(memory)) == 6


@pytest.mark.parametrize("action", ["update", "supersede", "expire", "noop", "mark_pending_confirmation"])
async def test_high_risk_is_never_overwritten(path: Path, action: str) -> None:
    async with house(path, Script(action, "the mortgage is all paid off now")) as memory:
        await tell(memory, "I have a mortgage with the Harbour Bank", "the mortgage is all paid off now")
        assert await texts(memory) == ["The user has a mortgage with the Harbour Bank"]
        (waits,) = await believed(memory, Status.PENDING)
        assert waits.text == "The mortgage is all paid off now"
        (proposal,) = await memory.review.pending("owner")
        assert proposal.replaces == (1,)
        await memory.review.confirm(waits.id)
        assert await texts(memory) == ["The mortgage is all paid off now"]


async def test_nonsense_is_asked_again_and_parked_and_loses_nothing(path: Path) -> None:
    script = Script(answer="I would say that they are the same.")
    async with house(path, script, job_attempts=3) as memory:
        await heard(memory)
        assert await texts(memory) == list(SAME)
        assert len(script.asked) == 3
        (parked,) = (await memory.stats())["failed_jobs"]
        assert (parked["key"], parked["attempts"]) == ("audit:2", 3)
        assert "stamp" not in parked["error"]
        script.answer = Script("update", "in Moss").answer
        assert await memory.retry_parked() == 1
        await digest(memory)
        assert await texts(memory) == [SAME[1]]


async def test_without_a_model_or_without_the_setting_the_rules_alone_hold(path: Path) -> None:
    script = Script("update", "in Moss")
    async with house(path, script, audit_enabled=False) as memory:
        await heard(memory)
        assert (await texts(memory), script.asked) == (list(SAME), [])
    async with house(path.with_name("other.db"), None, job_backoff_seconds=60.0) as memory:
        await heard(memory)
        assert await texts(memory) == list(SAME)
    async with house(path.with_name("other.db"), script) as memory:
        await digest(memory)
        assert await texts(memory) == [SAME[1]]  # once there is a model, the question is asked


async def test_the_same_job_twice_is_done_once(path: Path) -> None:
    script = Script("update", "in Moss")
    async with house(path, script) as memory:
        await heard(memory)
        before = rows(path, "SELECT count(*) FROM fact_history")
        insert = "INSERT INTO jobs (kind, key, payload, created_at) VALUES ('audit', 'audit:2', ?, 0)"
        payload = json.dumps({"record_id": 2, "change": False})
        for _ in range(2):
            await memory._store.write(lambda connection: connection.execute(insert, (payload,)).get)
            await digest(memory)
        assert rows(path, "SELECT count(*) FROM fact_history") == before


async def test_what_has_changed_since_the_question_is_left_alone(path: Path) -> None:
    async with house(path, Script("update", "in Moss")) as memory:
        script = memory._digestion._queues[1]._handlers
        await say(memory, "t1", "the stamp club meets above the bakery")
        await digest(memory)
        await say(memory, "t2", "the stamp club meets above the bakery in Moss")
        while (await memory.stats())["records"] < 2:
            await memory.digest_once()
        effect = await next(handler for kind, handler in script.items() if kind == "audit")(
            {"record_id": 2, "change": False}
        )
        await memory.forget(await memory.find_to_forget("1"))
        await memory._store.write(effect)
        assert "The stamp club meets above the bakery in Moss" in await texts(memory)


async def test_a_quick_reading_never_waits_for_the_auditor(path: Path) -> None:
    async with house(path, Script("update", "in Moss")) as memory:
        quick, slow = (queue._handlers.keys() for queue in memory._digestion._queues)
        assert "audit" in slow
        assert "audit" not in quick
