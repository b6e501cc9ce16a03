"""What the memory engine asks of the models that it is handed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from edge_memory.errors import ModelUnavailable
from edge_memory.records import Message

Vectors = NDArray[np.float32]


class Purpose(StrEnum):
    """Why a text is embedded. It picks the model's prefix, and how urgent the work is."""

    QUERY = "query"  # a live turn waits for it
    STATED = "stated"  # what a turn told: the next one shall find it
    DOCUMENT = "document"  # background work


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """Identity of weights and prefixes. Vectors of two names are never compared. Raises ModelUnavailable."""

    @property
    def dimension(self) -> int:
        """Raises ModelUnavailable."""

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Shape (len(texts), dimension), each row of length 1. Raises ModelUnavailable."""


class ChatModel(Protocol):
    """Writes text in the background, giving way to any live turn."""

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
        cache_key: str | None = None,
    ) -> str:
        """The whole answer. With `schema`, text that parses as JSON of that schema.

        `cache_key` names prompts that share their beginning. Raises ModelUnavailable while the model is not there,
        and ModelFailed when it is and cannot: the prompt is too long, or the JSON longer than `max_tokens`.
        """


def is_available(embedder: Embedder | None) -> bool:
    try:
        return embedder is not None and bool(embedder.name)
    except ModelUnavailable:
        return False
