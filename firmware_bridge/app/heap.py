"""How often Python's garbage collector looks for circles, and at what."""

from __future__ import annotations

import gc

_ALLOCATIONS_BETWEEN = 10_000  # of objects that stay: some thirty turns leave as many


def grow() -> None:
    """For a process that begins: what is imported and compiled stays, and a quarter of the time went into looking."""
    gc.set_threshold(_ALLOCATIONS_BETWEEN)


def settle() -> None:
    """For a process that has made what it lives on, and once: no turn is stopped to look through all of that again."""
    grow()
    gc.collect()
    gc.freeze()
