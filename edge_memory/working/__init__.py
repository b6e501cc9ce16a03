"""Working memory: the newest messages of each conversation, as the model sees them."""

from edge_memory.working.working_memory import WorkingMemory

__all__ = ["WorkingMemory"]
