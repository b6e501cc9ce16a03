"""What devices sense: the newest of each reading, kept at a bounded rate, and told as episodes when it matters."""

from edge_memory.sensing.sensing import Sensing, keep_episode

__all__ = ["Sensing", "keep_episode"]
