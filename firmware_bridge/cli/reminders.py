"""`lobug reminders`: what the companion will remind of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from edge_memory.errors import NothingMatches
from firmware_bridge.cli.console import AsJson, ConfigFile, DataDir, console, group, print_json
from firmware_bridge.cli.house import when, with_memory

if TYPE_CHECKING:
    from edge_memory.reminders import Reminder

reminders_app = group("Reminders and timers, which are set by voice.")


@reminders_app.command("list")
def list_reminders(
    everything: Annotated[bool, typer.Option("--all", help="Also those that rang or were cancelled.")] = False,
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """The reminders and timers that wait, newest first."""
    from firmware_bridge.web.reminders import reminder_json

    found = with_memory(data_dir, config, lambda memory: memory.reminders.all())
    shown = [reminder for reminder in found if everything or reminder.state in ("waiting", "missed")]
    if as_json:
        print_json({"reminders": [reminder_json(reminder) for reminder in shown]})
    elif shown:
        _print_table(shown)
    else:
        typer.echo('no reminder waits; say "remind me at six to feed the cat"')


@reminders_app.command()
def cancel(
    reminder_id: Annotated[int, typer.Argument(help="As `lobug reminders list` shows it.")],
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Call one off."""
    if not with_memory(data_dir, config, lambda memory: memory.reminders.cancel([reminder_id])):
        raise NothingMatches(f"no reminder {reminder_id} waits", "lobug reminders list shows them")
    typer.echo("cancelled")


def _print_table(shown: list[Reminder]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("id", "state", "kind", "due", "of", "device", "what"):
        table.add_column(column, overflow="fold")
    for reminder in shown:
        row = (str(reminder.id), reminder.state, reminder.kind.value, when(reminder.due_at))
        table.add_row(*row, reminder.user_id, reminder.device_id or "-", reminder.text)
    console().print(table)
