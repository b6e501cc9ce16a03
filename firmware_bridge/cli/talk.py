"""`lobug say` and `lobug chat`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.cli.console import DEFAULT_URL, AsJson, Url, check_writable, print_json
from firmware_bridge.errors import BridgeError

_WHY_IGNORED = {
    "no_speech": "nobody speaks in it",
    "too_short": "what is said in it is too short",
    "too_quiet": "it is too quiet",
    "no_words": "no words could be heard in it",
    "echo": "it is what the companion said itself",
    "not_addressed": "it is not said to the companion: speech.wake_phrase is missing",
}
Session = Annotated[str, typer.Option("--session", help="The conversation that this belongs to.")]


def say(
    text: Annotated[str, typer.Argument(help="What you say.", show_default=False)] = "",
    wav: Annotated[
        Path | None, typer.Option("--wav", exists=True, dir_okay=False, help="A recording of what you say, instead.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", dir_okay=False, help="Keep the spoken reply in this WAV file.")
    ] = None,
    session: Session = "default",
    url: Url = DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Say one thing to the running companion and print its reply. Typed, or a recording."""
    from firmware_bridge.cli.client import CompanionClient

    client = CompanionClient(url)
    if bool(text) == bool(wav):
        raise typer.BadParameter("give either what you say or --wav with a recording of it")
    if out is not None and wav is None:
        raise typer.BadParameter("--out keeps the spoken reply to a recording: give one with --wav")
    if wav is not None:
        if out is not None:
            check_writable(out)
        answer, sound = asyncio.run(client.speak(wav.read_bytes(), session))
        if out is not None and sound is not None:
            out.write_bytes(sound)
        elif out is not None:
            typer.secho(f"nothing was spoken, so nothing was written to {out}", err=True, dim=True)
    else:
        answer = asyncio.run(client.say(text, session))
    if as_json:
        print_json(answer)
        return
    if wav is not None and answer["heard"]:
        typer.secho(f"heard: {answer['heard']}", dim=True)
    typer.echo(answer["text"] or _unanswered(answer.get("reason", "")))


def _unanswered(reason: str) -> str:
    why = _WHY_IGNORED.get(reason, "")
    return f"(not answered: {why})" if why else "(not answered)"


def chat(session: Session = "default", url: Url = DEFAULT_URL) -> None:
    """Talk with the running companion. Replies appear as they are written; Ctrl-D ends it."""
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
            used = len(data["memories"])
            remembered = f", {used} {'memory' if used == 1 else 'memories'}" if used else ""
            ended = f"  ({data['timings'].get('total_ms', 0) / 1000:.1f} s{remembered})"
            typer.secho(ended if data["text"] else f"({data['action']})", dim=True)
