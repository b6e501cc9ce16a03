"""`lobug say` and `lobug chat`."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from firmware_bridge.cli.console import DEFAULT_URL, AsJson, Url, print_json
from firmware_bridge.errors import BridgeError

Session = Annotated[str, typer.Option("--session", help="The conversation that this belongs to.")]


def say(
    text: Annotated[str, typer.Argument(help="What you say.")],
    session: Session = "default",
    url: Url = DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Say one thing to the running companion and print its reply."""
    from firmware_bridge.cli.client import CompanionClient

    answer = asyncio.run(CompanionClient(url).say(text, session))
    if as_json:
        print_json(answer)
    else:
        typer.echo(answer["text"] or f"({answer['action']})")


def chat(session: Session = "default", url: Url = DEFAULT_URL) -> None:
    """Talk with the running companion; replies appear as they are written. Ctrl-D ends it."""
    typer.echo("Talk to it; Ctrl-D ends.")
    while True:
        try:
            text = input("you> ").strip()
        except EOFError:
            typer.echo("")
            return
        if text:
            try:
                asyncio.run(_exchange(text, session, url))
            except BridgeError as error:
                typer.secho(f"{error.message} ({error.hint})", err=True, fg="red")


async def _exchange(text: str, session: str, url: str) -> None:
    from firmware_bridge.cli.client import CompanionClient

    typer.echo("     ", nl=False)
    async for event, data in CompanionClient(url).stream(text, session):
        if event == "delta":
            typer.echo(data["text"], nl=False)
        elif event == "done":
            remembered = f", {len(data['memories'])} memories" if data["memories"] else ""
            ended = f"  ({data['timings'].get('total_ms', 0) / 1000:.1f} s{remembered})"
            typer.secho(ended if data["text"] else f"({data['action']})", dim=True)
