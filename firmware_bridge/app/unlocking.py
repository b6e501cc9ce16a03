"""The memory file with its key."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.settings import Settings


def unlocked(settings: Settings) -> Path:
    """Where the memory file is, which this process now opens with the key of `store.key_file`. Raises StoreError."""
    from edge_memory.store import use_key

    use_key(settings.store.key_file)
    return settings.database
