"""`lobug devices` beside a companion that serves the file."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from web_house import open_house

LOBUG = (sys.executable, "-c", "from firmware_bridge.cli import main; main()")


def lobug(folder: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [*LOBUG, "devices", *words, "--data-dir", str(folder)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=60)


def test_devices_are_paired_by_token_listed_renamed_and_revoked(tmp_path: Path) -> None:
    assert "no device is paired" in lobug(tmp_path, "list").stdout
    token = lobug(tmp_path, "pair", "--print-token", "desk", "--place", "study").stdout.strip()
    assert token.startswith("lobug_")
    assert lobug(tmp_path, "rename", "desk", "--name", "Desk lamp").returncode == 0
    (device,) = json.loads(lobug(tmp_path, "list", "--json").stdout)["devices"]
    assert (device["device_id"], device["name"], device["place"]) == ("desk", "Desk lamp", "study")
    assert "token" not in device
    again = lobug(tmp_path, "pair", "--print-token", "desk")
    assert (again.returncode, again.stdout) == (1, "")
    assert "paired already" in again.stderr
    assert "nothing changed" in lobug(tmp_path, "revoke", "desk", stdin="n\n").stdout
    assert "locked out" in lobug(tmp_path, "revoke", "desk", "--yes").stdout
    unknown = lobug(tmp_path, "revoke", "desk", "--yes")
    assert unknown.returncode == 1
    assert "lobug devices list" in unknown.stderr
    assert lobug(tmp_path, "pair", "--print-token", "not an id").returncode == 1


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
            await asyncio.sleep(0.1)
            status, asked = await house.ask("POST", "/device/pair", json={"device_id": "desk"})
        typed = f"12\n{asked['code'][:3]} {asked['code'][3:]}\n"
        out, _ = await pairing.communicate(typed.encode())
        assert pairing.returncode == 0
        assert b"that is not the code" in out
        assert b"desk is paired" in out
        status, paired = await house.ask("POST", "/device/pair", json={"device_id": "desk", "claim": asked["claim"]})
        assert (await house.ask("GET", "/health", paired["token"]))[0] == 200
