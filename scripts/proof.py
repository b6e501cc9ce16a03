"""What a proof tells: a row of the table that `scripts/prove` prints."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """`tries` times it was tried; `lost` counts turns or facts that should be there, `broken` files that do not
    open or disagree, or erased words that are still on the disk."""

    promise: str
    storage: str
    tries: int
    lost: int
    broken: int
