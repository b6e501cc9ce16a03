"""Turns and what is said in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

Relations = Mapping[str, tuple[str, ...]]
"""The names behind each kin word, as the user told them ("daughter": "Mia")."""


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One message as a chat model reads it."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class UserTurn:
    """What the user said, before anything is made of it. `heard_at` is Unix time in seconds.

    `speaker` names who spoke in a dialogue that others had; None is the user. `by_guest`: somebody whom nobody knows
    speaks under the user's name, and is asked and told nothing of what waits for the user's word.
    """

    turn_id: str
    session_id: str
    user_id: str
    text: str
    heard_at: float
    device_id: str | None = None
    speaker: str | None = None
    by_guest: bool = False


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A row of the conversation log. Order comes from `id`, never from `created_at`."""

    id: int
    turn_id: str
    role: Role
    content: str
    session_id: str
    user_id: str
    action: str
    created_at: float
    device_id: str | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class TurnHit:
    """What was said in a turn, found by a query. `why` names each signal and what it added to `score`."""

    message: StoredMessage
    score: float
    why: dict[str, float]


@dataclass(frozen=True, slots=True)
class Summary:
    """What some messages of a conversation said, in a few sentences."""

    id: int
    content: str
