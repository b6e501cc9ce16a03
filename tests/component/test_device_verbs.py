"""`lobug devices` beside a companion that serves the file."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner
from web_house import open_house

from edge_memory.errors import DeviceKnown, DeviceNotFound
from firmware_bridge.cli.main import app
from firmware_bridge.errors import BadId

LOBUG = (sys.executable, "-c", "from firmware_bridge.cli import main; main()")


def lobug(folder: Path, *words: str, answer: str = "") -> str:
    """What `lobug devices` prints. Raises what ends the verb."""
    done = CliRunner().invoke(app, ["devices", *words, "--data-dir", str(folder)], input=answer)
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_devices_are_paired_by_token_listed_renamed_and_revoked(tmp_path: Path) -> None:
    assert "no device is paired" in lobug(tmp_path, "list")
    assert lobug(tmp_path, "pair", "--print-token", "desk", "--place", "study").startswith("lobug_")
    lobug(tmp_path, "rename", "desk", "--name", "Desk lamp")
    (device,) = json.loads(lobug(tmp_path, "list", "--json"))["devices"]
    assert (device["device_id"], device["name"], device["place"]) == ("desk", "Desk lamp", "study")
    assert "token" not in device
    assert "Desk lamp" in lobug(tmp_path, "list")
    with pytest.raises(DeviceKnown, match="paired already"):
        lobug(tmp_path, "pair", "--print-token", "desk")
    assert "nothing changed" in lobug(tmp_path, "revoke", "desk", answer="n\n")
    assert "locked out" in lobug(tmp_path, "revoke", "desk", "--yes")
    for words in (("revoke", "desk", "--yes"), ("rename", "desk", "--name", "x")):
        with pytest.raises(DeviceNotFound):
            lobug(tmp_path, *words)
    with pytest.raises(BadId):
        lobug(tmp_path, "pair", "--print-token", "not an id")


def test_only_a_device_on_a_cable_is_named_before_it_asks(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        lobug(tmp_path, "pair", "desk")
    lobug(tmp_path, "pair", "--print-token", "desk")
    with pytest.raises(DeviceKnown, match="paired already"):
        lobug(tmp_path, "pair", "--cable", "desk")


async def test_the_owners_key_is_printed_once_and_taken_back(tmp_path: Path) -> None:
    def dashboard(*words: str) -> str:
        done = CliRunner().invoke(app, ["dashboard", *words, "--data-dir", str(tmp_path)])
        assert done.exit_code == 0, done.output
        return done.stdout

    assert "on this machine: http://127.0.0.1:8321/" in await asyncio.to_thread(dashboard)
    printed = await asyncio.to_thread(dashboard, "--key")
    key = printed.split("#key=")[1].split()[0]
    async with open_house(tmp_path, trust_loopback=False, host="0.0.0.0") as house:  # with a key it may be reached
        house.url = house.url.replace("0.0.0.0", "127.0.0.1")
        assert (await house.ask("GET", "/devices", key))[0] == 200
        assert "opens nothing" in await asyncio.to_thread(dashboard, "--no-key")
        assert (await house.ask("GET", "/devices", key))[0] == 401


async def test_who_pairs_without_a_companion_is_told(tmp_path: Path) -> None:
    pairing = await asyncio.create_subprocess_exec(
        *(*LOBUG, "devices", "pair", "--data-dir", str(tmp_path)), stderr=asyncio.subprocess.PIPE
    )
    assert pairing.stderr is not None
    assert b"lobug serve --host 0.0.0.0 --allow-pairing" in await pairing.stderr.readline()
    pairing.kill()
    await pairing.wait()


async def test_the_owner_types_the_code_that_the_device_shows(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False) as house:
        pairing = await asyncio.create_subprocess_exec(
            *(*LOBUG, "devices", "pair", "--data-dir", str(tmp_path)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert pairing.stdin is not None
        status, asked = 410, {}
        while status == 410:
            await asyncio.sleep(0.5)  # who asks more often is told to wait
            status, asked = await house.ask("POST", "/device/pair", json={"device_id": "desk"})
        typed = f"12\n{asked['code'][:3]} {asked['code'][3:]}\n"
        out, _ = await pairing.communicate(typed.encode())
        assert pairing.returncode == 0
        assert b"that is not the code" in out
        assert b"desk is paired" in out
        status, paired = await house.ask("POST", "/device/pair", json={"device_id": "desk", "claim": asked["claim"]})
        assert (await house.ask("GET", "/health", paired["token"]))[0] == 200
