"""`lobug say` and `lobug chat`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.cli.console import DEFAULT_URL, AsJson, Url, print_json
from firmware_bridge.errors import BridgeError

Session = Annotated[str, typer.Option("--session", help="The conversation that this belongs to.")]


def say(
    text: Annotated[str, typer.Argument(help="What you say.", show_default=False)] = "",
    wav: Annotated[
        Path | None, typer.Option("--wav", exists=True, dir_okay=False, help="A recording of what you say, instead.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Keep the spoken reply in this WAV file.")] = None,
    session: Session = "default",
    url: Url = DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Say one thing to the running companion, typed or recorded, and print its reply."""
    from firmware_bridge.cli.client import CompanionClient

    client = CompanionClient(url)
    if bool(text) == bool(wav):
        raise typer.BadParameter("give either what you say or --wav with a recording of it")
    if wav is not None:
        answer, sound = asyncio.run(client.speak(wav.read_bytes(), session))
        if out is not None and sound is not None:
            out.write_bytes(sound)
    else:
        answer = asyncio.run(client.say(text, session))
    if as_json:
        print_json(answer)
        return
    if wav is not None:
        typer.secho(f"heard: {answer['heard'] or '(' + answer['reason'] + ')'}", dim=True)
    typer.echo(answer["text"] or f"({answer['action']})")


def chat(session: Session = "default", url: Url = DEFAULT_URL) -> None:
    """Talk with the running companion; replies appear as they are written. Ctrl-D ends it."""
    from firmware_bridge.cli.client import CompanionClient

    asyncio.run(CompanionClient(url).check())
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
