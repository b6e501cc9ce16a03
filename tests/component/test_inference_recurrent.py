"""A model without the memory operations that prefix reuse needs: it falls back to reading again, and says so."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from functools import partial
from pathlib import Path

import pytest
from recurrent_weights import write_recurrent
from typer.testing import CliRunner

from edge_memory.records import Message, Role
from firmware_bridge.app.models import Slot
from firmware_bridge.cli.main import app
from firmware_bridge.contracts import ModelState, Usage
from firmware_bridge.inference import CANNOT_CUT, LlamaChat, can_cut
from firmware_bridge.lane import ComputeLane

TINY = Path(__file__).parents[2] / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf"
HEAD = (Message(Role.SYSTEM, "You are Lo-Bug."), Message(Role.USER, "hello"), Message(Role.ASSISTANT, "Hello!"))

pytestmark = [
    pytest.mark.weights,
    pytest.mark.skipif(not TINY.exists(), reason=f"{TINY.name} is not in models/: lobug models pull"),
]


@pytest.fixture(scope="module")
def recurrent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "recurrent.gguf"
    write_recurrent(path, vocabulary_of=TINY)
    return path


async def ask(chat: LlamaChat, *messages: Message) -> tuple[str, Usage]:
    pieces = [p async for p in chat.reply([*HEAD, *messages], conversation="a", max_tokens=6, temperature=0.0)]
    usage = pieces[-1].usage
    assert usage is not None
    return "".join(piece.text for piece in pieces), usage


async def at_once(chat: LlamaChat) -> LlamaChat:
    return chat


async def test_what_was_read_ahead_is_used_and_what_changed_is_read_again(recurrent: Path, tmp_path: Path) -> None:
    question, other = (Message(Role.USER, text) for text in ("what is this", "who are you"))
    async with (
        ComputeLane() as lane,
        aclosing(await LlamaChat.load(recurrent, lane, n_ctx=512, threads=1, cache_dir=tmp_path)) as chat,
    ):
        assert await chat.read_ahead(HEAD, conversation="a", shared=len(HEAD)) > 0
        reply, usage = await ask(chat, question)
        assert usage.prompt_tokens_read <= chat.count_tokens(question.content) + 8
        _, usage = await ask(chat, other)
        assert usage.prompt_tokens_read == usage.prompt_tokens, "the tail cannot be taken back"
        assert await chat.read_ahead(HEAD, conversation="a", shared=len(HEAD)) > 0
        assert (await ask(chat, question))[0] == reply
        slot: Slot[LlamaChat] = Slot("chat", "recurrent")
        await slot.fill(partial(at_once, chat))
        assert slot.shown() == ModelState("chat", "recurrent", "ready", CANNOT_CUT), "as /health tells"
    assert not any(tmp_path.glob("*")), "no head is kept of such a model"


async def test_a_live_turn_beside_a_job_leaves_both_right(recurrent: Path) -> None:
    async with ComputeLane() as lane, aclosing(await LlamaChat.load(recurrent, lane, n_ctx=1024, threads=1)) as chat:
        story = [Message(Role.USER, "once upon a time " * 100)]
        alone = await chat.complete(story, max_tokens=20)
        job = asyncio.create_task(chat.complete(story, max_tokens=20))
        while not job.done():
            await ask(chat, Message(Role.USER, "hello"))
        assert await job == alone


def test_doctor_says_what_turns_cost(recurrent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert can_cut(TINY)
    assert not can_cut(recurrent)
    told = {}
    for path in (TINY, recurrent):
        monkeypatch.setenv("LOBUG_MODEL__CHAT", str(path))
        told[path] = CliRunner().invoke(app, ["doctor", "--data-dir", str(tmp_path)]).output
    assert "a turn reads only what is new" in told[TINY]
    assert "reads the whole conversation again" in " ".join(told[recurrent].split())
