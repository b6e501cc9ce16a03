"""The chat model in this process: live replies, and answers for memory work that give way to them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

from edge_memory.errors import ModelFailed
from edge_memory.records import Message
from firmware_bridge.contracts import ReplyPiece
from firmware_bridge.deaths import label_of, label_of_file
from firmware_bridge.errors import InferenceError
from firmware_bridge.inference.asked import Asked
from firmware_bridge.inference.context import Context, Sizes
from firmware_bridge.inference.footprint import CellType, check_memory
from firmware_bridge.inference.generation import Draft, Order, Writer
from firmware_bridge.inference.heads import HeadFile, fingerprint
from firmware_bridge.inference.kv import PrefixCache
from firmware_bridge.inference.model import CANNOT_CUT, Model
from firmware_bridge.inference.native import library_version
from firmware_bridge.inference.sampling import FreeSampler, Sampler, SchemaSampler
from firmware_bridge.inference.template import ChatTemplate
from firmware_bridge.lane import ComputeLane, Limits, Priority
from firmware_bridge.machine import default_threads

_SEQUENCES = 12
_HEAD = "head"  # the sequence of what all conversations begin with
_LIVE_STEP = 128  # tokens; larger steps read hardly faster
_DRAFT_TOKENS = 60
_BACKGROUND_STEP = 64  # what is lost when a live turn comes in the middle; costs a tenth of the reading speed
_REPLY_SECONDS = 120.0
_PATIENCE_SECONDS = 3_600.0  # memory work may wait through a long conversation

_log = logging.getLogger(__name__)


class LlamaChat:
    """A GGUF chat model on llama.cpp. Also an `edge_memory.protocols.ChatModel`.

    All its native work runs in the compute lane, and each conversation keeps what the model has read of it.
    """

    def __init__(self, model: Model, context: Context, lane: ComputeLane, heads: HeadFile | None = None) -> None:
        """For `load`, which is what others call."""
        self._model = model
        self._context = context
        self._lane = lane
        self._heads = heads
        self._template = ChatTemplate(model)
        self._cache = PrefixCache(context, _HEAD)
        # A recurrent memory that is stopped in the middle is lost as a whole: there a step is waited for.
        self._stop = None if model.is_recurrent else context.stop
        self._writer = Writer(model, context, self._cache)
        self._asked = Asked()  # replies and drafts of each conversation
        self._drafts: dict[str, Draft] = {}  # the newest of each conversation until its next reply; for the lane
        self._seen_head: tuple[int, list[int]] = (0, [])  # with its age, as HeadFile has it
        self._kept_head: tuple[int, list[int]] = (0, [])  # what the file on disk is of

    @classmethod
    async def load(
        cls,
        path: Path,
        lane: ComputeLane,
        *,
        n_ctx: int = 4096,
        threads: int | None = None,
        cells: CellType = "f16",
        cache_dir: Path | None = None,
    ) -> LlamaChat:
        """Reads the weights at `path` in the lane; takes seconds. `n_ctx` tokens are shared by all conversations.

        `threads` defaults to what suits this machine. The head's state is kept in `cache_dir`, which may be emptied at
        any time. Raises ModelUnusable or NotEnoughMemory.
        """

        def load() -> LlamaChat:
            check_memory(path, n_ctx, cells)
            model = Model(path)
            sizes = Sizes(n_ctx, _LIVE_STEP, _SEQUENCES, threads or default_threads(), cells)
            context = Context(model, sizes)
            heads = None
            if cache_dir is not None and not model.is_recurrent:
                kind = {"weights": fingerprint(path), "llama_cpp_python": library_version(), "cells": cells}
                heads = HeadFile(cache_dir, kind)
            return cls(model, context, lane, heads)

        return await lane.run(Priority.LIVE, load, label=label_of_file(path))

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self._model.name

    @property
    def limits(self) -> str:
        """What turns cost more with this model than with others; empty where nothing does."""
        return CANNOT_CUT if self._model.is_recurrent else ""

    @property
    def context_tokens(self) -> int:
        """The most tokens that a prompt and its reply may have together."""
        return self._writer.limit

    def count_tokens(self, text: str) -> int:
        """How many tokens `text` is as a message's content. Quick, and safe from any thread."""
        return self._template.count(text)

    async def reply(
        self,
        messages: Sequence[Message],
        *,
        conversation: str,
        max_tokens: int,
        temperature: float = 0.7,
        stop: Sequence[str] = (),
        time_limit: float | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[ReplyPiece]:
        """The live reply as it is written; only the last piece has `usage`. Close the iterator to end it early.

        Only what `messages` adds to the last prompt and reply of `conversation` is read. Temperature 0 always takes
        the likeliest token. A reply ends by itself ("end"), before one of the texts in `stop` ("stopped"), or after
        `max_tokens` or `time_limit` seconds, by default 120 ("length"). What `draft` wrote for the same messages and
        temperature is its beginning. With `schema` it is JSON of it, as far as it
        came, of the likeliest tokens. Raises SchemaUnusable if no reply can be held to it, PromptTooLong if prompt and
        `max_tokens` together exceed `context_tokens`, ModelBusy or ModelTooSlow when there is no first word for too
        long, otherwise InferenceError.
        """
        self._asked.note(conversation)
        time_limit = _REPLY_SECONDS if time_limit is None else time_limit
        order = Order(_key(conversation), max_tokens, _LIVE_STEP, tuple(stop), time_limit)
        steps = self._steps(
            order, messages, self._sampler(temperature, schema), temperature if schema is None else None
        )
        limits = Limits(wait=_REPLY_SECONDS, work=time_limit + _REPLY_SECONDS)
        label = label_of("reply", *messages[-1].content.splitlines()[-1:])  # what was said, whatever is remembered
        stream = self._lane.stream(
            Priority.LIVE, steps, then=Priority.REST, interrupt=self._stop, limits=limits, label=label, kin=order.key
        )
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                yield piece

    async def draft(
        self,
        messages: Sequence[Message],
        *,
        conversation: str,
        temperature: float,
        enough: Callable[[str], bool],
    ) -> str:
        """The beginning of a reply that may soon be asked for, written in idle time until there is `enough` of it.

        Empty where it does not come so far: anything live goes before it, and the next reply of the conversation ends
        it and goes on from there, if it is this one. Raises InferenceError.
        """
        steps = partial(self._drafted, messages, conversation, temperature, self._asked.note(conversation))
        label = label_of("reply", *messages[-1].content.splitlines()[-1:])
        kin = _key(conversation)
        stream = self._lane.stream(Priority.PREFILL, steps, interrupt=self._stop, label=label, kin=kin)
        text = ""
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                text += piece.text
                if enough(text) or (piece.usage is not None and piece.usage.stop_reason == "end"):
                    return text
        return ""

    async def read_ahead(self, messages: Sequence[Message], *, conversation: str, shared: int = 0) -> int:
        """Reads what the next prompt of `conversation` begins with if it goes on from `messages`, and drops from its
        sequence what is not in them. Returns how many tokens were read.

        The first `shared` messages are those that all conversations begin with: their state survives a restart.
        Anything live goes before it. A reply to the same conversation ends it; what was read until then stays read.
        Raises InferenceError.
        """
        steps = partial(self._ahead, messages, conversation, shared, self._asked.newest(conversation))
        label = label_of("ahead", *(message.content for message in messages))
        stream = self._lane.stream(Priority.PREFILL, steps, interrupt=self._stop, label=label)
        async with aclosing(stream) as pieces:
            read = sum([piece async for piece in pieces])
        await self._keep_head(messages[:shared])
        return read

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
        cache_key: str | None = None,
    ) -> str:
        """The whole answer, always the likeliest, written whenever no turn needs the model.

        With `schema`, text that parses as JSON of it. Prompts with the same `cache_key` share their beginning. Raises
        ModelFailed, also when `max_tokens` end the JSON too early.
        """
        sampler = self._sampler(0.0, schema)
        try:
            # What stays is the instruction: all that the next prompt of this kind begins with.
            keep = len(self._template.opening(messages[:-1])) if cache_key else 0
            order = Order(f"memory {cache_key or ''}", max_tokens, _BACKGROUND_STEP, keep=keep)
            steps = self._steps(order, messages, sampler)
            limits = Limits(wait=_PATIENCE_SECONDS)
            label = label_of("memory", *(message.content for message in messages))
            stream = self._lane.stream(Priority.MEMORY, steps, interrupt=self._stop, limits=limits, label=label)
            async with aclosing(stream):
                pieces = [piece async for piece in stream]
        except InferenceError as error:
            raise ModelFailed(error.message, error.hint) from error
        usage = pieces[-1].usage
        if schema is not None and usage is not None and usage.stop_reason != "end":
            raise ModelFailed(f"the JSON answer was longer than {max_tokens} tokens", "allow more tokens")
        return "".join(piece.text for piece in pieces)

    async def aclose(self) -> None:
        """Frees the model, in the lane; whoever still uses it gets InferenceError."""

        def free() -> None:
            self._context.close()
            self._model.close()

        await self._lane.run(Priority.LIVE, free)

    def _sampler(self, temperature: float, schema: Mapping[str, Any] | None) -> Callable[[], Sampler]:
        if schema is None:
            return partial(FreeSampler, self._model, temperature)
        return partial(SchemaSampler, self._model, schema)

    def _ahead(
        self, messages: Sequence[Message], conversation: str, shared: int, asked: int
    ) -> Generator[int | None, None, None]:
        tokens = self._template.opening(messages)
        if len(tokens) >= self._writer.limit:
            return  # the turn itself will say so
        draft = self._drafts.get(_key(conversation))
        if draft is not None and draft.goes_on_from(tokens) and self._cache.holds(_key(conversation), tokens):
            return  # what the draft read beyond them is what the reply goes on from
        for piece in self._reading(tokens, _key(conversation), messages[:shared]):
            yield piece
            if self._asked.newest(conversation) != asked:
                return

    def _reading(self, tokens: Sequence[int], key: str, shared: Sequence[Message]) -> Generator[int | None, None, None]:
        yield None  # a reply that was asked for in the same moment goes first
        if shared and not self._model.is_recurrent:
            head = self._template.opening(shared)
            if not self._cache.holds(_HEAD, head) and not self._restored(head):
                yield from self._writer.read_ahead(_HEAD, head, _BACKGROUND_STEP)
        yield from self._writer.read_ahead(key, tokens, _BACKGROUND_STEP)

    def _restored(self, head: Sequence[int]) -> bool:
        state = self._heads.load(head) if self._heads else None
        if state is None or not self._cache.restore(_HEAD, head, state):
            return False
        _log.info("the state of the prompt's head, %d tokens, was read from the cache", len(head))
        self._kept_head = (self._heads.age if self._heads else 0, list(head))
        return True

    async def _keep_head(self, messages: Sequence[Message]) -> None:
        """Writes the head's state to disk if it is not there and was the same twice, with nothing erased between."""
        heads = self._heads
        if heads is None or not messages:
            return

        age = heads.age

        def take() -> tuple[list[int], bytes] | None:
            head = self._template.opening(messages)
            seen, self._seen_head = self._seen_head, (age, head)
            if self._seen_head != seen or self._seen_head == self._kept_head or not self._cache.holds(_HEAD, head):
                return None
            self._cache.shorten(_HEAD, len(head))
            return head, self._cache.state(_HEAD)

        taken = await self._lane.run(Priority.PREFILL, take)
        if taken is not None:
            self._kept_head = (age, taken[0])
            await asyncio.to_thread(heads.store, *taken, age)

    def _drafted(
        self, messages: Sequence[Message], conversation: str, temperature: float, asked: int
    ) -> Generator[ReplyPiece | None, None, None]:
        if self._asked.newest(conversation) != asked:
            return
        draft = Draft(self._template.prompt(messages), temperature)
        order = Order(_key(conversation), _DRAFT_TOKENS, _BACKGROUND_STEP)
        self._drafts[order.key] = draft
        for piece in self._writer.write(order, draft.prompt, self._sampler(temperature, None)(), 0.0, draft.reply):
            if self._asked.newest(conversation) != asked:
                return
            yield piece

    def _steps(
        self,
        order: Order,
        messages: Sequence[Message],
        make_sampler: Callable[[], Sampler],
        temperature: float | None = None,
    ) -> Callable[[], Generator[ReplyPiece | None, None, None]]:
        """With a temperature, what was drafted at it is the beginning."""
        asked = time.perf_counter()

        def steps() -> Generator[ReplyPiece | None, None, None]:
            queue_ms = (time.perf_counter() - asked) * 1000
            prompt = self._template.prompt(messages)
            draft = self._drafts.pop(order.key, None)
            begun = []
            if draft is not None and draft.suits(prompt, temperature):
                begun = draft.reply[: order.max_tokens - 1]
            yield from self._writer.write(order, prompt, make_sampler(), queue_ms, begun)

        return steps


def _key(conversation: str) -> str:
    return f"live {conversation}"
