"""Reading ahead, stopping in the middle, and heads on disk, on the real tiny model."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from pathlib import Path

import pytest
import pytest_asyncio
from lane_begun import begun

from edge_memory.records import Message, Role
from firmware_bridge.contracts import Usage
from firmware_bridge.inference import LlamaChat
from firmware_bridge.inference.heads import HeadFile, discard_heads, fingerprint
from firmware_bridge.lane import ComputeLane, Priority

MODELS = Path(__file__).parents[2] / "models"
TINY = MODELS / "SmolLM2-135M-Instruct.Q4_1.gguf"

pytestmark = [
    pytest.mark.weights,
    pytest.mark.skipif(not TINY.exists(), reason=f"{TINY.name} is not in models/: lobug models pull"),
    pytest.mark.asyncio(loop_scope="module"),
]

HEAD = (
    Message(Role.SYSTEM, "You are Lo-Bug. Answer in one short sentence, and do not make things up."),
    Message(Role.USER, "hello"),
    Message(Role.ASSISTANT, "Hello! What can I do for you?"),
)
TAIL = "[Relevant memories]\n- The user's cat is called Pixel\n[Current physical state: battery {}%]\n\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def lane() -> AsyncIterator[ComputeLane]:
    async with ComputeLane() as lane:
        yield lane


async def load(lane: ComputeLane, cache_dir: Path | None = None, n_ctx: int = 1024, **options: object) -> LlamaChat:
    return await LlamaChat.load(TINY, lane, n_ctx=n_ctx, threads=1, cache_dir=cache_dir, **options)


async def ask(chat: LlamaChat, messages: Sequence[Message], conversation: str = "a") -> tuple[str, Usage]:
    pieces = [p async for p in chat.reply(messages, conversation=conversation, max_tokens=12, temperature=0.0)]
    usage = pieces[-1].usage
    assert usage is not None
    return "".join(piece.text for piece in pieces), usage


class Talk:
    """A conversation whose tail changes with every turn, as the companion's does."""

    def __init__(self, chat: LlamaChat, name: str) -> None:
        self.chat, self.name = chat, name
        self.history: list[Message] = []

    async def turn(self, text: str) -> tuple[Usage, int]:
        """What it cost, and the tokens of tail and words."""
        newest = TAIL.format(90 - len(self.history)) + text
        reply, usage = await ask(self.chat, [*HEAD, *self.history, Message(Role.USER, newest)], self.name)
        self.history += [Message(Role.USER, text), Message(Role.ASSISTANT, reply.strip())]
        return usage, self.chat.count_tokens(newest)

    async def read_ahead(self) -> int:
        return await self.chat.read_ahead([*HEAD, *self.history], conversation=self.name, shared=len(HEAD))


async def test_a_turn_reads_its_tail_and_words_alone_also_after_a_trim_and_beside_another(lane: ComputeLane) -> None:
    async with aclosing(await load(lane)) as chat:
        talks = [Talk(chat, "a"), Talk(chat, "b")]
        for talk in talks:
            await talk.read_ahead()
        for number in range(4):
            for talk in talks:
                usage, words = await talk.turn(f"what does {talk.name} think of number {number}")
                assert usage.prompt_tokens_read <= words + 8
                if number == 2:
                    del talk.history[:2]
                assert await talk.read_ahead() > 0
                assert await talk.read_ahead() == 0


QUESTIONS = (
    "Tell me about the moon.",
    "What is your name?",
    "Write one line about rain.",
    "Why is the sky blue?",
    "Count from one to five.",
    "What should I cook tonight?",
    "Is it going to snow? " * 6,
    "Say good night.",
)


async def test_greedy_replies_after_what_was_read_before_are_those_of_a_fresh_context(lane: ComputeLane) -> None:
    """The same batches: what is read ahead ends where the live turn begins."""

    async def reply(chat: LlamaChat, text: str, conversation: str) -> tuple[str, int]:
        await chat.read_ahead(HEAD, conversation=conversation, shared=0)
        said, usage = await ask(chat, [*HEAD, Message(Role.USER, text)], conversation)
        return said, usage.prompt_tokens_read

    fresh = []
    for question in QUESTIONS:
        async with aclosing(await load(lane)) as chat:
            fresh.append(await reply(chat, question, "a"))
    async with aclosing(await load(lane)) as chat:
        cached = [await reply(chat, question, "ab"[number % 2]) for number, question in enumerate(QUESTIONS)]
    assert cached == fresh


async def test_a_reply_goes_on_from_its_draft_and_says_what_it_would_have_said(lane: ComputeLane) -> None:
    question = [*HEAD, Message(Role.USER, "Tell me about the moon.")]
    async with aclosing(await load(lane)) as chat:
        plain, _ = await ask(chat, question)
        drafted = await chat.draft(question, conversation="b", temperature=0.0, enough=lambda text: len(text) > 8)
        assert plain.startswith(drafted)
        assert len(drafted) > 8
        reply, usage = await ask(chat, question, "b")
        assert reply == plain
        assert usage.prompt_tokens_read <= 1
        assert usage.reply_tokens == 12, "what was drafted counts"


async def test_reading_ahead_leaves_a_draft_what_it_has_read(lane: ComputeLane) -> None:
    question = [*HEAD, Message(Role.USER, "Tell me about the moon.")]
    async with aclosing(await load(lane)) as chat:
        await chat.draft(question, conversation="b", temperature=0.0, enough=lambda text: len(text) > 8)
        await chat.read_ahead(HEAD, conversation="b", shared=len(HEAD))
        _, usage = await ask(chat, question, "b")
        assert usage.prompt_tokens_read <= 1
        told = [*question, Message(Role.ASSISTANT, "It is far away.")]
        assert await chat.read_ahead(told, conversation="b", shared=len(HEAD)) > 0, "the draft is over"


async def test_a_draft_makes_no_reply_longer_than_asked(lane: ComputeLane) -> None:
    question = [*HEAD, Message(Role.USER, "Tell me about the moon.")]
    async with aclosing(await load(lane)) as chat:
        plain, _ = await ask(chat, question)
        drafted = await chat.draft(question, conversation="b", temperature=0.0, enough=lambda text: len(text) > 80)
        assert len(drafted) > len(plain)
        reply, usage = await ask(chat, question, "b")
        assert (reply, usage.reply_tokens) == (plain, 12)


async def test_a_draft_of_something_else_is_no_beginning(lane: ComputeLane) -> None:
    question = [*HEAD, Message(Role.USER, "Tell me about the moon.")]
    async with aclosing(await load(lane)) as chat:
        plain, _ = await ask(chat, question)
        await chat.draft([*HEAD, Message(Role.USER, "good")], conversation="b", temperature=0.0, enough=bool)
        assert (await ask(chat, question, "b"))[0] == plain


async def test_a_reply_ends_the_draft_that_is_being_written(lane: ComputeLane) -> None:
    question = [*HEAD, Message(Role.USER, "Tell me about the moon.")]
    begun = asyncio.Event()

    def never_enough(text: str) -> bool:
        begun.set()
        return False

    async with aclosing(await load(lane)) as chat:
        plain, _ = await ask(chat, question)
        drafting = asyncio.create_task(chat.draft(question, conversation="b", temperature=0.0, enough=never_enough))
        await begun.wait()
        assert not drafting.done()
        assert (await ask(chat, question, "b"))[0] == plain
        assert await drafting == ""


async def test_a_reply_cuts_reading_ahead_short_and_keeps_what_was_read(lane: ComputeLane) -> None:
    long = [*HEAD, Message(Role.USER, "once upon a time " * 150), Message(Role.ASSISTANT, "And then?")]
    async with aclosing(await load(lane, n_ctx=2048)) as chat:
        reading = asyncio.create_task(chat.read_ahead(long, conversation="a", shared=len(HEAD)))
        await begun(lane, Priority.PREFILL)
        _, usage = await ask(chat, [*HEAD, Message(Role.USER, "good evening")])
        assert await reading < 600
        _, usage = await ask(chat, [*HEAD, Message(Role.USER, "good evening")])
        assert usage.prompt_tokens_read == 1, "the reply's own sequence was left alone"


async def test_a_live_turn_does_not_wait_for_background_work_that_has_begun(lane: ComputeLane) -> None:
    job_prompt = [Message(Role.USER, "List what a household robot could do, in detail. " * 120)]
    async with aclosing(await load(lane, n_ctx=2048)) as chat:
        await ask(chat, HEAD[:2])
        job = asyncio.create_task(chat.complete(job_prompt, max_tokens=1))
        await begun(lane, Priority.MEMORY)
        await ask(chat, HEAD[:2])
        assert not job.done(), "it has read some of a thousand tokens"
        assert await job


async def test_a_restart_does_not_read_the_head_again(
    lane: ComputeLane, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with aclosing(await load(lane, tmp_path)) as chat:
        await chat.read_ahead(HEAD, conversation="a", shared=len(HEAD))
        read = (await ask(chat, [*HEAD, Message(Role.USER, "good evening")]))[0]
        await chat.read_ahead(HEAD, conversation="a", shared=len(HEAD))
    async with aclosing(await load(lane, tmp_path)) as chat:
        assert await chat.read_ahead(HEAD, conversation="a", shared=len(HEAD)) == 0
        assert "read from the cache" in caplog.text
        restored = (await ask(chat, [*HEAD, Message(Role.USER, "good evening")]))[0]
    assert restored == read


async def test_what_was_erased_is_in_no_head_that_is_stored_later(lane: ComputeLane, tmp_path: Path) -> None:
    file = tmp_path / "head.kv"
    async with aclosing(await load(lane, tmp_path)) as chat:
        await chat.read_ahead(HEAD, conversation="a", shared=len(HEAD))
        discard_heads(tmp_path)
        await chat.read_ahead(HEAD, conversation="a", shared=len(HEAD))
        assert not file.exists(), "it may have been made of what was erased"
        await chat.read_ahead(HEAD, conversation="a", shared=len(HEAD))
        assert file.exists()
        discard_heads(tmp_path)
        for _ in range(2):
            await chat.read_ahead(HEAD, conversation="a", shared=len(HEAD))
        assert file.exists(), "it is kept again"


async def test_a_state_that_was_taken_before_an_erasure_is_not_stored_after_it(tmp_path: Path) -> None:
    heads = HeadFile(tmp_path, {"weights": "w"})
    before = heads.age
    heads.store([1, 2], b"cells", before)
    assert heads.load([1, 2]) == b"cells"
    discard_heads(tmp_path)
    heads.store([1, 2], b"cells", before)
    assert heads.load([1, 2]) is None
    heads.store([1, 2], b"cells", heads.age)
    assert heads.load([1, 2]) == b"cells"


async def test_a_state_of_other_weights_is_not_trusted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Of the same size and time, with one byte changed at the end."""
    caplog.set_level("INFO")
    ours, others = tmp_path / "ours.gguf", tmp_path / "others.gguf"
    ours.write_bytes(bytes(3_000_000))
    others.write_bytes(bytes(2_999_999) + b"\1")
    for path in (ours, others):
        os.utime(path, (1.0, 1.0))
    heads, foreign = (HeadFile(tmp_path, {"weights": fingerprint(path)}) for path in (ours, others))
    heads.store([1, 2], b"cells", heads.age)
    assert foreign.load([1, 2]) is None
    assert "it is of other weights" in caplog.text
    assert heads.load([1, 2]) == b"cells"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


async def ahead_with(lane: ComputeLane, cache_dir: Path, **options: object) -> int:
    async with aclosing(await load(lane, cache_dir, **options)) as chat:
        await chat.read_ahead(HEAD, conversation="a", shared=len(HEAD))
        read = await chat.read_ahead([*HEAD, *HEAD[1:]], conversation="a", shared=len(HEAD))
        assert (await ask(chat, HEAD[:2]))[0]
        return read


@pytest.mark.parametrize("at", [5, 150, -1000, -1], ids=["label", "hash", "cells", "last byte"])
async def test_a_flipped_byte_in_a_kept_head_is_noticed(
    lane: ComputeLane, kept: Path, caplog: pytest.LogCaptureFixture, at: int
) -> None:
    caplog.set_level("DEBUG")
    file = kept / "head.kv"
    if not file.exists():
        await ahead_with(lane, kept)
    whole = file.read_bytes()
    damaged = bytearray(whole)
    damaged[at] ^= 1
    file.write_bytes(damaged)
    await ahead_with(lane, kept)
    assert "is ignored" in caplog.text
    assert "read from the cache" not in caplog.text
    assert file.read_bytes() == whole, "it was written anew"


async def test_a_kept_head_of_other_cells_or_cut_short_is_not_trusted(
    lane: ComputeLane, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    await ahead_with(lane, tmp_path)
    await ahead_with(lane, tmp_path, cells="q8_0")
    assert "it is of other cells" in caplog.text
    file = tmp_path / "head.kv"
    file.write_bytes(file.read_bytes()[:-500])
    await ahead_with(lane, tmp_path, cells="q8_0")
    assert "it is damaged" in caplog.text


async def test_a_cache_folder_that_cannot_be_written_costs_nothing_else(lane: ComputeLane, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert await ahead_with(lane, tmp_path / "cache") > 0


async def test_stopping_in_the_middle_of_a_batch_leaves_the_scores_as_they_were() -> None:
    import numpy as np

    from firmware_bridge.inference.context import Context, ReadResult, Sizes
    from firmware_bridge.inference.model import Model

    tokens = list(range(1000, 1640))  # of which the second batch takes far longer than until it is stopped

    def context() -> Context:
        return Context(Model(TINY), Sizes(1024, 512, sequences=2, threads=1))

    stopped = context()
    assert stopped.read(0, tokens[:128], 0) is ReadResult.DONE
    threading.Timer(0.02, stopped.stop.set).start()
    assert stopped.read(0, tokens[128:], 128) is ReadResult.STOPPED
    assert stopped.length(0) == 128
    stopped.stop.clear()
    assert stopped.read(0, tokens[128:], 128) is ReadResult.DONE
    straight = context()
    straight.read(0, tokens[:128], 0)
    straight.read(0, tokens[128:], 128)
    assert np.array_equal(stopped.logits(), straight.logits())
