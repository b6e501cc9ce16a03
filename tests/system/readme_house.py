"""The commands of README.md and GUIDE.md, run as they are written: in a folder like a clone, beside a real companion
on its usual port.

Run as a program it does so, in a network namespace of its own: `readme_house.py FOLDER` prints how each ended. `KINDS`
says of every command how it is run here, or why it cannot be.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from scripted_server import ScriptedServer

from firmware_bridge.errors import BridgeError
from firmware_bridge.weights import Shelf, load_catalogue, weights_dir

ROOT = Path(__file__).resolve().parents[2]
URL = "http://127.0.0.1:8321"
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"(^|\s+)# .*$")
_PATIENCE_SECONDS = 240.0
_HERE = " at http://"


@dataclass(frozen=True, slots=True)
class Runs:
    """Ends by itself, with 0. `typed` is what the person types; `beside` happens meanwhile."""

    typed: str = ""
    beside: Callable[[subprocess.Popen[str]], None] | None = None
    stopped: bool = False
    """Needs that no companion runs."""
    voice: bool = False
    """Needs the weights of speech."""


@dataclass(frozen=True, slots=True)
class Serves:
    """Says that it is there, and ends with `status` when it is told to. `beside` runs at its side."""

    beside: str = ""
    status: int = 0
    says: str = _HERE


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Cannot be run here. `proof` is the test that has it, if one can."""

    why: str
    proof: str = ""


def documents() -> str:
    """What somebody reads who sets it up and uses it."""
    return "\n".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "GUIDE.md"))


def blocks(language: str) -> list[str]:
    """Their code blocks of this language."""
    return [content for named, content in _FENCE.findall(documents()) if named == language]


def languages() -> set[str]:
    return {named for named, _ in _FENCE.findall(documents())}


def commands() -> list[str]:
    """Every command of their shell blocks, in their order, each once, without its comment."""
    lines = (line for block in blocks("sh") for line in block.replace("\\\n", " ").splitlines())
    told = (re.sub(r"\s+", " ", _COMMENT.sub("", line)).strip() for line in lines)
    return list(dict.fromkeys(line for line in told if line))


def paired_as(device_id: str) -> Callable[[subprocess.Popen[str]], None]:
    """A device of this name asks to be let in, and shows the code that its owner types."""

    def pair(verb: subprocess.Popen[str]) -> None:
        asked = _until(lambda: _post("/device/pair", {"device_id": device_id}))
        assert verb.stdin is not None
        verb.stdin.write(f"{asked['code']}\n")
        verb.stdin.flush()
        claim = {"device_id": device_id, "claim": asked["claim"]}
        while "token" not in _post("/device/pair", claim):
            time.sleep(0.1)

    return pair


ACTIVATE = "source .venv/bin/activate"
_SETUP = "fetches dependencies and weights from the network"
_BOARD = "needs a board on a USB cable"
_SYSTEMD = Elsewhere("needs root and a booted systemd", "tests/system/test_booted_service.py")
_DESK = "lobug simulate --cable /tmp/lobug-desk"

KINDS: dict[str, Runs | Serves | Elsewhere] = {
    "scripts/start": Elsewhere(_SETUP, "tests/system/test_greeting.py"),
    ACTIVATE: Runs(),
    'lobug say "my name is Alex and I work at NASA"': Runs(),
    'lobug say "what is my name"': Runs(),
    "lobug chat": Runs(typed="hello\n"),
    "lobug memory list": Runs(),
    "sudo .venv/bin/lobug service install": _SYSTEMD,
    "lobug service status": _SYSTEMD,
    "lobug backup ~/lobug-copy.db": Runs(),
    "lobug restore ~/lobug-copy.db": Runs(typed="y\n", stopped=True),
    "lobug memory export ~/lobug.json": Runs(),
    "lobug replicate ~/lobug-replica.db": Serves(says="is in step with", status=143),
    "lobug restore ~/lobug-replica.db": Runs(typed="y\n", stopped=True),
    "lobug say --wav question.wav --out reply.wav": Runs(voice=True),
    "curl --data-binary @question.wav -H 'Content-Type: audio/wav' -H 'Accept: audio/wav'"
    " http://127.0.0.1:8321/chat/audio > reply.wav": Runs(voice=True),
    "pip install mpremote": Elsewhere("fetches a tool from the network"),
    "mpremote exec \"import os; 'lobug' in os.listdir('/flash') or os.mkdir('/flash/lobug')\""
    " + exec \"import esp32; start = esp32.NVS('uiflow'); start.set_u8('boot_option', 0); start.commit()\""
    " + cp firmware_bridge/m5stack/*.py :/flash/lobug/ + cp firmware_bridge/m5stack/main.py :/flash/main.py"
    " + reset": Elsewhere(_BOARD),
    "lobug devices ports": Runs(),
    "lobug serve": Serves(),
    _DESK: Elsewhere("runs beside the next command"),
    "LOBUG_SERIAL__PORTS=/tmp/lobug-desk lobug serve": Serves(beside=_DESK),
    "lobug serve --host 0.0.0.0 --allow-pairing": Serves(),
    "lobug devices pair --place desk": Runs(beside=paired_as("desk")),
    "lobug devices pair --place kitchen": Runs(beside=paired_as("kitchen-m5")),
    "lobug devices pair --cable kitchen-m5": Elsewhere(_BOARD, "tests/system/test_device.py"),
    "lobug devices list": Runs(),
    "lobug devices revoke kitchen-m5": Runs(typed="y\n"),
    "lobug serve --wyoming": Serves(),
    "lobug mcp": Runs(),
    "lobug mcp --http": Serves(status=143),  # they have nothing to bring to an end: SIGTERM ends them at once
    "mkdir -p ~/.config/lobug && lobug config example > ~/.config/lobug/lobug.toml": Runs(),
    "lobug config check": Runs(),
    "lobug config show --changed": Runs(),
    "scripts/test": Elsewhere(_SETUP),
}


@dataclass(frozen=True, slots=True)
class Ended:
    status: int
    said: str


class House:
    """A folder like a clone, a home of its own, and the environment of somebody who has just set it up."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self.clone, home = folder / "lobug", folder / "home"
        home.mkdir()
        self.clone.mkdir()
        for part in (".venv", "firmware_bridge", "scripts", "tests", "models"):
            (self.clone / part).symlink_to(ROOT / part)
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "PYTHONPATH") if name in os.environ}
        self._environment = {**kept, "HOME": str(home), "LOBUG_MODEL__THREADS": "1", **settings}

    def start(self, command: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["bash", "-ec", f"trap : TERM\n{ACTIVATE}\n{command}"],
            cwd=self.clone,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, command: str, kind: Runs) -> Ended:
        process = self.start(command)
        try:
            if kind.beside is not None:
                kind.beside(process)
            said, _ = process.communicate(kind.typed, timeout=_PATIENCE_SECONDS)
        except (subprocess.TimeoutExpired, TimeoutError):
            _end(process, signal.SIGKILL)
            return Ended(-1, f"did not end: {process.communicate()[0]}")
        return Ended(process.returncode, said)

    def serve(self, command: str, kind: Serves) -> Ended:
        beside = self.start(kind.beside) if kind.beside else None
        process = self.start(command)
        said = _first_words(process, kind.says)
        _end(process, signal.SIGTERM)
        try:
            rest, _ = process.communicate(timeout=_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            _end(process, signal.SIGKILL)
            rest = "did not end"
        if beside is not None:
            _end(beside, signal.SIGKILL)
            beside.communicate()
        return Ended(process.returncode if said else -1, said + rest)


def lacking(kind: Runs | Serves | Elsewhere | None) -> str:
    """What this machine lacks for it; empty if it can be run."""
    if not isinstance(kind, Runs):
        return ""
    return _no_voice() if kind.voice else ""


@cache
def _no_voice() -> str:
    if shutil.which("espeak-ng") is None:
        return "there is no espeak-ng here"
    catalogue = load_catalogue()
    shelf = Shelf(catalogue, weights_dir(Path("unused")))
    try:
        for name in ("whisper-base", "piper-en-us-joe", "silero-vad-v6"):
            shelf.locate(name)
    except BridgeError as error:
        return error.message
    return ""


def live(folder: Path) -> Iterator[tuple[str, Ended]]:
    """Runs what can be run: first beside one companion, then what needs that there is none."""
    with ScriptedServer() as server:
        house = House(folder, server.settings)
        sound = house.clone / "question.wav"
        if shutil.which("espeak-ng"):
            subprocess.run(["espeak-ng", "-w", str(sound), "what is my name"], check=True)
        every = [(command, KINDS.get(command)) for command in commands() if not lacking(KINDS.get(command))]
        companion = house.start("lobug serve")
        _first_words(companion)
        for command, kind in every:
            if isinstance(kind, Runs) and not kind.stopped:
                yield command, house.run(command, kind)
        for number, block in enumerate(blocks("python")):
            (house.clone / "block.py").write_text(block)
            yield f"python {number}", house.run("python block.py", Runs())
        for number, block in enumerate(blocks("toml")):
            (house.clone / "block.toml").write_text(block)
            yield f"toml {number}", house.run("lobug config check block.toml", Runs())
        _end(companion, signal.SIGTERM)
        companion.communicate(timeout=_PATIENCE_SECONDS)
        for command, kind in every:
            if isinstance(kind, Runs) and kind.stopped:
                yield command, house.run(command, kind)
            if isinstance(kind, Serves):
                yield command, house.serve(command, kind)


def _first_words(process: subprocess.Popen[str], awaited: str = _HERE) -> str:
    """What it prints until it says where it is, or what else is `awaited`; empty if it never does."""
    assert process.stdout is not None
    said = ""
    while line := process.stdout.readline():
        said += line
        if awaited in line:
            return said
    return ""


def _end(process: subprocess.Popen[str], by: signal.Signals) -> None:
    if process.poll() is None:
        os.killpg(process.pid, by)


def _post(path: str, body: Any) -> Any:
    asked = urllib.request.Request(URL + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=240) as response:
        return json.load(response)


def _until(work: Callable[[], Any]) -> Any:
    """What it returns once it is answered. Raises TimeoutError."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            return work()
        except urllib.error.HTTPError:
            time.sleep(0.1)
    raise TimeoutError


if __name__ == "__main__":
    for name, ended in live(Path(sys.argv[1])):
        sys.stdout.write(json.dumps({"command": name, "status": ended.status, "said": ended.said}) + "\n")
