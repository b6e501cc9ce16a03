"""Memory leaving the house: exported to be read elsewhere, or erased for good."""

from edge_memory.transfer.document import export
from edge_memory.transfer.erasure import erase

__all__ = ["erase", "export"]
