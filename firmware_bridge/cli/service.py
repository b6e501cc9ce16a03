"""`lobug service`: the companion as a systemd service."""

from __future__ import annotations

import getpass
import os
import pwd
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.cli.console import ConfigFile, Yes
from firmware_bridge.cli.house import agreed
from firmware_bridge.errors import BridgeError

service_app = typer.Typer(help="Run the companion as a systemd service.", no_args_is_help=True)

_NAME = "lobug.service"
_STATE = Path("/var/lib/lobug")
_FOLDER = Path("/etc/systemd/system")

User = Annotated[str | None, typer.Option("--user", help="Who it runs as.", show_default="who asks, also with sudo")]
KeyFile = Annotated[
    Path | None, typer.Option("--key-file", help="Key of the encrypted memory file, for systemd to hand over.")
]
UnitFolder = Annotated[Path, typer.Option("--unit-dir", help="Where unit files belong.")]


@service_app.command()
def show(user: User = None, config: ConfigFile = None, key_file: KeyFile = None) -> None:
    """Print the unit file; it says what each part is for. Nothing is written."""
    typer.echo(_unit(user, config, key_file), nl=False)


@service_app.command()
def install(
    user: User = None,
    config: ConfigFile = None,
    key_file: KeyFile = None,
    unit_dir: UnitFolder = _FOLDER,
    yes: Yes = False,
) -> None:
    """Write the unit file, start the companion now and at every boot. Run it with sudo."""
    target = unit_dir / _NAME
    content = _unit(user, config, key_file)
    typer.echo(f"1. {target} is written; it runs {_command()} as {_user(user)}, and its memory is in {_STATE}")
    typer.echo(f"2. systemctl starts {_NAME} now, and at every boot")
    if not agreed("Do it?", yes):
        return
    try:
        target.write_text(content, encoding="utf-8")
    except OSError as error:
        again = f"sudo {_command()} service install"
        raise BridgeError(f"cannot write {target}: {error.strerror}", f"run it as root: {again}") from error
    _systemctl("daemon-reload")
    _systemctl("enable", "--now", _NAME)
    typer.echo(f"it runs; `journalctl -u {_NAME}` shows its log")
    typer.echo(f"memory verbs look into its file with --data-dir {_STATE}, or with LOBUG_DATA_DIR={_STATE} set")


@service_app.command()
def status() -> None:
    """Is it running? Exit as systemctl does: 0 if it is."""
    raise typer.Exit(_run("status", "--no-pager", _NAME))


@service_app.command()
def uninstall(unit_dir: UnitFolder = _FOLDER, yes: Yes = False) -> None:
    """Stop the service and remove its unit file. The memory stays where it is."""
    target = unit_dir / _NAME
    if not target.exists():
        raise BridgeError(f"there is no {target}", "nothing to uninstall")
    if not agreed(f"Stop the companion and remove {target}?", yes):
        return
    _systemctl("disable", "--now", _NAME)
    try:
        target.unlink()
    except OSError as error:
        raise BridgeError(f"cannot remove {target}: {error.strerror}", "run it as root, with sudo") from error
    _systemctl("daemon-reload")
    typer.echo(f"removed; the memory is still in {_STATE}")


def _unit(user: str | None, config: Path | None, key_file: Path | None) -> str:
    from firmware_bridge.integrations.systemd import unit

    return unit(
        _command(),
        _user(user),
        None if config is None else config.absolute(),
        None if key_file is None else key_file.absolute(),
    )


def _command() -> Path:
    return Path(sys.executable).with_name("lobug")


def _user(asked: str | None) -> str:
    name = asked or os.environ.get("SUDO_USER") or getpass.getuser()
    try:
        return pwd.getpwnam(name).pw_name
    except KeyError as error:
        raise BridgeError(f"there is no user {name!r} on this machine", "give --user NAME") from error


def _systemctl(*arguments: str) -> None:
    if _run(*arguments):
        raise BridgeError(f"systemctl {' '.join(arguments)} failed", f"see `systemctl status {_NAME}`; the unit stays")


def _run(*arguments: str) -> int:
    try:
        return subprocess.run(["systemctl", *arguments], check=False).returncode  # noqa: S603, S607
    except OSError as error:
        raise BridgeError("this machine has no systemd", "run `lobug serve` by other means") from error
