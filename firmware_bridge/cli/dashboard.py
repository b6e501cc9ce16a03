"""`lobug dashboard`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from firmware_bridge.cli.console import ConfigFile, DataDir
from firmware_bridge.cli.house import with_memory

if TYPE_CHECKING:
    from firmware_bridge.settings import ServerSettings


def dashboard(
    key: Annotated[
        bool | None,
        typer.Option("--key/--no-key", help="Print the owner's address with a new key, or take the key back."),
    ] = None,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Where the dashboard is. On this machine it needs no key; a phone does, and only the newest key counts."""
    from firmware_bridge.settings import load_settings

    settings = load_settings({"data_dir": data_dir}, config).server
    if key is None:
        typer.echo(f"on this machine: http://127.0.0.1:{settings.port}/")
        for address in _from_outside(settings):
            typer.echo(f"from the network, with a key (lobug dashboard --key): {address}/")
    elif key:
        secret = with_memory(data_dir, config, lambda memory: memory.devices.renew_owner_key())
        for address in _from_outside(settings, or_any=True):
            typer.echo(f"{address}/#key={secret}")
        if not _from_outside(settings):
            typer.echo(
                "It listens on this machine only: for a phone start it with lobug serve --host 0.0.0.0", err=True
            )
        typer.echo(
            "Open it once on the phone: its browser keeps the key. Whoever has it may do all that you may.", err=True
        )
    else:
        with_memory(data_dir, config, lambda memory: memory.devices.remove_owner_key())
        typer.echo("the key opens nothing any more")


def _from_outside(settings: ServerSettings, *, or_any: bool = False) -> list[str]:
    """Where other machines reach it; while it listens on this one only nothing, or where they would."""
    from firmware_bridge.integrations.mdns import reachable_addresses

    found = reachable_addresses(settings.host)
    if or_any and not found:
        found = reachable_addresses("0.0.0.0") or ["127.0.0.1"]  # noqa: S104 - every address of its own, to be shown
    return [f"http://{address}:{settings.port}" for address in found]
