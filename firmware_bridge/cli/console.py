"""Speaking to the person at the terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

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


_REACHES = {
    "--data-dir": "reads the memory file, with or without a running companion",
    "--url": "asks the running companion",
}


class Verbs(TyperGroup):
    """A group of verbs. Who types a verb of another group ("lobug memory confirm") is told where it is, and who says
    where the companion is to a verb that wants the file, or the other way round, what it wants.
    """

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        wanted = args[0]
        if self.get_command(ctx, wanted) is None:
            root = ctx.find_root()
            places = [path for path in _paths(root.command, "lobug") if path.split()[-1] == wanted]
            if places:
                ctx.fail(f"No such command {wanted!r} here. Did you mean {', '.join(places)}?")
        name, command, rest = super().resolve_command(ctx, args)
        for wanted, how in _REACHES.items():
            if strange := _strange(command, rest, wanted):
                ctx.fail(f"No such option: {strange}. `{ctx.command_path} {name}` {how}: give {wanted}.")
        return name, command, rest


def _strange(command: Any, args: Sequence[str], wanted: str) -> str:
    """The option among `args` that tells where to look, of a command that is told so by `wanted` instead."""
    known = {option for parameter in command.params for option in parameter.opts}
    if wanted not in known:
        return ""
    given = {arg.partition("=")[0] for arg in takewhile(lambda arg: arg != "--", args)}
    return next(iter(given & (_REACHES.keys() - known)), "")


def _paths(command: Any, path: str) -> Iterator[str]:
    for name, child in getattr(command, "commands", {}).items():
        yield f"{path} {name}"
        yield from _paths(child, f"{path} {name}")


def group(about: str) -> typer.Typer:
    """An empty group of verbs."""
    return typer.Typer(cls=Verbs, help=about, no_args_is_help=True)


def set_flags(given: list[str] | None) -> dict[str, str]:
    """What `--set` names, by key. Raises SettingsError for what is not KEY=VALUE."""
    for one in given or ():
        if "=" not in one:
            raise SettingsError(f"--set {one}: a value is missing", "such as --set persona.name=Ada")
    return {key.strip(): value for key, _, value in (one.partition("=") for one in given or ())}


@contextmanager
def told_errors() -> Iterator[None]:
    """Our own errors end the program with one line and a hint, and so does a file that cannot be used."""
    try:
        yield
    except (BridgeError, EdgeMemoryError) as error:
        _tell(error.message, error.hint)
        raise SystemExit(1) from None
    except OSError as error:
        if error.filename is None:
            raise
        _tell(f"cannot use {error.filename}: {error.strerror}", "check owner, permissions and free space")
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _tell(message: str, hint: str) -> None:
    typer.secho(f"error: {message}", err=True, fg="red")
    if hint:
        typer.secho(f"hint: {hint}", err=True, dim=True)


def check_writable(file: Path) -> None:
    """For `--out`, before anything is said. Raises BadParameter."""
    if not file.parent.is_dir():
        raise typer.BadParameter(f"--out {file}: there is no folder {file.parent}")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise typer.BadParameter(f"--out {file} cannot be written")


def print_json(value: Any) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def console() -> Console:
    """Where tables go. Wide when the output is not a terminal, so that no cell is cut."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 200)
