"""Finding what memory knows that bears on what was just said."""

from edge_memory.recall.rankers import Ranker
from edge_memory.recall.recaller import Recaller, Recollection

__all__ = ["Ranker", "Recaller", "Recollection"]
