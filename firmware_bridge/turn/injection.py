"""How memories are told to the model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from edge_memory.records import Message, Record, Role

InjectionFormat = Literal["system", "assistant_preamble"]
MemoryFormat = Literal["compact", "detailed"]

_RECALLED = "What I remember about you, the user:"


@dataclass(frozen=True, slots=True)
class Injection:
    """`form` says who tells it: the prompt, or the assistant in a message of its own before the newest one."""

    form: InjectionFormat = "system"
    detail: MemoryFormat = "compact"

    def lines(self, memories: Sequence[Record]) -> str:
        """One line each, empty without memories. Line breaks in a memory become spaces, so that it stays one line."""
        return "\n".join(f"- {self._told(record)}" for record in memories)

    def preamble(self, memories: Sequence[Record]) -> list[Message]:
        """What the assistant says before the newest message; empty without memories, and where the prompt tells it."""
        if self.form != "assistant_preamble" or not memories:
            return []
        return [Message(Role.ASSISTANT, f"{_RECALLED}\n{self.lines(memories)}")]

    def _told(self, record: Record) -> str:
        text = " ".join(record.text.split())
        if self.detail == "compact":
            return text
        since = (
            "" if record.valid_from is None else time.strftime(", since %Y-%m-%d", time.localtime(record.valid_from))
        )
        return f"[{record.kind.capitalize()}] {text} ({record.confidence:.2f} sure{since})"
