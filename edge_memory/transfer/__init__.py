"""Memory leaving the house and coming back: exported, imported, or erased for good."""

from edge_memory.transfer.arrival import Imported, Outside
from edge_memory.transfer.transfer import Transfer, due_backup

__all__ = ["Imported", "Outside", "Transfer", "due_backup"]
