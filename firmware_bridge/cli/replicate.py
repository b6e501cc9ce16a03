"""`lobug replicate`: a second file, here or on another machine, that follows the memory file."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated

import typer

from edge_memory.errors import StoreError
from firmware_bridge.cli.console import ConfigFile, DataDir
from firmware_bridge.errors import BridgeError

_NICENESS = 10

Every = Annotated[float, typer.Option("--every", min=0.1, help="Seconds between two looks.")]
Program = Annotated[
    str | None, typer.Option("--exe", help="sqlite3_rsync on the other machine.", show_default="on its PATH")
]


def replicate(
    target: Annotated[str, typer.Argument(help="A file, or USER@HOST:FILE by ssh.")],
    every: Every = 2.0,
    once: Annotated[bool, typer.Option("--once", help="Bring it into step and end.")] = False,
    exe: Program = None,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Keep a replica of the memory file, seconds behind. What you forget leaves it, too. Ctrl-C ends it."""
    from edge_memory import store
    from firmware_bridge.settings import load_settings

    settings = load_settings({"data_dir": data_dir}, config)
    if settings.store.key_file is not None:
        raise BridgeError(
            "an encrypted memory has no replica: SQLite's own tool has no key",
            "let cron run `lobug backup FILE`, and send that file: it is encrypted",
        )
    if not settings.database.is_file():
        raise BridgeError(f"there is no {settings.database}", "start the companion first, or give --data-dir")
    if once:
        store.replicate(settings.database, target, exe)
        typer.echo(f"{target} is in step with {settings.database}")
    else:
        os.nice(_NICENESS)
        _follow(settings.database, target, exe, every)


def _follow(database: Path, target: str, program: str | None, every: float) -> None:
    from edge_memory import store

    reached: store.State | None = None
    trouble = "not yet"
    while True:
        began, now = time.monotonic(), store.state_of(database)
        if now != reached:
            try:
                store.replicate(database, target, program)
            except StoreError as error:
                if error.message != trouble:
                    typer.secho(f"error: {error.message}\nhint: {error.hint}; it tries again", err=True)
                trouble = error.message
            else:
                if trouble:
                    typer.echo(f"{target} is in step with {database} and follows it; Ctrl-C ends it")
                reached, trouble = now, ""
        time.sleep(max(every, time.monotonic() - began))
