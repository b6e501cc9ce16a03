"""`lobug serve`."""

from __future__ import annotations

import asyncio
import sys
from typing import Annotated

import typer

from firmware_bridge.cli.console import ConfigFile, DataDir, Set, set_flags
from firmware_bridge.cli.greeting import greeting, profile_told, speed_told


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.", show_default="8321")] = None,
    data_dir: DataDir = None,
    profile: Annotated[str | None, typer.Option(help="tiny, small or base.", show_default="by free memory")] = None,
    config: ConfigFile = None,
    allow_pairing: Annotated[
        bool, typer.Option("--allow-pairing", help="Listen on the network before the first device is paired.")
    ] = False,
    wyoming: Annotated[
        bool, typer.Option("--wyoming", help="Let Home Assistant hear, speak and talk through it, on port 10300.")
    ] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Refuse connections that leave this machine.")] = False,
    more: Set = None,
) -> None:
    """Run the companion until Ctrl-C."""
    from firmware_bridge.settings import load_settings

    flags = {
        "server.host": host,
        "server.port": port,
        "data_dir": data_dir,
        "model.profile": profile,
        "server.allow_pairing": allow_pairing or None,
        "wyoming.enabled": wyoming or None,
        "offline": offline or None,
    }
    given = {key: value for key, value in flags.items() if value is not None}
    settings = load_settings(set_flags(more) | given, config)
    from firmware_bridge.app.serving import serve as run

    if not sys.stdout.isatty():

        def announce(address: str) -> None:
            typer.echo(f"{settings.persona.name} answers at {address} (memory in {settings.data_dir})")

        asyncio.run(run(settings, announce))
        return
    carried = profile_told(settings)
    asyncio.run(
        run(
            settings,
            lambda address: typer.echo("\n".join(greeting(settings, address, carried))),
            lambda speed: typer.echo(speed_told(speed)),
        )
    )
