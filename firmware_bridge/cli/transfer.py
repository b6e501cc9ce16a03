"""Memory leaving and coming back: export, import, erase."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from firmware_bridge.cli.console import AsJson, ConfigFile, DataDir, Yes, print_json
from firmware_bridge.cli.house import agreed, count, print_records, with_memory
from firmware_bridge.errors import BridgeError

if TYPE_CHECKING:
    from edge_memory.memory import Memory
    from edge_memory.records import Record

_LARGEST_FILE = 1024**3


def export(
    file: Annotated[Path | None, typer.Argument(help="Where to.", show_default="a new file named by the time")] = None,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Write all that is remembered to a JSON file. To read and to keep; `lobug memory import` takes it in."""
    target = file or Path(time.strftime("lobug-memory-%Y%m%d-%H%M%S.json"))
    document = with_memory(data_dir, config, lambda memory: memory.export())
    try:
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            json.dump(document, out, indent=2, ensure_ascii=False)
    except OSError as error:
        raise BridgeError(f"cannot write {target}: {error.strerror}", "give a new file in a folder of yours") from error
    typer.echo(f"{count(len(document['records']), 'record')}, {count(len(document['turns']), 'turn')} in {target}")


def import_file(
    file: Annotated[Path, typer.Argument(help="What `lobug memory export` wrote.")],
    trust: Annotated[
        bool, typer.Option("--trust", help="The file is your own: what tells an assistant how to talk counts at once.")
    ] = False,
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Take in an exported file. What is here already stays; all of it or, if a row is broken, nothing."""
    from dataclasses import asdict

    document = _read_json(file)
    came = with_memory(data_dir, config, lambda memory: memory.transfer.take_in(document, trusted=trust))
    if as_json:
        print_json(asdict(came))
        return
    typer.echo(
        f"took in {count(came.records, 'record')}, {count(came.turns, 'turn')},"
        f" {came.summaries} summaries, {count(came.base_memory, 'version')} of base memory;"
        f" {count(came.left_out, 'row')} were here already"
    )
    if came.waiting:
        typer.echo(f"{count(came.waiting, 'record')} would tell the assistant how to talk: see `lobug memory review`")


def erase(
    record_id: Annotated[int | None, typer.Option("--id", help="One record.")] = None,
    key: Annotated[
        str | None, typer.Option("--key", help="Every record of a slot, such as user.home or sarah.*.")
    ] = None,
    user: Annotated[str | None, typer.Option("--user", help="Everything of a user.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything of everybody.")] = False,
    yes: Yes = False,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Erase for good: one record, a slot, a user, or all. From the file, its log and its copies; asks first."""
    asked = [option for option in (record_id, key, user) if option is not None]
    if len(asked) + everything != 1:
        raise BridgeError("it is not clear what to erase", "give one of --id, --key, --user and --all")

    async def run(memory: Memory) -> bool:
        if record_id is not None:
            return await _erase_records(memory, await memory.transfer.of_id(record_id), yes)
        if key is not None:
            from edge_memory.memory import OWNER

            return await _erase_records(memory, await memory.transfer.of_key(key, OWNER), yes)
        return await _erase_users(memory, user, yes)

    if with_memory(data_dir, config, run):
        typer.echo("erased")


async def _erase_records(memory: Memory, doomed: list[Record], yes: bool) -> bool:
    print_records(doomed)
    if not agreed(f"Erase {count(len(doomed), 'record')} for good?", yes):
        return False
    await memory.forget(doomed)
    return True


async def _erase_users(memory: Memory, user: str | None, yes: bool) -> bool:
    """None is everybody."""
    known = await memory.transfer.users()
    named = f"the user {user}" if user is not None else f"everybody ({', '.join(known) or 'nobody is known'})"
    if (user is None or user in known) and not agreed(f"Erase all that is known of {named} for good?", yes):
        return False
    if user is None:
        await memory.transfer.erase_everybody()
    else:
        await memory.transfer.erase_user(user)
    return True


def _read_json(file: Path) -> Any:
    try:
        if file.stat().st_size > _LARGEST_FILE:
            raise BridgeError(f"{file} is larger than {_LARGEST_FILE // 1024**2} MB", "give what export wrote")
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BridgeError(
            f"cannot read {file}: {error.strerror}", "give a file that `lobug memory export` wrote"
        ) from error
    except (ValueError, RecursionError) as error:
        raise BridgeError(f"{file} is not JSON: {error}", "give a file that `lobug memory export` wrote") from error
