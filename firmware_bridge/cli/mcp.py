"""`lobug mcp`."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from firmware_bridge import __version__
from firmware_bridge.cli.console import ConfigFile, DataDir
from firmware_bridge.errors import ADD_EXTRAS, ExtraMissing

_PORT = 8322


def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP on this machine, instead of stdin and stdout.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port for --http; 0 takes a free one.")] = _PORT,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Give an assistant this memory as tools (MCP)."""
    try:
        from firmware_bridge.integrations.mcp_serving import listen, speak
    except ModuleNotFoundError as error:
        raise ExtraMissing(f"{error.name} is not installed", ADD_EXTRAS) from error
    from firmware_bridge.app.guest import guest_memory
    from firmware_bridge.settings import load_settings

    settings = load_settings({"data_dir": data_dir}, config)

    def announce(url: str) -> None:
        typer.echo(f"MCP at {url} (memory in {settings.data_dir}); Ctrl-C stops it.")

    async def run() -> None:
        async with guest_memory(settings) as open_memory:
            if http:
                await listen(open_memory, __version__, port, announce, trust_loopback=settings.server.trust_loopback)
            else:
                await speak(open_memory, __version__)

    asyncio.run(run())
