"""A reply model without weights, for tests and soak runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any

from edge_memory.records import Message
from firmware_bridge.contracts import ReplyPiece, Usage


class ScriptedReplies:
    """Replies word by word with what `script` makes of the messages; what the script raises breaks the reply off.

    `prompts` keeps every prompt that was read, `ahead` every conversation and what was read of it in advance, `drafted`
    the prompts of replies that were begun before they were asked for. Reading ahead fails once with `ahead_fails`.
    """

    def __init__(self, script: Callable[[Sequence[Message]], str], seconds_per_word: float = 0.0) -> None:
        self._script = script
        self._seconds_per_word = seconds_per_word
        self.prompts: list[list[Message]] = []
        self.drafted: list[list[Message]] = []
        self.ahead: list[tuple[str, list[Message]]] = []
        self.ahead_fails: Exception | None = None
        self.under_way = 0  # replies that are being written
        self._held_after = 0
        self._going = asyncio.Event()
        self._going.set()

    context_tokens = 4_096

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def hold(self, after_words: int = 0) -> None:
        """No reply gets beyond so many words, until `go_on`."""
        self._held_after = after_words
        self._going.clear()

    def go_on(self) -> None:
        self._going.set()

    async def ready(self) -> ScriptedReplies:
        return self

    async def reply(
        self,
        messages: Sequence[Message],
        *,
        conversation: str,
        max_tokens: int,
        temperature: float,
        stop: Sequence[str] = (),
        schema: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[ReplyPiece]:
        self.prompts.append(list(messages))
        words = self._script(messages).split()
        self.under_way += 1
        try:
            for written, word in enumerate(words):
                await self._pause(written)
                yield ReplyPiece(f"{word} ")
        finally:
            self.under_way -= 1
        read = sum(len(message.content.split()) for message in messages)
        yield ReplyPiece("", Usage(read, read, len(words), 0.0, "end"))

    async def draft(
        self, messages: Sequence[Message], *, conversation: str, temperature: float, enough: Callable[[str], bool]
    ) -> str:
        self.drafted.append(list(messages))
        text = ""
        for written, word in enumerate(self._script(messages).split()):
            await self._pause(written)
            text += f"{word} "
            if enough(text):
                break
        return text

    async def read_ahead(self, messages: Sequence[Message], *, conversation: str, shared: int) -> int:
        failure, self.ahead_fails = self.ahead_fails, None
        if failure is not None:
            raise failure
        self.ahead.append((conversation, list(messages)))
        return 0

    async def _pause(self, written: int) -> None:
        if written >= self._held_after:
            await self._going.wait()
        await asyncio.sleep(self._seconds_per_word)
