"""Looking into memory, teaching it and having it forget: list, inspect, search, learn, forget, stats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from edge_memory.records import Kind, Layer, Priority, Ranker, Status
from firmware_bridge.cli.console import AsJson, ConfigFile, DataDir, Yes, print_json
from firmware_bridge.cli.house import agreed, count, print_records, print_table, when, with_memory

if TYPE_CHECKING:
    from edge_memory.memory import Memory
    from edge_memory.records import Record
    from edge_memory.store.records import HistoryEntry

OfKind = Annotated[Kind | None, typer.Option("--kind", help="Only records of this kind.")]
OfScope = Annotated[
    str | None, typer.Option("--scope", help="Only records whose scope fits this path or glob.", metavar="GLOB")
]
OfStatus = Annotated[Status | None, typer.Option("--status", help="Only records of this status.")]
OfSession = Annotated[str | None, typer.Option("--session", help="Only this conversation or run.", metavar="ID")]
_BY_VECTORS = frozenset({Ranker.KNN, Ranker.HYBRID, Ranker.FUSED})


def list_records(
    status: OfStatus = None,
    layer: Annotated[Layer | None, typer.Option(help="Only records of this layer.")] = None,
    kind: OfKind = None,
    scope: OfScope = None,
    session: OfSession = None,
    limit: Annotated[int, typer.Option(help="How many.")] = 50,
    offset: Annotated[int, typer.Option(help="How many to skip.")] = 0,
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """List what is remembered, newest first."""
    from edge_memory.memory import OWNER
    from edge_memory.store.finding import Wanted
    from edge_memory.store.records import to_json

    which = Wanted(OWNER, status, layer, kind, scope, session)
    page, total = with_memory(data_dir, config, lambda memory: memory.select(which, limit, offset))
    if as_json:
        print_json({"records": [to_json(record) for record in page], "total": total})
    elif page:
        print_table(page)
        more = f"; the next: --offset {offset + len(page)}" if offset + len(page) < total else ""
        typer.echo(f"{len(page)} of {total}{more}")
        if any(record.status is Status.PENDING for record in page):
            typer.echo("pending: lobug memory review list shows what waits for your word")
    else:
        typer.echo("nothing remembered yet" if which == Wanted(OWNER) else "nothing remembered that fits")


def inspect(
    record_id: Annotated[int, typer.Argument(help="As `lobug memory list` shows it.")],
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Show a record: where it came from, and what happened to it."""
    from dataclasses import asdict

    from edge_memory.store.records import to_json

    async def look(memory: Memory) -> tuple[Record, list[HistoryEntry], list[Record], int | None]:
        review = memory.review
        return *await memory.inspect(record_id), await review.replaced(record_id), await review.replacement(record_id)

    record, history, replaced, replacement = with_memory(data_dir, config, look)
    if as_json:
        lineage = {"replaced": [old.id for old in replaced], "replaced_by": replacement}
        print_json(to_json(record) | lineage | {"history": [asdict(entry) for entry in history]})
        return
    for name, value in to_json(record).items():
        if value not in (None, "", [], {}):
            typer.echo(
                f"{name:>16}  {when(value) if name.endswith(('_at', '_from', '_to', '_time')) else _plain(value)}"
            )
    for old in replaced:
        typer.echo(f"{'replaced':>16}  {old.id}: {old.text}")
    if replacement is not None:
        typer.echo(f"{'replaced by':>16}  {replacement}")
    for entry in history:
        typer.echo(f"{when(entry.at):>18}  {_became(entry)}{entry.action}{f': {entry.reason}' if entry.reason else ''}")


def _became(entry: HistoryEntry) -> str:
    """How its status changed; empty where it did not."""
    was, now = ((state or {}).get("status", "") for state in (entry.before, entry.after))
    if was == now or not now:
        return ""
    return f"{was} -> {now}, by " if was else f"{now}, by "


def search(
    query: Annotated[str, typer.Argument(help="Some words.")],
    k: Annotated[int, typer.Option("-k", help="How many.")] = 10,
    ranker: Annotated[Ranker | None, typer.Option(help="Rank so; loads the embedder if it needs it.")] = None,
    status: OfStatus = None,
    kind: OfKind = None,
    scope: OfScope = None,
    session: OfSession = None,
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Find what is remembered and what was said, best first. By words; with a ranker that needs it, by meaning."""
    from edge_memory.memory import OWNER
    from edge_memory.recall import found_json
    from edge_memory.store.finding import Wanted

    which = Wanted(OWNER, status, None, kind, scope, session)
    found = with_memory(
        data_dir,
        config,
        lambda memory: memory.look_up(query, k, which, ranker or Ranker.FUSED),
        by_meaning=ranker in _BY_VECTORS,
    )
    if as_json:
        print_json(found_json(found))
        return
    for hit in found.hits:
        typer.echo(f"{hit.record.id:>6}  {hit.score:.2f}  {hit.record.text}")
    for turn in found.turns:
        typer.echo(f"{'said':>6}  {turn.score:.2f}  {when(turn.message.created_at)}  {turn.message.content}")
    if not (found.hits or found.turns):
        typer.echo("nothing found")
    if ranker in _BY_VECTORS and found.degraded:
        typer.echo(f"by words alone: {found.degraded}", err=True)


def learn(
    text: Annotated[str, typer.Argument(help="A sentence, in your own words.")],
    kind: Annotated[Kind | None, typer.Option(help="What it is; else its words decide.")] = None,
    scope: Annotated[str | None, typer.Option(help="Path or topic that it is for, may be a glob.")] = None,
    priority: Annotated[Priority | None, typer.Option(help="How much it counts; high is on every mind.")] = None,
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Have it remember a sentence, as certain."""
    from edge_memory.memory import OWNER
    from edge_memory.review import Marks
    from edge_memory.store.records import to_json

    marks = Marks(kind, scope, priority)
    kept = with_memory(data_dir, config, lambda memory: memory.learn(text, OWNER, marks))
    if as_json:
        print_json({"records": [to_json(record) for record in kept]})
    else:
        print_records(kept)


def forget(
    query: Annotated[str, typer.Argument(help="A record's id, or words that it holds.")],
    yes: Yes = False,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Erase records for good, with the turns they came from. Asks first."""

    async def run(memory: Memory) -> int:
        doomed = await memory.find_to_forget(query)
        print_records(doomed)
        if not agreed(f"Forget {count(len(doomed), 'record')} for good?", yes):
            return 0
        await memory.forget(doomed)
        return len(doomed)

    gone = with_memory(data_dir, config, run)
    if gone:
        typer.echo(f"forgot {count(gone, 'record')}")


def stats(data_dir: DataDir = None, config: ConfigFile = None, as_json: AsJson = False) -> None:
    """How much is remembered, and how well memory does. Also what work waits."""
    numbers = with_memory(data_dir, config, lambda memory: memory.stats())
    if as_json:
        print_json(numbers)
        return
    metrics = numbers.pop("metrics")
    numbers["oldest_created_at"] = when(numbers["oldest_created_at"])
    for name, value in (numbers | metrics).items():
        typer.echo(f"{name.replace('_', ' '):>24}  {_plain(value)}")


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_figure(part)}" for name, part in value.items()) or "-"
    return ", ".join(map(str, value)) if isinstance(value, list) and value else _figure(value)


def _figure(value: object) -> object:
    return "-" if value in ([], "", None) else value
