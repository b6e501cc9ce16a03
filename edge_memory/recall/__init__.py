"""Finding what memory knows that bears on what was just said."""

from edge_memory.recall.activation import Activated, Cost, cosine
from edge_memory.recall.recaller import Recalled, Recaller
from edge_memory.recall.recollection import Found, Positions, Recollection, found_json
from edge_memory.records import Ranker

__all__ = [
    "Activated",
    "Cost",
    "Found",
    "Positions",
    "Ranker",
    "Recalled",
    "Recaller",
    "Recollection",
    "cosine",
    "found_json",
]
