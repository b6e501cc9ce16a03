"""`lobug memory`: looking into memory and correcting it, with or without a running companion."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from edge_memory.records import Layer, Record, Status
from firmware_bridge.cli.console import AsJson, ConfigFile, DataDir, Yes, console, print_json

if TYPE_CHECKING:
    from edge_memory.memory import Memory

T = TypeVar("T")

memory_app = typer.Typer(help="Look into memory and correct it.", no_args_is_help=True)


@memory_app.command("list")
def list_records(
    status: Annotated[Status | None, typer.Option(help="Only records of this status.")] = None,
    layer: Annotated[Layer | None, typer.Option(help="Only records of this layer.")] = None,
    limit: Annotated[int, typer.Option(help="How many.")] = 50,
    offset: Annotated[int, typer.Option(help="How many to skip.")] = 0,
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """What is remembered, newest first."""
    from edge_memory.memory import OWNER
    from edge_memory.store.records import Filter, to_json

    which = Filter(OWNER, status, layer)
    page, total = _with_memory(data_dir, config, lambda memory: memory.select(which, limit, offset))
    if as_json:
        print_json({"records": [to_json(record) for record in page], "total": total})
    elif page:
        _print_table(page)
        typer.echo(f"{len(page)} of {total}")
    else:
        typer.echo("nothing remembered yet" if which == Filter(OWNER) else "nothing remembered that fits")


@memory_app.command()
def inspect(
    record_id: Annotated[int, typer.Argument(help="As `lobug memory list` shows it.")],
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Everything about one record: where it came from, and what happened to it."""
    from edge_memory.store.records import to_json

    record, history = _with_memory(data_dir, config, lambda memory: memory.inspect(record_id))
    entries = [{"at": e.at, "action": e.action, "reason": e.reason, "turn_id": e.turn_id} for e in history]
    if as_json:
        print_json(to_json(record) | {"history": entries})
        return
    for name, value in to_json(record).items():
        if value not in (None, "", [], {}):
            typer.echo(f"{name:>16}  {_when(value) if name.endswith(('_at', '_from', '_to', '_time')) else value}")
    for entry in entries:
        typer.echo(f"{_when(entry['at']):>18}  {entry['action']} {entry['reason']}")


@memory_app.command()
def search(
    query: Annotated[str, typer.Argument(help="Some words.")],
    k: Annotated[int, typer.Option("-k", help="How many.")] = 10,
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Find what is remembered, best first. From here it goes by words; the companion also goes by meaning."""
    from edge_memory.store.records import to_json

    hits = _with_memory(data_dir, config, lambda memory: memory.search(query, k))
    if as_json:
        print_json({"hits": [to_json(hit.record) | {"score": hit.score, "why": hit.why} for hit in hits]})
    elif hits:
        for hit in hits:
            typer.echo(f"{hit.record.id:>6}  {hit.score:.2f}  {hit.record.text}")
    else:
        typer.echo("nothing found")


@memory_app.command()
def learn(
    text: Annotated[str, typer.Argument(help="A sentence, in your own words.")],
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Have it remember a sentence, as certain."""
    from edge_memory.store.records import to_json

    kept = _with_memory(data_dir, config, lambda memory: memory.learn(text))
    if as_json:
        print_json({"records": [to_json(record) for record in kept]})
    else:
        for record in kept:
            typer.echo(f"{record.id:>6}  {record.text}")


@memory_app.command()
def forget(
    query: Annotated[str, typer.Argument(help="A record's id, or words that it holds.")],
    yes: Yes = False,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Erase records for good, with the turns they came from. Asks first."""

    async def run(memory: Memory) -> int:
        doomed = await memory.find_to_forget(query)
        for record in doomed:
            typer.echo(f"{record.id:>6}  {record.text}")
        if not yes and not typer.confirm(f"Forget {_count(len(doomed), 'record')} for good?"):
            typer.echo("nothing forgotten")
            return 0
        await memory.forget(doomed)
        return len(doomed)

    gone = _with_memory(data_dir, config, run)
    if gone:
        typer.echo(f"forgot {_count(gone, 'record')}")


@memory_app.command()
def stats(data_dir: DataDir = None, config: ConfigFile = None, as_json: AsJson = False) -> None:
    """How much is remembered, and what work waits."""
    numbers = _with_memory(data_dir, config, lambda memory: memory.stats())
    if as_json:
        print_json(numbers)
        return
    for name, value in numbers.items():
        shown = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
        typer.echo(f"{name.replace('_', ' '):>20}  {shown if shown not in ([], '', None) else '-'}")


@memory_app.command()
def export(
    file: Annotated[Path | None, typer.Argument(help="Where to.", show_default="a new file named by the time")] = None,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Write everything that is remembered to a JSON file that you can read and keep."""
    import json
    import os

    from firmware_bridge.errors import BridgeError

    target = file or Path(time.strftime("lobug-memory-%Y%m%d-%H%M%S.json"))
    document = _with_memory(data_dir, config, lambda memory: memory.export())
    try:
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise BridgeError(f"cannot write {target}: {error.strerror}", "give a new file in a folder of yours") from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        json.dump(document, out, indent=2, ensure_ascii=False)
    typer.echo(f"{_count(len(document['records']), 'record')}, {_count(len(document['turns']), 'turn')} in {target}")


def _with_memory(data_dir: Path | None, config: Path | None, work: Callable[[Memory], Awaitable[T]]) -> T:
    from edge_memory.memory import Memory
    from firmware_bridge.settings import load_settings

    settings = load_settings({"data_dir": data_dir}, config)

    async def run() -> T:
        async with Memory(settings.database, serve=False, config=settings.memory) as memory:
            return await work(memory)

    return asyncio.run(run())


def _print_table(page: list[Record]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("id", "status", "layer", "slot", "sure", "since", "what"):
        table.add_column(column, overflow="fold" if column == "what" else "ellipsis")
    for record in page:
        sure = f"{record.confidence:.2f}"
        since = _when(record.valid_from)
        table.add_row(
            str(record.id), record.status, record.layer, record.key or "-", sure, since, record.text or "(erased)"
        )
    console().print(table)


def _when(value: Any) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(value)) if value else "-"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
