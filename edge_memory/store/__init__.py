"""The one SQLite file. Only this room imports SQLite; the others hand it plain functions of a connection."""

from edge_memory.store import (
    conversation,
    jobs,
    measures,
    profiles,
    records,
    sensors,
    summaries,
    turn_index,
    vectors,
    words,
)
from edge_memory.store.backups import Backups
from edge_memory.store.connection import Connection, engine_version, tells_rot, vector_extension_version
from edge_memory.store.encryption import decrypt, encrypt
from edge_memory.store.key import make_key, use_key
from edge_memory.store.lock import is_served, serving_address
from edge_memory.store.mirror import VectorMirror
from edge_memory.store.replica import State, replicate, state_of
from edge_memory.store.salvage import Saved, salvage
from edge_memory.store.snapshot import copy_checked, restore
from edge_memory.store.store import Store, Transaction
from edge_memory.store.visible import Visible, VisibleTurns, first_visible

__all__ = [
    "Backups",
    "Connection",
    "Saved",
    "State",
    "Store",
    "Transaction",
    "VectorMirror",
    "Visible",
    "VisibleTurns",
    "conversation",
    "copy_checked",
    "decrypt",
    "encrypt",
    "engine_version",
    "first_visible",
    "is_served",
    "jobs",
    "make_key",
    "measures",
    "profiles",
    "records",
    "replicate",
    "restore",
    "salvage",
    "sensors",
    "serving_address",
    "state_of",
    "summaries",
    "tells_rot",
    "turn_index",
    "use_key",
    "vector_extension_version",
    "vectors",
    "words",
]
