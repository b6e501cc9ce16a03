"""What the owner writes down by hand, and keeping memory in order: episode, procedure, run, compact, consolidate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from firmware_bridge.cli.console import AsJson, ConfigFile, DataDir, group, print_json
from firmware_bridge.cli.house import count, print_records, with_memory

if TYPE_CHECKING:
    from edge_memory.review import Merger

RunName = Annotated[str, typer.Argument(help="What the run is called; a conversation's session works, too.")]
Create = Annotated[bool, typer.Option("--create-proposals", help="Propose them; without it they are only shown.")]

semantic_app = group("Notes that say nearly the same.")
run_app = group("What is noted for the time of one run only.")
procedural_app = group("Procedures of one workflow.")


def episode(
    text: Annotated[str, typer.Argument(help="What happened.")],
    outcome: Annotated[str, typer.Option(help="How it ended.")] = "",
    tags: Annotated[str, typer.Option(help="Topics, with commas between.")] = "",
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Write down something that happened. Episodes are only ever added."""
    from edge_memory.memory import OWNER
    from edge_memory.store.records import to_json

    kept = with_memory(data_dir, config, lambda memory: memory.notes.episode(text, outcome, tags.split(","), OWNER))
    if as_json:
        print_json(to_json(kept))
    else:
        print_records([kept])


def procedure(
    name: Annotated[str, typer.Argument(help="What the workflow is called.")],
    step: Annotated[list[str] | None, typer.Option(help="One step; give it once for each, in order.")] = None,
    scope: Annotated[str, typer.Option(help="Path or topic that it is for, may be a glob.")] = "",
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Write down how something is done. The same steps once more count as another success."""
    from edge_memory.memory import OWNER
    from edge_memory.store.records import to_json

    kept = with_memory(data_dir, config, lambda memory: memory.notes.procedure(name, step or [], scope, OWNER))
    if as_json:
        print_json(to_json(kept))
    else:
        print_records([kept])


@run_app.command("note")
def note(
    run: RunName,
    text: Annotated[str, typer.Argument(help="A plan, a step, a finding.")],
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Jot something down for a run. Only that run finds it: `lobug memory search --session RUN`."""
    from edge_memory.memory import OWNER
    from edge_memory.store.records import to_json

    kept = with_memory(data_dir, config, lambda memory: memory.notes.jot(run, text, OWNER))
    if as_json:
        print_json(to_json(kept))
    else:
        print_records([kept])


@run_app.command("close")
def close_run(
    run: RunName,
    outcome: Annotated[str, typer.Option(help="How it ended: the notes then live on in one episode.")] = "",
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """End a run: its notes go or, with an outcome, become one episode."""
    from edge_memory.memory import OWNER
    from edge_memory.store.records import to_json

    episode = with_memory(data_dir, config, lambda memory: memory.notes.close_run(run, outcome or None, OWNER))
    if as_json:
        print_json({"episode": episode and to_json(episode)})
    elif episode is None:
        typer.echo(f"the notes of {run} are gone")
    else:
        print_records([episode])


@semantic_app.command("compact")
def compact(
    create: Create = False, data_dir: DataDir = None, config: ConfigFile = None, as_json: AsJson = False
) -> None:
    """Find notes that could be one."""
    from edge_memory.memory import OWNER

    _tell(with_memory(data_dir, config, lambda memory: memory.upkeep.compact(OWNER, create=create)), as_json)


@procedural_app.command("dedup")
def dedup(create: Create = False, data_dir: DataDir = None, config: ConfigFile = None, as_json: AsJson = False) -> None:
    """Find procedures of one workflow that could be one."""
    from edge_memory.memory import OWNER

    _tell(with_memory(data_dir, config, lambda memory: memory.upkeep.dedup_procedures(OWNER, create=create)), as_json)


def consolidate(data_dir: DataDir = None, config: ConfigFile = None, as_json: AsJson = False) -> None:
    """Merge repeats and archive what faded. Done every week by itself; what keeps coming back is trusted more."""
    from dataclasses import asdict

    done = with_memory(data_dir, config, lambda memory: memory.upkeep.consolidate())
    if as_json:
        print_json(asdict(done))
    else:
        typer.echo(f"merged {done.merged}, archived {done.archived}, promoted {done.promoted}")


def _tell(mergers: list[Merger], as_json: bool) -> None:
    if as_json:
        shown = [
            {"sources": [record.id for record in one.sources], "text": one.text, "proposal": one.record_id}
            for one in mergers
        ]
        print_json({"groups": shown})
        return
    for one in mergers:
        waits = f"record {one.record_id} waits for a decision" if one.record_id else "could be one"
        typer.echo(f"{waits}: {one.text}")
        print_records(one.sources)
    typer.echo(count(len(mergers), "group") if mergers else "nothing to join")
