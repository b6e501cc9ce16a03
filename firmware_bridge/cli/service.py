"""`lobug service`: the companion as a systemd service."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge import SERVICE_FOLDER
from firmware_bridge.cli.console import ConfigFile, Yes, group
from firmware_bridge.cli.house import agreed
from firmware_bridge.errors import BridgeError

service_app = group("Run the companion as a systemd service.")

_NAME = "lobug.service"
_MEMORY = "memory.db"
_FOLDER = Path("/etc/systemd/system")
_BOOTED = Path("/run/systemd/system")
_OTHER_MEANS = "start it otherwise, for instance by `@reboot lobug serve` in `crontab -e`"

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
    """Start the companion now and at every boot. Writes the unit file and brings your memory over; run it with sudo."""
    target, runs_as = unit_dir / _NAME, _user(user)
    content, own = _unit(user, config, key_file), _memory_of(runs_as, SERVICE_FOLDER)
    told = [f"write {target}: it runs {_command()} as {runs_as}, with its memory in {SERVICE_FOLDER}"]
    told += [f"copy what is remembered in {own} there; the old file stays until you delete it"] if own else []
    told += [f"start {_NAME} now, and at every boot"]
    for number, step in enumerate(told, 1):
        typer.echo(f"{number}. {step}")
    if not agreed("Do it?", yes):
        return
    _refuse_unseen(_command(), config, key_file)
    _want_systemd()
    try:
        target.write_text(content, encoding="utf-8")
    except OSError as error:
        again = f"run it as root: sudo {_command()} service install"
        hint = again if isinstance(error, PermissionError) else "check --unit-dir"
        raise BridgeError(f"cannot write {target}: {error.strerror}", hint) from error
    if own:
        bring(own, SERVICE_FOLDER, runs_as, key_file)
    _systemctl("daemon-reload")
    _systemctl("enable", "--now", _NAME)
    typer.echo(f"it runs; `journalctl -u {_NAME}` shows its log")
    typer.echo(f"{runs_as}'s verbs, such as lobug memory list, look at its memory from now on")


@service_app.command()
def status() -> None:
    """Is it running? Exit as systemctl does: 0 if it is."""
    _want_systemd()
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
    typer.echo(f"removed; the memory is still in {SERVICE_FOLDER}, and the verbs go on looking there")


def bring(memory: Path, folder: Path, user: str, key_file: Path | None = None) -> None:
    """Copies a memory file to where the service of `user` looks for it. Raises StoreError."""
    from edge_memory.errors import StoreInUse
    from edge_memory.store import copy_checked, is_served, use_key

    use_key(key_file)
    if is_served(memory):
        raise StoreInUse(f"a companion serves {memory}", "end it with Ctrl-C, then run this again")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy_checked(memory, folder / _MEMORY)
    for made in (folder, folder / _MEMORY):
        shutil.chown(made, user)


def _memory_of(user: str, folder: Path) -> Path | None:
    """What `user` has without a service, if there is nothing in the service's folder yet."""
    own = Path(pwd.getpwnam(user).pw_dir) / ".local/share/lobug" / _MEMORY
    try:
        return own if own.is_file() and not (folder / _MEMORY).exists() else None
    except PermissionError:  # somebody else's: installing fails anyhow
        return None


def _unit(user: str | None, config: Path | None, key_file: Path | None) -> str:
    from firmware_bridge.integrations.systemd import unit

    return unit(
        _command(),
        _user(user),
        None if config is None else config.absolute(),
        None if key_file is None else key_file.absolute(),
    )


def _refuse_unseen(*paths: Path | None) -> None:
    """The unit gives the service a /tmp of its own."""
    for path in paths:
        if path is not None and {Path("/tmp"), Path("/var/tmp")} & {*path.absolute().parents}:  # noqa: S108
            hint = f"move it, for instance to /opt, then run: sudo {_command()} service install"
            raise BridgeError(f"a service does not see {path.absolute()}: its /tmp is empty", hint)


def _command() -> Path:
    return Path(sys.executable).with_name("lobug")


def _user(asked: str | None) -> str:
    name = asked or os.environ.get("SUDO_USER") or getpass.getuser()
    try:
        return pwd.getpwnam(name).pw_name
    except KeyError as error:
        raise BridgeError(f"there is no user {name!r} on this machine", "give --user NAME") from error


def _want_systemd() -> None:
    if not _BOOTED.is_dir():  # as sd_booted(3) asks it
        raise BridgeError("this machine runs no systemd", _OTHER_MEANS)


def _systemctl(*arguments: str) -> None:
    if _run(*arguments):
        raise BridgeError(f"systemctl {' '.join(arguments)} failed", f"see `systemctl status {_NAME}`; the unit stays")


def _run(*arguments: str) -> int:
    try:
        return subprocess.run(["systemctl", *arguments], check=False).returncode  # noqa: S603, S607
    except OSError as error:
        raise BridgeError("this machine has no systemd", _OTHER_MEANS) from error
