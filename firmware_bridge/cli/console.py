"""Speaking to the person at the terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from edge_memory.errors import EdgeMemoryError
from firmware_bridge import URL_VARIABLE
from firmware_bridge.errors import BridgeError, SettingsError

if TYPE_CHECKING:
    from rich.console import Console

DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Folder of memory.db.", show_default="platform's own")]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings file.", show_default="lobug.toml")]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any setting, as KEY=VALUE. May be repeated.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Url = Annotated[str, typer.Option("--url", help="Where the companion answers.", envvar=URL_VARIABLE)]

DEFAULT_URL = "http://127.0.0.1:8321"
INTERRUPTED = 130


def set_flags(given: list[str] | None) -> dict[str, str]:
    """What `--set` names, by key. Raises SettingsError for what is not KEY=VALUE."""
    for one in given or ():
        if "=" not in one:
            raise SettingsError(f"--set {one}: a value is missing", "such as --set persona.name=Ada")
    return {key.strip(): value for key, _, value in (one.partition("=") for one in given or ())}


@contextmanager
def told_errors() -> Iterator[None]:
    """Our own errors end the program with one line and a hint."""
    try:
        yield
    except (BridgeError, EdgeMemoryError) as error:
        typer.secho(f"error: {error.message}", err=True, fg="red")
        if error.hint:
            typer.secho(f"hint: {error.hint}", err=True, dim=True)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def print_json(value: Any) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def console() -> Console:
    """Where tables go. Wide when the output is not a terminal, so that no cell is cut."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 200)
