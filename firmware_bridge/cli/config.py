"""`lobug config`: what is set, by whom, and whether a settings file is right."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.cli.console import AsJson, ConfigFile, DataDir, Set, console, group, print_json, set_flags

config_app = group("Settings: what they are, and where from.")


@config_app.command()
def show(
    changed: Annotated[bool, typer.Option("--changed", help="Only what is not at its default.")] = False,
    data_dir: DataDir = None,
    config: ConfigFile = None,
    more: Set = None,
    as_json: AsJson = False,
) -> None:
    """List the settings and where their values come from. From a default, a file, the environment or a flag."""
    from rich.table import Table

    from firmware_bridge.settings_table import Origin, chosen

    flags = set_flags(more) | ({} if data_dir is None else {"data_dir": str(data_dir)})
    shown = [one for one in chosen(flags, config) if not changed or one.origin is not Origin.DEFAULT]
    if as_json:
        print_json({"settings": [asdict(one) for one in shown]})
        return
    if not shown:
        typer.echo("every setting has its default")
        return
    table = Table(box=None, pad_edge=False)
    for column in ("setting", "value", "from"):
        table.add_column(column, overflow="fold")
    for one in shown:
        table.add_row(one.key, json.dumps(one.value, ensure_ascii=False), one.origin.value)
    console().print(table)


@config_app.command()
def check(
    file: Annotated[Path | None, typer.Argument(help="A settings file.", show_default="the one that is read")] = None,
    as_json: AsJson = False,
) -> None:
    """Name each wrong line of a settings file. Exit 1 if there is one."""
    from firmware_bridge.settings import default_config_file
    from firmware_bridge.settings_table import mistakes

    if file is None and not default_config_file().exists() and not as_json:
        typer.echo(f"there is no {default_config_file()}: nothing is set there")
        return
    file = file or default_config_file()
    found = mistakes(file)
    if as_json:
        print_json({"mistakes": [asdict(mistake) for mistake in found]})
    else:
        for mistake in found:
            hint = f" ({mistake.hint})" if mistake.hint else ""
            typer.echo(f"{file}:{mistake.line}: {mistake.message}{hint}")
        if not found:
            typer.echo(f"{file}: all is well")
    raise typer.Exit(bool(found))


@config_app.command()
def example() -> None:
    """Print a settings file to start from. It has every setting at its default, commented out."""
    from firmware_bridge.settings_table import example_file

    typer.echo(example_file(), nl=False)
