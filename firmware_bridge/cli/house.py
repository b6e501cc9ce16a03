"""What the verbs of `lobug memory` share: the file opened for one piece of work, and how records are shown."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from edge_memory.records import Record
from firmware_bridge.cli.console import console

if TYPE_CHECKING:
    from edge_memory.memory import Memory

T = TypeVar("T")


def with_memory(
    data_dir: Path | None, config: Path | None, work: Callable[[Memory], Awaitable[T]], *, by_meaning: bool = False
) -> T:
    """Does `work` on the file, also beside a companion that serves it; `by_meaning` loads the embedder for it.

    Raises StoreError, and what `work` raises.
    """
    from edge_memory.memory import Memory
    from firmware_bridge.app.unlocking import unlocked
    from firmware_bridge.inference import discard_heads
    from firmware_bridge.settings import load_settings

    settings = load_settings({"data_dir": data_dir}, config)
    erased = partial(discard_heads, settings.cache_dir)

    async def run() -> T:
        if by_meaning:
            from firmware_bridge.app.guest import guest_memory  # brings llama.cpp

            async with guest_memory(settings, wait=True) as open_memory, open_memory() as memory:
                return await work(memory)
        async with Memory(unlocked(settings), serve=False, config=settings.memory, erased=erased) as memory:
            return await work(memory)

    return asyncio.run(run())


def print_records(records: Iterable[Record]) -> None:
    """One line each."""
    for record in records:
        typer.echo(f"{record.id:>6}  {record.text or '(erased)'}")


def print_table(page: Iterable[Record]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("id", "status", "layer", "slot", "sure", "since", "what"):
        table.add_column(column, overflow="fold" if column == "what" else "ellipsis")
    for record in page:
        sure = f"{record.confidence:.2f}"
        since = when(record.valid_from)
        table.add_row(
            str(record.id), record.status, record.layer, record.key or "-", sure, since, record.text or "(erased)"
        )
    console().print(table)


def agreed(question: str, yes: bool) -> bool:
    """Whether the person at the terminal wants it; nobody is asked when `yes`."""
    if yes or typer.confirm(question):
        return True
    typer.echo("nothing changed")
    return False


def when(value: Any) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(value)) if value else "-"


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
