"""The device's own code under real MicroPython, on a pty cable and over HTTP, with the real companion process."""

from __future__ import annotations

import random
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import prove_cable
import pytest
from companion_process import LOBUG, Companion, lobug
from device_process import MICROPYTHON, start_device
from scripted_server import ScriptedServer

from firmware_bridge.device.pty_cable import PtyCable

SAID = [
    "my sister Jörg lives in Graz",
    "你好",
    "the Donaudampfschiff is späte " * 150 + "today",
]  # the last takes several frames


@dataclass(frozen=True)
class House:
    """One companion for all of these tests; each device has a name of its own, and so a conversation."""

    companion: Companion
    cable: PtyCable
    simulated: Path


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    with ScriptedServer() as model, PtyCable(folder / "usb0") as cable:
        simulated = folder / "simulated"
        ports = {"LOBUG_SERIAL__PORTS": f"{cable.host_port},{simulated}"}
        with Companion(folder / "data", environment=ports | model.settings) as companion:
            yield House(companion, cable, simulated)


@pytest.fixture
def flash(tmp_path: Path) -> Path:
    if not Path(MICROPYTHON).exists():
        pytest.skip("MicroPython's unix port is built for x86_64 only")
    return prove_cable.install(tmp_path / "flash")


def test_a_text_conversation_over_the_cable(house: House, flash: Path) -> None:
    device = start_device(flash, "--cable", house.cable.device_port, "--name", "cabled", lines=SAID)
    check_conversation(device, house.companion, "cabled")


def test_a_text_conversation_over_http(house: House, flash: Path) -> None:
    arguments = ("--url", house.companion.url, "--name", "wireless", "--linger", "3000")
    told = check_conversation(start_device(flash, *arguments, lines=SAID), house.companion, "wireless")
    assert "link> up" in told
    assert "face> thinking" in told


def test_a_simulated_device_on_a_cable(house: House, tmp_path: Path) -> None:
    device = simulate(tmp_path, "--cable", str(house.simulated), "--name", "simulated")
    told = check_conversation(device, house.companion, "simulated")
    assert f"simulated is on {house.simulated}" in told
    assert not house.simulated.is_symlink()


def test_a_simulated_device_over_http(house: House, tmp_path: Path) -> None:
    device = simulate(tmp_path, "--url", house.companion.url, "--name", "terminal")
    check_conversation(device, house.companion, "terminal")


def simulate(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    typed = folder / "typed.txt"
    typed.write_text("".join(f"{line}\n" for line in SAID), encoding="utf-8")
    with typed.open() as keyboard:
        command = [LOBUG, "simulate", *arguments]
        return subprocess.Popen(command, stdin=keyboard, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--wav", "no.wav"], "is no recording for a device"),
        (["--cable", "/nowhere/desk"], "cannot be made"),
        (["--name", "../desk"], "name has the wrong shape"),
    ],
)
def test_a_simulated_device_says_what_is_wrong(arguments: list[str], problem: str) -> None:
    done = lobug("simulate", *arguments)
    assert done.returncode == 1
    assert problem in done.stderr
    assert "hint: " in done.stderr


@pytest.mark.parametrize("ending", [signal.SIGHUP, signal.SIGTERM])
def test_a_simulated_cable_goes_with_its_terminal_and_takes_the_place_of_one_that_did_not(
    tmp_path: Path, ending: signal.Signals
) -> None:
    port = tmp_path / "port"
    port.symlink_to("/dev/pts/of-one-that-was-killed")
    device = simulate(tmp_path, "--cable", str(port))
    assert device.stdout is not None
    assert f"is on {port}" in device.stdout.readline()
    device.send_signal(ending)
    device.communicate(timeout=240)
    assert not port.is_symlink()


def check_conversation(device: subprocess.Popen[str], companion: Companion, name: str) -> str:
    """What the device showed, after its turns were found in memory and on its screen, once each."""
    told, _ = device.communicate(timeout=240)
    turns = [turn for turn in companion.get("/memory/turns?limit=100")[1]["turns"] if turn["device_id"] == name]
    assert device.returncode == 0, told
    assert [turn["heard"] for turn in turns] == SAID
    assert told.count("done> ") == len(SAID)
    for turn in turns:
        assert f"done> {turn['action']}: {turn['said']}" in told
    return told


def test_a_device_on_the_network_is_paired_by_the_code_that_it_shows(tmp_path: Path, flash: Path) -> None:
    settings = {"LOBUG_SERVER__TRUST_LOOPBACK": "false"}
    with ScriptedServer() as model, Companion(tmp_path / "data", environment=settings | model.settings) as companion:
        pairing = subprocess.Popen(
            [LOBUG, "devices", "pair", "--place", "kitchen", "--data-dir", str(companion.data_dir)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert pairing.stdin is not None
        assert pairing.stdout is not None
        assert "Start pairing" in pairing.stdout.readline()
        device = start_device(flash, "--url", companion.url, lines=["hello"])
        assert device.stdout is not None
        code = next(line for line in device.stdout if line.startswith("code> ")).split()[1]
        pairing.stdin.write(f"{code}\n")
        pairing.stdin.close()
        told = device.stdout.read()
        device.stdout.close()
        assert "desk is paired" in pairing.stdout.read()
        assert pairing.wait(240) == device.wait(240) == 0, told
        pairing.stdout.close()
    assert "paired> yes" in told
    assert told.count("done> ") == 1


@pytest.mark.parametrize("way", ["cable", "http"])
def test_a_turn_that_the_companion_died_in_is_answered_after_its_return(tmp_path: Path, flash: Path, way: str) -> None:
    port = _port_of_nobody()
    with ScriptedServer(seconds=1.5) as model, PtyCable(tmp_path / "usb0") as cable:
        settings = {"LOBUG_SERIAL__PORTS": cable.host_port} | model.settings
        link = ("--cable", cable.device_port) if way == "cable" else ("--url", f"http://127.0.0.1:{port}")
        with Companion(tmp_path / "data", "--port", str(port), environment=settings) as companion:
            device = start_device(flash, *link, lines=["nice weather today"])
            while not companion.get("/memory/turns")[1]["turns"]:
                time.sleep(0.02)
            companion.kill()
        with Companion(tmp_path / "data", "--port", str(port), environment=settings) as companion:
            told, _ = device.communicate(timeout=240)
            turns = companion.get("/memory/turns")[1]["turns"]
    assert device.returncode == 0, told
    assert told.count("done> respond: You said nice weather today") == 1
    assert [(turn["heard"], turn["said"]) for turn in turns] == [("nice weather today", "You said nice weather today")]


def test_a_device_on_a_cable_is_paired_without_a_code(house: House, flash: Path) -> None:
    arguments = ("--cable", house.cable.device_port, "--name", "held", "--linger", "5000")
    device = start_device(flash, *arguments, lines=["hello"])
    paired = lobug("devices", "pair", "--cable", "held", "--data-dir", str(house.companion.data_dir))
    told, _ = device.communicate(timeout=240)
    assert paired.stdout.splitlines()[-1] == "held is paired"
    assert "paired> yes" in told


def test_everything_for_the_board_is_micropython(flash: Path) -> None:
    """What needs the board's own modules cannot run here; that it is understood can be shown."""
    script = flash / "understand.py"
    script.write_text(
        "import os\nfor name in os.listdir('lobug'):\n    compile(open('lobug/' + name).read(), name, 'exec')\n"
    )
    done = subprocess.run([MICROPYTHON, str(script)], cwd=flash, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {"main.py", "board_m5.py", "device.py"} <= {path.name for path in (flash / "lobug").iterdir()}


def test_ports_shows_who_answers(tmp_path: Path, flash: Path) -> None:
    with PtyCable(tmp_path / "usb0") as cable:
        device = start_device(flash, "--cable", cable.device_port, lines=["never heard"])
        try:
            done = lobug("devices", "ports", environment={"LOBUG_SERIAL__PORTS": cable.host_port})
        finally:
            device.kill()
            device.communicate()
    assert done.returncode == 0, done.stderr
    assert f"{cable.host_port}  from the settings  device desk" in done.stdout


@pytest.mark.usefixtures("flash")
async def test_no_turn_is_lost_or_doubled_when_the_cable_is_pulled(tmp_path: Path) -> None:
    table = await prove_cable.replug(15, seed=3, folder=_fresh(tmp_path))
    assert table["turns"] >= 5
    assert [table[f"{what} {how}"] for what in ("turns", "answers") for how in ("lost", "doubled")] == [0, 0, 0, 0]


@pytest.mark.usefixtures("flash")
async def test_sound_goes_both_ways_whole(tmp_path: Path) -> None:
    """How fast it goes is told by `scripts/prove_cable.py`."""
    assert (await prove_cable.sound(2, 921_600, 3, _fresh(tmp_path)))["bytes wrong"] == 0


def _fresh(folder: Path) -> Path:
    inner = folder / "proof"
    inner.mkdir()
    return inner


def _port_of_nobody() -> int:
    """Below those that the kernel gives to connections, so that it stays free while the companion is away."""
    first, _ = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    while True:
        port = random.randrange(10_000, int(first))
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
