"""`lobug` and its verbs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from firmware_bridge import __version__
from firmware_bridge.app import heap
from firmware_bridge.cli.backup import backup, decrypt, encrypt, restore
from firmware_bridge.cli.config import config_app
from firmware_bridge.cli.console import Verbs, told_errors
from firmware_bridge.cli.dashboard import dashboard
from firmware_bridge.cli.devices import devices_app
from firmware_bridge.cli.doctor import doctor
from firmware_bridge.cli.mcp import mcp
from firmware_bridge.cli.memory import memory_app
from firmware_bridge.cli.models import models_app
from firmware_bridge.cli.reminders import reminders_app
from firmware_bridge.cli.replicate import replicate
from firmware_bridge.cli.serve import serve
from firmware_bridge.cli.service import service_app
from firmware_bridge.cli.simulate import simulate
from firmware_bridge.cli.talk import chat, say

app = typer.Typer(
    name="lobug",
    cls=Verbs,
    help="An offline companion with a lasting memory for a microcontroller voice assistant.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(serve)
app.command()(say)
app.command()(chat)
app.command()(simulate)
app.command()(dashboard)
app.command()(doctor)
app.command()(mcp)
app.command()(backup)
app.command()(restore)
app.command()(replicate)
app.command()(encrypt)
app.command()(decrypt)
app.add_typer(models_app, name="models")
app.add_typer(memory_app, name="memory")
app.add_typer(devices_app, name="devices")
app.add_typer(reminders_app, name="reminders")
app.add_typer(config_app, name="config")
app.add_typer(service_app, name="service")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"lobug {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")]


@app.callback()
def root(version: Version = False) -> None:
    """An offline companion with a lasting memory for a microcontroller voice assistant."""


def main() -> None:
    heap.grow()
    # A terminal may hand over bytes that are no text; half characters must not travel on.
    sys.argv[1:] = [word.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for word in sys.argv[1:]]
    with told_errors():
        app()
