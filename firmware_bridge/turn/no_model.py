"""What stands in for the chat model in turns that rules alone answer, while there is none."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from edge_memory.records import Message
from firmware_bridge.contracts import ReplyPiece
from firmware_bridge.errors import ModelLoading


class NoModel:
    """A ReplyModel that says so when it is needed after all."""

    context_tokens = 0

    def count_tokens(self, text: str) -> int:
        """Raises ModelLoading."""
        raise _loading()

    def reply(
        self, messages: Sequence[Message], *, conversation: str, max_tokens: int, temperature: float
    ) -> AsyncIterator[ReplyPiece]:
        """Raises ModelLoading."""
        raise _loading()

    async def draft(
        self, messages: Sequence[Message], *, conversation: str, temperature: float, enough: Callable[[str], bool]
    ) -> str:
        return ""

    async def read_ahead(self, messages: Sequence[Message], *, conversation: str, shared: int) -> int:
        return 0


def _loading() -> ModelLoading:
    return ModelLoading("the chat model is not there yet", "try again in some seconds; /health tells when")
