"""How turns are answered, and what writes their replies."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from edge_memory.records import Message
from firmware_bridge.contracts import ReplyPiece
from firmware_bridge.turn.commands import Command
from firmware_bridge.turn.injection import Injection
from firmware_bridge.turn.prompt import Order, Persona


class ReplyModel(Protocol):
    @property
    def context_tokens(self) -> int:
        """The most tokens that a prompt and its reply may have together."""

    def count_tokens(self, text: str) -> int: ...

    def reply(
        self, messages: Sequence[Message], *, conversation: str, max_tokens: int, temperature: float
    ) -> AsyncIterator[ReplyPiece]:
        """The reply in pieces; the last one has the usage. Raises InferenceError."""

    async def draft(
        self, messages: Sequence[Message], *, conversation: str, temperature: float, enough: Callable[[str], bool]
    ) -> str:
        """The beginning of a reply that may soon be asked for, written in idle time until there is `enough` of it; the
        reply to the same messages then goes on from there. Empty where it does not come so far. Raises InferenceError.
        """

    async def read_ahead(self, messages: Sequence[Message], *, conversation: str, shared: int) -> int:
        """Reads what the next prompt of `conversation` begins with if it goes on from `messages`; returns how many
        tokens that took. The first `shared` messages are those of every conversation. Gives way to whatever is live,
        and ends when the conversation goes on. Raises InferenceError.
        """


@dataclass(frozen=True, slots=True)
class Manner:
    """How turns are answered."""

    persona: Persona
    order: Order
    max_reply_tokens: int
    temperature: float
    grounded: bool = True
    injection: Injection = field(default_factory=Injection)
    commands: tuple[Command, ...] = ()  # beside those that need nothing but memory
