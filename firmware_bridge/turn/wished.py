"""What an utterance may wish: of reminders and timers, and of memory itself."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.turn.moment import Moment


@dataclass(frozen=True, slots=True)
class Remind:
    """`moment` is None when they did not say when, or none that there is. `lead` is the word before what they want to
    be told. `repeats`: they want it again and again.
    """

    text: str
    lead: str
    moment: Moment | None
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Time:
    """`seconds` is None when they did not say how long."""

    text: str
    seconds: float | None


@dataclass(frozen=True, slots=True)
class CallOff:
    """Those of a kind ("timer" or "reminder") that share one of the words; any if there are none."""

    kind: str
    words: frozenset[str]
    every: bool


@dataclass(frozen=True, slots=True)
class AskWaiting:
    kind: str


Wished = Remind | Time | CallOff | AskWaiting


@dataclass(frozen=True, slots=True)
class Learn:
    """What is to be remembered, in the user's words."""

    what: str


@dataclass(frozen=True, slots=True)
class Recall:
    """Everything about a topic, or about the user when it is empty."""

    topic: str


class Count:
    """How much is remembered."""


class Doubts:
    """What waits for the user's word."""


class EraseAll:
    """That nothing of the user is to be remembered."""


@dataclass(frozen=True, slots=True)
class Happened:
    """What is to be kept as an episode, in the user's words."""

    what: str


@dataclass(frozen=True, slots=True)
class Way:
    """How something is done, step by step."""

    name: str
    steps: tuple[str, ...]


class TidyUp:
    """That memory is to be consolidated."""


MemoryWish = Learn | Recall | Count | Doubts | EraseAll | Happened | Way | TidyUp
