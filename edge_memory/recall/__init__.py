"""Finding what memory knows that bears on what was just said."""

from edge_memory.recall.recaller import Recaller, Recollection

__all__ = ["Recaller", "Recollection"]
