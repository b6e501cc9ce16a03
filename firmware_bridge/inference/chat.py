"""The chat model in this process: live replies, and answers for memory work that give way to them."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

from edge_memory.errors import ModelFailed
from edge_memory.records import Message
from firmware_bridge.contracts import ReplyPiece
from firmware_bridge.errors import InferenceError
from firmware_bridge.inference.context import Context
from firmware_bridge.inference.footprint import check_memory
from firmware_bridge.inference.generation import Order, Writer
from firmware_bridge.inference.model import Model
from firmware_bridge.inference.native import default_threads
from firmware_bridge.inference.sampling import FreeSampler, Sampler, SchemaSampler
from firmware_bridge.inference.template import ChatTemplate
from firmware_bridge.lane import ComputeLane, Priority

_SEQUENCES = 4
_LIVE_STEP = 128  # tokens; larger steps read hardly faster
_MEMORY_STEP = 32  # the longest that a live turn has to wait for; costs background reading about a fifth of its speed


class LlamaChat:
    """A GGUF chat model on llama.cpp. Also an `edge_memory.protocols.ChatModel`.

    All its native work runs in the compute lane, and each conversation keeps what the model has read of it.
    """

    def __init__(self, model: Model, context: Context, lane: ComputeLane) -> None:
        """For `load`, which is what others call."""
        self._model = model
        self._context = context
        self._lane = lane
        self._template = ChatTemplate(model)
        self._writer = Writer(model, context)

    @classmethod
    async def load(cls, path: Path, lane: ComputeLane, *, n_ctx: int = 4096, threads: int | None = None) -> LlamaChat:
        """Reads the weights at `path` in the lane; takes seconds. `n_ctx` tokens are shared by all conversations.

        `threads` defaults to what suits this machine. Raises ModelUnusable or NotEnoughMemory.
        """

        def load() -> LlamaChat:
            check_memory(path, n_ctx)
            model = Model(path)
            sizes = {"n_ctx": n_ctx, "n_batch": _LIVE_STEP, "sequences": _SEQUENCES}
            context = Context(model, **sizes, threads=threads or default_threads())
            return cls(model, context, lane)

        return await lane.run(Priority.LIVE, load)

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self._model.name

    @property
    def context_tokens(self) -> int:
        """The most tokens that a prompt and its reply may have together."""
        return self._writer.limit

    def count_tokens(self, text: str) -> int:
        """How many tokens `text` is as a message's content. Quick, and safe from any thread."""
        return len(self._model.tokenize(text))

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
        `max_tokens` or `time_limit` seconds ("length"). With `schema` it is JSON of it, as far as it came, of the
        likeliest tokens. Raises SchemaUnusable if no reply can be held to it, PromptTooLong if prompt and `max_tokens`
        together exceed `context_tokens`, otherwise InferenceError.
        """
        order = Order(f"live {conversation}", max_tokens, _LIVE_STEP, tuple(stop), time_limit)
        sampler = self._sampler(temperature, schema)
        async with aclosing(self._lane.stream(Priority.LIVE, self._steps(order, messages, sampler))) as pieces:
            async for piece in pieces:
                yield piece

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
        order = Order(f"memory {cache_key or ''}", max_tokens, _MEMORY_STEP)
        sampler = self._sampler(0.0, schema)
        try:
            async with aclosing(self._lane.stream(Priority.MEMORY, self._steps(order, messages, sampler))) as stream:
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

    def _steps(
        self, order: Order, messages: Sequence[Message], make_sampler: Callable[[], Sampler]
    ) -> Callable[[], Generator[ReplyPiece | None, None, None]]:
        asked = time.perf_counter()

        def steps() -> Generator[ReplyPiece | None, None, None]:
            queue_ms = (time.perf_counter() - asked) * 1000
            prompt = self._template.prompt(messages)
            yield from self._writer.write(order, prompt, make_sampler(), queue_ms=queue_ms)

        return steps
