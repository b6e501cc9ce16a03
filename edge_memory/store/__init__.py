"""The one SQLite file. Only this room imports SQLite; the others hand it plain functions of a connection."""

from edge_memory.store import conversation, jobs, records, sensors, summaries, vectors, words
from edge_memory.store.connection import Connection, engine_version, vector_extension_version
from edge_memory.store.store import Store, Transaction
from edge_memory.store.visible import Visible

__all__ = [
    "Connection",
    "Store",
    "Transaction",
    "Visible",
    "conversation",
    "engine_version",
    "jobs",
    "records",
    "sensors",
    "summaries",
    "vector_extension_version",
    "vectors",
    "words",
]
