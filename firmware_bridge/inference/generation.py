"""Reading a prompt and writing the reply, in steps between which the model may be used for something else."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from firmware_bridge.contracts import ReplyPiece, Usage
from firmware_bridge.errors import PromptTooLong
from firmware_bridge.inference.context import Context
from firmware_bridge.inference.kv import PrefixCache
from firmware_bridge.inference.model import Model
from firmware_bridge.inference.sampling import Sampler
from firmware_bridge.inference.text import ReplyText


@dataclass(frozen=True, slots=True)
class Order:
    """One reply to be written. `key` names the sequence to keep it in, `step_tokens` bounds what one step reads."""

    key: str
    max_tokens: int
    step_tokens: int
    stop: tuple[str, ...] = ()
    time_limit: float | None = None  # seconds, from the first step on
    keep: int | None = None  # tokens of the prompt that its sequence holds on to afterwards; None: all


@dataclass(frozen=True, slots=True)
class Draft:
    """The beginning of a reply that nobody has asked for yet, in tokens."""

    prompt: list[int]
    temperature: float
    reply: list[int] = field(default_factory=list)

    def suits(self, prompt: Sequence[int], temperature: float | None) -> bool:
        return self.prompt == prompt and self.temperature == temperature

    def goes_on_from(self, tokens: Sequence[int]) -> bool:
        return self.prompt[: len(tokens)] == list(tokens)


class Writer:
    """Model, context and prefix cache. Its steps must all run in one thread."""

    def __init__(self, model: Model, context: Context, cache: PrefixCache) -> None:
        self._model = model
        self._context = context
        self._cache = cache
        self.limit = min(context.n_ctx, model.trained_context or context.n_ctx)

    def write(
        self, order: Order, prompt: Sequence[int], sampler: Sampler, queue_ms: float, begun: list[int]
    ) -> Generator[ReplyPiece | None, None, None]:
        """Yields the reply piece by piece, None after steps that gave no text; the last piece has the usage.

        `begun` are tokens of the reply that were written before; those that are written now are added to them. May be
        closed at any point. Raises PromptTooLong, or InferenceError if the model fails.
        """
        self._check_length(order, len(prompt))
        try:
            yield from self._write(order, prompt, sampler, queue_ms, begun)
        finally:
            if order.keep is not None:
                self._cache.shorten(order.key, order.keep)

    def read_ahead(self, key: str, tokens: Sequence[int], step_tokens: int) -> Generator[int | None, None, None]:
        """Has the sequence of `key` hold `tokens` and nothing else; yields how many had to be read, at last."""
        read = 0
        while True:
            progress = self._cache.read_ahead(key, tokens, step_tokens)
            read += progress.read
            if not progress.missing:
                break
            yield None
        yield read

    def _write(
        self, order: Order, prompt: Sequence[int], sampler: Sampler, queue_ms: float, reply: list[int]
    ) -> Generator[ReplyPiece | None, None, None]:
        began = time.perf_counter()
        deadline = time.monotonic() + order.time_limit if order.time_limit is not None else None
        tokens, before = [*prompt, *reply], len(reply)
        text = ReplyText(order.stop)
        if shown := "".join(text.feed(self._model.piece(token)) for token in reply):
            yield ReplyPiece(shown)
        read, read_ms = 0, 0.0
        while True:
            read += yield from self._read(order, tokens)
            read_ms = read_ms or (time.perf_counter() - began) * 1e3
            written = len(tokens) - len(prompt)
            token = sampler.choose(self._context)
            if self._model.ends_reply(token):
                shown, reason = "", "end"
                break
            tokens.append(token)
            reply.append(token)
            shown = text.feed(self._model.piece(token))
            if text.stopped:
                reason = "stopped"
                break
            if written + 1 >= order.max_tokens or (deadline is not None and time.monotonic() > deadline):
                reason = "length"
                break
            yield ReplyPiece(shown) if shown else None
        usage = Usage(len(prompt), read - (written - before), len(tokens) - len(prompt), queue_ms, reason, read_ms)
        yield ReplyPiece(shown + text.end(), usage)

    def _read(self, order: Order, tokens: Sequence[int]) -> Generator[None, None, int]:
        """Reads what the cache lacks of `tokens`; returns how many that were."""
        read = 0
        while True:
            progress = self._cache.extend(order.key, tokens, order.step_tokens)
            read += progress.read
            if not progress.missing:
                return read
            yield None

    def _check_length(self, order: Order, prompt_tokens: int) -> None:
        if prompt_tokens + order.max_tokens > self.limit:
            raise PromptTooLong(
                f"a prompt of {prompt_tokens} tokens and a reply of {order.max_tokens} do not fit"
                f" the {self.limit} tokens of the model's context",
                "say less at once, or choose a larger context",
            )
