"""The whole file: `lobug backup`, `restore`, `encrypt` and `decrypt`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from firmware_bridge.cli.console import ConfigFile, DataDir, Yes
from firmware_bridge.cli.house import agreed
from firmware_bridge.errors import BridgeError

if TYPE_CHECKING:
    from firmware_bridge.settings import Settings


def backup(
    file: Annotated[Path | None, typer.Argument(help="Where to.", show_default="the folder backups")] = None,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Copy the memory file whole, also while the companion runs. The copy is checked before it gets its name."""
    from edge_memory.store import Backups, copy_checked
    from firmware_bridge.app.unlocking import unlocked
    from firmware_bridge.settings import load_settings

    database = unlocked(load_settings({"data_dir": data_dir}, config))
    if not database.exists():
        raise BridgeError(f"there is no memory yet: {database} is not there", "`lobug serve` begins one")
    if file is not None and file.exists():
        raise BridgeError(f"{file} is there already", "give the name of a new file")
    with _bar(f"copying {database}") as progress:
        if file is None:
            target = Backups(database, time.time).make("asked", progress)
        else:
            target = file
            copy_checked(database, target, progress)
    typer.echo(f"{target}: checked, {target.stat().st_size / 1e6:.1f} MB")
    if file is not None:
        typer.echo("what you forget later stays in this copy: delete it then")


def restore(
    file: Annotated[Path, typer.Argument(help="What `lobug backup` wrote.")],
    yes: Yes = False,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Put a backup in the place of the memory file. What cannot be checked is refused; the old file is kept aside."""
    from edge_memory import store
    from firmware_bridge.app.unlocking import unlocked
    from firmware_bridge.settings import load_settings

    database = unlocked(load_settings({"data_dir": data_dir}, config))
    if not file.is_file():
        raise BridgeError(f"there is no file {file}", "`lobug backup FILE` writes one")
    aside = store.Backups(database, time.time).next_name("replaced")
    if database.exists() and not agreed(f"Replace {database} by {file}?", yes):
        return
    with _bar(f"restoring {file}") as progress:
        had_one = store.restore(file, database, aside, progress)
    typer.echo(f"{database} is now what {file} was{f'; the old file is {aside}' if had_one else ''}")


def encrypt(data_dir: DataDir = None, config: ConfigFile = None) -> None:
    """Encrypt the memory file and its copies. The key is in store.key_file; it is made if it is not there."""
    from edge_memory import store
    from firmware_bridge.settings import load_settings

    settings = load_settings({"data_dir": data_dir}, config)
    key, database = _key_file(settings), settings.database
    if not key.exists():
        store.make_key(key)
        typer.echo(f"{key} is the new key: keep a copy elsewhere, without it nothing can ever be read")
    store.encrypt(database, key, store.Backups(database, time.time))
    typer.echo(f"{database} and its copies are encrypted; what you copied elsewhere before is not")


def decrypt(data_dir: DataDir = None, config: ConfigFile = None) -> None:
    """Take the encryption off the memory file and its copies again. Then unset store.key_file."""
    from edge_memory import store
    from firmware_bridge.settings import load_settings

    settings = load_settings({"data_dir": data_dir}, config)
    key, database = _key_file(settings), settings.database
    store.decrypt(database, key, store.Backups(database, time.time))
    typer.echo(f"{database} and its copies can be read without a key; now unset store.key_file")


def _key_file(settings: Settings) -> Path:
    if settings.store.key_file is None:
        raise BridgeError("no key file is named", "set store.key_file, or LOBUG_STORE__KEY_FILE; keep it off that disk")
    return settings.store.key_file


@contextmanager
def _bar(told: str) -> Iterator[Callable[[float], None]]:
    """A progress bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(told, total=1.0)
        yield lambda share: progress.update(task, completed=share)
