"""What the model reads in a turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from edge_memory.records import Language, Message, Record, Role, StoredMessage
from firmware_bridge.phrases import PHRASES, Phrases
from firmware_bridge.turn.injection import NO_BRACKETS, Injection

Order = Literal["tail", "seed"]

_MOST_READING_WORDS = 6  # with its name; more are sentences, which no sensor has to say
_MESSAGE_TOKENS = 8  # what a chat template adds to a message, rounded up


@dataclass(frozen=True, slots=True)
class Persona:
    name: str
    manner: str
    language: Language = Language.ENGLISH

    def head(self) -> str:
        phrases = self.phrases
        return f"{phrases.you_are.format(name=self.name, manner=self.manner)} {phrases.agency}"

    @property
    def phrases(self) -> Phrases:
        return PHRASES[self.language]

    @property
    def examples(self) -> list[Message]:
        """Small models follow examples better than instructions. They stand before every conversation."""
        roles = (Role.USER, Role.ASSISTANT)
        return [Message(role, text) for pair in self.phrases.examples for role, text in zip(roles, pair, strict=True)]


@dataclass(frozen=True, slots=True)
class PromptParts:
    """Everything that one prompt is made of. Empty parts leave no section.

    `baseline` holds in every turn and stands with base memory, `memories` are for this turn alone.
    """

    persona: Persona
    base_memory: str
    memories: Sequence[Record | StoredMessage]
    sensors: Mapping[str, object]
    history: Sequence[Message]
    text: str
    reminder: str = ""
    baseline: Sequence[Record] = ()
    injection: Injection = field(default_factory=Injection)


def build_prompt(parts: PromptParts, order: Order) -> list[Message]:
    """`tail` puts what changes from turn to turn right before the newest message, so that everything above it can
    stay in the KV cache; `seed` puts it into the system prompt.
    """
    preamble = parts.injection.preamble(parts.memories)
    changing = ["" if preamble else _relevant(parts), _physical(parts.sensors, parts.persona.phrases.physical)]
    asked = [parts.reminder, parts.text]
    above, newest = (changing, asked) if order == "seed" else ([], changing + asked)
    return [*beginning(parts, above), *preamble, Message(Role.USER, _join(newest))]


def beginning(parts: PromptParts, above: Sequence[str] = ()) -> list[Message]:
    """What a prompt begins with whatever is said next. `above` are sections that the system prompt has beside."""
    system = _join([parts.persona.head(), _long_term(parts), *above])
    return [Message(Role.SYSTEM, system), *parts.persona.examples, *parts.history]


def fit_prompt(parts: PromptParts, order: Order, count_tokens: Callable[[str], int], budget: int) -> PromptParts:
    """What is left within `budget` tokens: the oldest half of the history goes first, again and again, then sensors,
    then memories, then the baseline. It may still be too long; the model says so.
    """
    while _tokens(parts, order, count_tokens) > budget:
        if parts.history:
            parts = replace(parts, history=_newer_half(parts.history))
        elif parts.sensors:
            parts = replace(parts, sensors={})
        elif parts.memories:
            parts = replace(parts, memories=parts.memories[:-1])
        elif parts.baseline:
            parts = replace(parts, baseline=parts.baseline[:-1])
        else:
            break
    return parts


def fit_history(parts: PromptParts, order: Order, count_tokens: Callable[[str], int], budget: int) -> PromptParts:
    """As much of the newest history as there is room for. It goes by halves, as working memory does, because each time
    that the oldest message changes the model reads all of it anew.
    """
    while parts.history and _tokens(parts, order, count_tokens) > budget:
        parts = replace(parts, history=_newer_half(parts.history))
    return parts


def _newer_half(history: Sequence[Message]) -> Sequence[Message]:
    """No reply stays without what it was a reply to."""
    half = (len(history) + 1) // 2
    while half < len(history) and history[half].role is not Role.USER:
        half += 1
    return history[half:]


def _tokens(parts: PromptParts, order: Order, count_tokens: Callable[[str], int]) -> int:
    return sum(count_tokens(message.content) + _MESSAGE_TOKENS for message in build_prompt(parts, order))


def _long_term(parts: PromptParts) -> str:
    """Base memory, and of the baseline what base memory does not tell already."""
    base_memory = parts.base_memory.translate(NO_BRACKETS)
    known = set(base_memory.splitlines())
    lines = [line for line in map(parts.injection.line, parts.baseline) if line not in known]
    told = [base_memory, "\n".join((parts.persona.phrases.always, *lines)) if lines else ""]
    section = "\n".join(part for part in told if part)
    return f"[{parts.persona.phrases.long_term}]\n{section}" if section else ""


def _relevant(parts: PromptParts) -> str:
    title = parts.persona.phrases.relevant
    return f"[{title}]\n{parts.injection.lines(parts.memories)}" if parts.memories else ""


def _physical(sensors: Mapping[str, object], title: str) -> str:
    told = (f"{name.replace('_', ' ')}: {value}".translate(NO_BRACKETS).split() for name, value in sensors.items())
    state = "; ".join(" ".join(words) for words in told if len(words) <= _MOST_READING_WORDS)
    return f"[{title}: {state}]" if state else ""


def _join(sections: Sequence[str]) -> str:
    return "\n\n".join(section for section in sections if section)
