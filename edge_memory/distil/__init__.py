"""Cascades: old messages become summaries, old summaries become base memory."""

from edge_memory.distil.cascades import Cascades, due_cascades

__all__ = ["Cascades", "due_cascades"]
