"""What every embedding backend does to texts before, and to vectors after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from edge_memory.protocols import Purpose, Vectors
from firmware_bridge.errors import InferenceError


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model wants in front of a text, so that queries find documents. Empty for many models."""

    query: str = ""
    document: str = ""

    def apply(self, texts: Sequence[str], purpose: Purpose) -> list[str]:
        prefix = self.query if purpose is Purpose.QUERY else self.document
        return [prefix + text for text in texts]

    def identify(self, model: str) -> str:
        """A name for `model` used with these prefixes: other prefixes, other vectors, other name."""
        return f"{model} [{self.query}|{self.document}]" if self.query or self.document else model


def unit_rows(rows: NDArray[np.floating]) -> Vectors:
    """`rows` of shape (n, dimension), each scaled to length 1. Raises InferenceError for a zero or non-finite row."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.all(np.isfinite(lengths) & (lengths > 0)):
        raise InferenceError("the embedding model gave a vector without direction", "its weights may be damaged")
    scaled: Vectors = (rows / lengths).astype(np.float32)
    return scaled
