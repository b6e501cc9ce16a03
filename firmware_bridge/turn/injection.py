"""How memories are told to the model."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from edge_memory.records import Language, Message, Record, Role, StoredMessage
from firmware_bridge.phrases import PHRASES

InjectionFormat = Literal["system", "assistant_preamble"]
MemoryFormat = Literal["compact", "detailed"]

NO_BRACKETS = str.maketrans("[]", "()")  # what is told must not open a section of its own
_MOST_WORDS = 60  # of a turn from before


@dataclass(frozen=True, slots=True)
class Injection:
    """`form` says who tells it: the prompt, or the assistant in a message of its own before the newest one."""

    form: InjectionFormat = "system"
    detail: MemoryFormat = "compact"
    language: Language = Language.ENGLISH

    def lines(self, memories: Sequence[Record | StoredMessage]) -> str:
        """One line each, empty without memories."""
        return "\n".join(map(self.line, memories))

    def line(self, memory: Record | StoredMessage) -> str:
        """A record as it is told, a turn as a quotation with its day. What was line breaks in it are spaces."""
        return f"- {self._quoted(memory) if isinstance(memory, StoredMessage) else self._told(memory)}"

    def cost(self, count_tokens: Callable[[str], int], memory: Record | StoredMessage) -> int:
        """The tokens of a memory's line, and of its end."""
        return count_tokens(self.line(memory)) + 1

    def preamble(self, memories: Sequence[Record | StoredMessage]) -> list[Message]:
        """What the assistant says before the newest message; empty without memories, and where the prompt tells it."""
        if self.form != "assistant_preamble" or not memories:
            return []
        return [Message(Role.ASSISTANT, f"{PHRASES[self.language].recalled}\n{self.lines(memories)}")]

    def _told(self, record: Record) -> str:
        text = " ".join(record.text.translate(NO_BRACKETS).split())
        if self.detail == "compact":
            return text
        since = "" if record.valid_from is None else f", since {_day(record.valid_from)}"
        return f"[{record.kind.capitalize()}] {text} ({record.confidence:.2f} sure{since})"

    def _quoted(self, said: StoredMessage) -> str:
        words = said.content.replace('"', "'").translate(NO_BRACKETS).split()
        text = " ".join(words[:_MOST_WORDS]) + (" ..." if len(words) > _MOST_WORDS else "")
        return PHRASES[self.language].said_on.format(day=_day(said.created_at), text=text)


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))
