"""How near what was said is to what is known, as an embedder sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from edge_memory.protocols import Vectors


@dataclass(frozen=True, slots=True, eq=False)
class Nearness:
    """`cosines` are those of the nearest active records, by their ids; none without an embedder.

    `statement` and `turn` are the unit vectors of a statement and of all that was `said` in its turn.
    """

    cosines: Mapping[int, float] = field(default_factory=dict)
    statement: Vectors | None = None
    turn: Vectors | None = None
    said: str = ""
