"""A chat model without weights that ends the process, or hangs, as native code does; for proofs."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

from edge_memory.errors import ModelFailed
from edge_memory.records import Message
from firmware_bridge.contracts import ReplyPiece, Usage
from firmware_bridge.deaths import label_of
from firmware_bridge.errors import InferenceError
from firmware_bridge.lane import ComputeLane, Limits, Priority

WAYS: Mapping[str, Callable[[], object]] = {
    "abort": os.abort,
    "segfault": partial(ctypes.string_at, 0),
    "bus error": partial(signal.raise_signal, signal.SIGBUS),
    "hang": partial(time.sleep, 3_600.0),
}
STAGES = ("loading", "reading", "writing", "ending", "memory")
_REPLY = "The sea is wide and deep"


class FaultyChat:
    """Whatever contains `trigger` breaks it at `stage`, one of STAGES. Give no work more than `seconds`."""

    context_tokens = 4_096

    def __init__(self, lane: ComputeLane, way: str, stage: str, trigger: str, seconds: float) -> None:
        self._lane = lane
        self._break = WAYS[way]
        self._stage = stage
        self._trigger = trigger
        self._limits = Limits(work=seconds)

    async def ready(self) -> FaultyChat:
        """Raises InferenceError."""
        if self._stage == "loading":
            await self._lane.run(Priority.LIVE, self._break, limits=self._limits, label=label_of("read", "faulty"))
        return self

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    async def reply(
        self, messages: Sequence[Message], *, conversation: str, max_tokens: int, temperature: float
    ) -> AsyncGenerator[ReplyPiece]:
        said = messages[-1].content.splitlines()[-1]
        steps = partial(self._steps, self._stage if self._trigger in said else "")
        stream = self._lane.stream(Priority.LIVE, steps, limits=self._limits, label=label_of("reply", said))
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                yield piece

    async def draft(
        self, messages: Sequence[Message], *, conversation: str, temperature: float, enough: Callable[[str], bool]
    ) -> str:
        return ""

    async def read_ahead(self, messages: Sequence[Message], *, conversation: str, shared: int) -> int:
        return 0

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
        cache_key: str | None = None,
    ) -> str:
        texts = [message.content for message in messages]
        deadly = self._stage == "memory" and any(self._trigger in text for text in texts)
        work, label = self._break if deadly else lambda: None, label_of("memory", *texts)
        try:
            await self._lane.run(Priority.MEMORY, work, limits=self._limits, label=label)
        except InferenceError as error:
            raise ModelFailed(error.message, error.hint) from error
        return "{}"

    def _steps(self, stage: str) -> Generator[ReplyPiece | None, None, None]:
        words = _REPLY.split()
        yield None
        if stage == "reading":
            self._break()
        for number, word in enumerate(words):
            if (stage, number) in (("writing", 1), ("ending", len(words) - 1)):
                self._break()
            yield ReplyPiece(f"{word} ")
        yield ReplyPiece("", Usage(1, 1, len(words), 0.0, "end"))
