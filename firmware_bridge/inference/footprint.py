"""Whether a model fits into the memory that is free."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from firmware_bridge.errors import NotEnoughMemory
from firmware_bridge.inference.header import read_header
from firmware_bridge.machine import machine_memory

CellType = Literal["f16", "q8_0"]
_SIZE = {"f16": 1.0, "q8_0": 17 / 32}  # of a cell; q8_0 has 32 bytes and a scale of 2 for 32 numbers
_WORKING_BYTES = 150_000_000  # compute buffers of one context and the libraries, measured on 0.1 to 1.5 B models


def memory_needed(path: Path, n_ctx: int, cells: CellType = "f16") -> int:
    """Bytes that a chat model takes with a context of `n_ctx` tokens. Raises ModelUnusable.

    The weights count in full although they are mapped: the processor's backend keeps its own, repacked copy.
    """
    cell_bytes = round(read_header(path).cell_bytes * _SIZE[cells])
    return path.stat().st_size + cell_bytes * n_ctx + _WORKING_BYTES


def check_memory(path: Path, n_ctx: int, cells: CellType = "f16") -> None:
    """Raises NotEnoughMemory if the model would not fit, ModelUnusable if the file is none."""
    needed, free = memory_needed(path, n_ctx, cells), machine_memory().available
    if free < needed:
        raise NotEnoughMemory(
            f"{path.name} with {n_ctx} tokens of context needs {needed >> 20} MiB, and {free >> 20} MiB are free",
            "choose a smaller model (`--profile tiny`), a smaller context, or end other programs",
        )
