"""What a command by voice is answered with, without the model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from edge_memory.memory import Memory
from edge_memory.records import Message, UserTurn
from firmware_bridge.contracts import Action


@dataclass(frozen=True, slots=True)
class Spoken:
    """`forgets` are the ids of what it promises to forget."""

    text: str
    action: Action = Action.RESPOND
    forgets: tuple[int, ...] = ()


Command = Callable[[Memory, UserTurn, Sequence[Message]], Awaitable[Spoken | None]]
"""Obeys a turn, given the messages before it, and says so; None when the turn is no such command."""
