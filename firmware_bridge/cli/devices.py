"""`lobug devices`: which devices may talk to the companion."""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from firmware_bridge.cli.console import AsJson, ConfigFile, DataDir, Yes, console, group, print_json
from firmware_bridge.cli.house import agreed, when, with_memory

if TYPE_CHECKING:
    from edge_memory.memory import Memory
    from edge_memory.store.devices import Device, Invitation

devices_app = group("Pair devices, and tell who may talk to the companion.")

Name = Annotated[str | None, typer.Option("--name", help="What to call it.", show_default="its id")]
Place = Annotated[str | None, typer.Option("--place", help="Where it stands, such as kitchen.")]
DeviceId = Annotated[str, typer.Argument(help="As `lobug devices list` shows it.")]
_POLL_SECONDS = 0.3
_NOBODY_SERVES = """\
no companion runs yet; from another terminal: lobug serve --host 0.0.0.0 --allow-pairing (without these for a cable)"""


@devices_app.command("list")
def list_devices(data_dir: DataDir = None, config: ConfigFile = None, as_json: AsJson = False) -> None:
    """The paired devices."""
    paired = with_memory(data_dir, config, lambda memory: memory.devices.all())
    if as_json:
        print_json({"devices": [asdict(device) for device in paired]})
    elif paired:
        _print_table(paired)
    else:
        typer.echo("no device is paired; pair one with: lobug devices pair")


@devices_app.command()
def pair(
    device_id: Annotated[str | None, typer.Argument(help="With --cable: this one only.", show_default="any")] = None,
    cable: Annotated[bool, typer.Option("--cable", help="A device on a cable, which needs no code.")] = False,
    name: Name = None,
    place: Place = None,
    user: Annotated[str, typer.Option("--user", help="Whose memory it talks to.")] = "owner",
    replace: Annotated[bool, typer.Option("--replace", help="Let it take the place of one with its id.")] = False,
    print_token: Annotated[
        str | None,
        typer.Option(
            "--print-token", metavar="DEVICE_ID", help="Without asking the device: print a token to copy to it."
        ),
    ] = None,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Let one more device in. Start pairing on it, then type the code that it shows: two minutes, five tries."""
    from edge_memory.store import is_served
    from edge_memory.store.devices import Invitation
    from firmware_bridge.contracts import check_id
    from firmware_bridge.settings import load_settings

    if device_id is not None and not cable:
        raise typer.BadParameter("a device id is for --cable only; others say theirs when they ask")
    invited = check_id("device_id", device_id) if device_id else "" if cable else None
    invitation = Invitation(check_id("user", user), name or "", place or "", replace, invited)
    if print_token is not None:
        known = check_id("device_id", print_token)
        typer.echo(with_memory(data_dir, config, lambda memory: memory.devices.add(known, invitation)))
        return
    if not is_served(load_settings({"data_dir": data_dir}, config).database):
        typer.echo(_NOBODY_SERVES, err=True)
    paired = with_memory(data_dir, config, lambda memory: _pair(memory, invitation))
    typer.echo(f"{paired} is paired")


@devices_app.command()
def ports(
    probing: Annotated[bool, typer.Option("--probe/--no-probe", help="Ask at each port who is there.")] = True,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """The serial ports of this machine, and which device answers there. Nothing is reset."""
    from firmware_bridge.device import Port, Probed, known_ports, probe
    from firmware_bridge.settings import load_settings

    settings = load_settings(config=config).serial
    named = [Port(path, "from the settings", True) for path in settings.ports if path != "auto"]

    async def ask() -> list[Probed]:
        found = [*named, *known_ports()]
        if not probing:
            return [Probed(port, None) for port in found]
        return list(await asyncio.gather(*(probe(port, settings.baud) for port in found)))

    found = asyncio.run(ask())
    if as_json:
        print_json({"ports": [asdict(probed) for probed in found]})
        return
    for probed in found:
        device = f"device {probed.hello.device_id}" if probed.hello else probed.problem
        typer.echo(f"{probed.port.path}  {probed.port.description}  {device}".rstrip())
    if not found:
        typer.echo("no serial port here; is the device plugged in, with a cable that carries data?")


@devices_app.command()
def rename(
    device_id: DeviceId,
    name: Name = None,
    place: Place = None,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Call a device something else, or move it to another place."""
    changed = with_memory(data_dir, config, lambda memory: memory.devices.change(device_id, name=name, place=place))
    _print_table([changed])


@devices_app.command()
def revoke(device_id: DeviceId, yes: Yes = False, data_dir: DataDir = None, config: ConfigFile = None) -> None:
    """Lock a device out, at once. What it heard stays remembered. Asks first."""

    async def run(memory: Memory) -> bool:
        device = await memory.devices.find(device_id)
        if not agreed(f"Revoke {device.name}?", yes):
            return False
        await memory.devices.revoke(device_id)
        return True

    if with_memory(data_dir, config, run):
        typer.echo(f"{device_id} is locked out")


async def _pair(memory: Memory, invitation: Invitation) -> str:
    """The id of the device that was paired. Raises PairingClosed when time or tries ran out."""
    from edge_memory.errors import PairingClosed

    await memory.devices.open_window(invitation)
    try:
        typer.echo("Plug it in now ..." if invitation.by_cable is not None else "Start pairing on the device now ...")
        device_id = await _asking_device(memory)
        window = await memory.devices.window()
        if window is not None and window.confirmed:
            return device_id  # it hangs on a cable and has its token
        typer.echo(f"{device_id} shows a code.")
        while not await memory.devices.confirm(await asyncio.to_thread(_typed_code)):
            if await memory.devices.window() is None:
                raise PairingClosed("that was the last try", "run the command again, and start anew on the device")
            typer.echo("that is not the code")
    except BaseException:
        await memory.devices.close_window()
        raise
    return device_id  # the window stays open for the rest of its time, so that the device can fetch its token


async def _asking_device(memory: Memory) -> str:
    from edge_memory.errors import PairingClosed
    from edge_memory.store.devices import PAIRING_SECONDS

    end = time.monotonic() + PAIRING_SECONDS
    while time.monotonic() < end:
        window = await memory.devices.window()
        if window is not None and window.device_id is not None:
            return window.device_id
        await asyncio.sleep(_POLL_SECONDS)
    raise PairingClosed("no device asked to be paired", "check that it reaches the companion, then try again")


def _typed_code() -> str:
    return "".join(str(typer.prompt("Code")).split()).replace("-", "")


def _print_table(paired: list[Device]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("id", "name", "place", "owner", "session", "paired"):
        table.add_column(column, overflow="fold")
    for device in paired:
        row = (device.device_id, device.name, device.place or "-", device.user_id, device.session_id)
        table.add_row(*row, when(device.paired_at))
    console().print(table)
