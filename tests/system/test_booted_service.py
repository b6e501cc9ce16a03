"""`lobug service` with a systemd that was really booted, and the companion within all that its unit forbids."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from booted import USER, Booted, booted, cannot
from companion_process import LOBUG, Client

SERVICE = "lobug.service"
OWN_CONFIG = "/etc/lobug.toml"
CONFIG = """\
server.port = 0
model = { profile = "tiny", threads = 1, max_reply_tokens = 24 }
speech = { enabled = "on", threads = 1 }
serial.ports = []
"""
# As the unit has it, a minute of silence and half a minute to end by itself: nothing here needs as long.
SOONER = """\
[Service]
WatchdogSec=20
TimeoutAbortSec=5
"""
pytestmark = [pytest.mark.weights, pytest.mark.speech, pytest.mark.timeout(1500)]


@pytest.fixture
def machine() -> Iterator[Booted]:
    if cannot():
        pytest.skip(cannot())
    with booted() as machine:
        if isinstance(machine, str):
            pytest.skip(machine)
        yield machine


def test_it_lives_as_a_service(machine: Booted) -> None:
    checked(machine, LOBUG, "memory", "learn", "the ladder is in the shed", user=USER)
    checked(machine, "tee", OWN_CONFIG, typed=CONFIG)
    as_if_by_sudo = ("env", f"SUDO_USER={USER}", LOBUG, "service")
    told = checked(machine, *as_if_by_sudo, "install", "--config", OWN_CONFIG, typed="y\n")
    assert "copy what is remembered in /home/alex/.local/share/lobug/memory.db there" in told

    assert "active (running)" in checked(machine, LOBUG, "service", "status")
    assert checked(machine, "stat", "--format", "%U %a", "/var/lib/lobug").split() == [USER, "700"]
    first = client(machine, 1)
    assert first.say("my name is Mirko")["action"] == "respond"
    status, answer = first.ask("/chat/audio", first.spoken("What is my name?"), {"Content-Type": "audio/wav"})
    assert (status, answer["action"]) == (200, "respond"), machine.journal(SERVICE)
    assert "my name" in answer["heard"]
    while first.get("/health")[1]["memory"]["jobs_pending"]:
        time.sleep(0.2)
    known = checked(machine, LOBUG, "memory", "list", user=USER)
    assert "Mirko" in known
    assert "ladder" in known
    checked(machine, LOBUG, "backup", user=USER)

    checked(machine, "mkdir", f"/etc/systemd/system/{SERVICE}.d")
    checked(machine, "tee", f"/etc/systemd/system/{SERVICE}.d/sooner.conf", typed=SOONER)
    checked(machine, "systemctl", "daemon-reload")
    starts(machine, "kill", "--signal=KILL", SERVICE)
    assert client(machine, 2).say("hello")["action"] == "respond"
    starts(machine, "kill", "--signal=STOP", SERVICE)  # only the watchdog notices that it hangs

    checked(machine, "systemctl", "stop", SERVICE)
    assert machine.property(SERVICE, "Result") == "success"
    assert machine.run(LOBUG, "service", "status").returncode == 3
    assert "removed" in checked(machine, LOBUG, "service", "uninstall", typed="y\n")
    assert machine.property(SERVICE, "LoadState") == "not-found"
    assert "Mirko" in checked(machine, LOBUG, "memory", "list", user=USER)


def checked(machine: Booted, *command: str, user: str = "root", typed: str = "") -> str:
    done = machine.run(*command, user=user, typed=typed)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}\n{machine.journal(SERVICE)}"
    return done.stdout


def client(machine: Booted, start: int) -> Client:
    """Of the companion as it was started for the first, second ... time."""
    while len(addresses := re.findall(r"answers at (http://\S+)", machine.journal(SERVICE))) < start:
        time.sleep(0.2)  # the journal may come a little later
    return Client(addresses[start - 1])


def starts(machine: Booted, *command: str) -> None:
    """After `systemctl <command>` it is ended and started anew."""
    before = int(machine.property(SERVICE, "NRestarts"))
    checked(machine, "systemctl", *command)
    machine.wait_for(SERVICE, "NRestarts", str(before + 1))
    machine.wait_for(SERVICE, "ActiveState", "active")
