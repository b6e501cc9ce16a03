"""Small models without weights, for tests and for trying the house out: they answer by script and by hash."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from edge_memory.errors import ModelUnavailable
from edge_memory.protocols import Purpose, Vectors
from edge_memory.records import Message, words_of


class HashEmbedder:
    """Texts that share words are near each other. `available` False makes it fail as a real one does."""

    def __init__(self, dimension: int = 64, name: str = "hash") -> None:
        self._name = f"{name}-{dimension}"
        self._dimension = dimension
        self.available = True

    @property
    def name(self) -> str:
        self._check()
        return self._name

    @property
    def dimension(self) -> int:
        self._check()
        return self._dimension

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        self._check()
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words_of(text) or [""]:
                row[int(hashlib.sha256(word.encode()).hexdigest(), 16) % self.dimension] += 1.0
            row[:] = row / np.linalg.norm(row)
        return rows

    def _check(self) -> None:
        if not self.available:
            raise ModelUnavailable("the embedder is switched off")


class ScriptedChat:
    """Answers with what `script` makes of the messages."""

    def __init__(self, script: Callable[[Sequence[Message]], str]) -> None:
        self._script = script
        self.available = True

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
        cache_key: str | None = None,
    ) -> str:
        if not self.available:
            raise ModelUnavailable("the chat model is switched off")
        return self._script(messages)
