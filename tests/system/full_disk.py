"""A disk that is really full: a small file system of its own, filled to the last block, with a companion on it."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion_process import Companion, lobug
from scripted_server import ScriptedServer

_BALLAST = {"LOBUG_STORE__BALLAST_MEGABYTES": "4"}


@contextmanager
def small_disk(folder: Path, kind: str, megabytes: int = 40) -> Iterator[Path]:
    """A mounted tmpfs or ext4. Raises OSError where nobody may mount."""
    disk, image = folder / kind, folder / f"{kind}.img"
    disk.mkdir(parents=True)
    if kind == "ext4":
        with image.open("wb") as file:
            file.truncate(megabytes << 20)
        _run("mkfs.ext4", "-q", "-m", "0", str(image))
        _run("mount", "-o", "loop", str(image), str(disk))
    else:
        _run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(disk))
    try:
        yield disk
    finally:
        _run("umount", str(disk))


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")


def fill(disk: Path) -> Path:
    """To the last byte. Returns the file that has it."""
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (1 << 20, 4_096, 512, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
    return filler


def live_on(disk: Path) -> str:
    """A life on a disk that fills up and becomes free again; what went wrong, if anything."""
    with ScriptedServer() as models:
        environment = models.memory_settings | _BALLAST
        home = disk / "home"
        with Companion(home, environment=environment) as companion:
            companion.say("my friend Zanzibert plays the harp")
            companion.say("my friend Nora plays the drums")
            companion.wait_until_digested()
            lobug("backup", "--data-dir", str(home)).check_returncode()
            filler = fill(disk)
            wrong = _full(companion, disk)
            companion.kill()
        if wrong:
            return wrong
        fill(disk)
        with Companion(home, environment=environment) as companion:  # starts on a full disk, too
            if "storage is full" not in companion.say("i like tea")["text"]:
                return "a start on a full disk does not say that nothing is kept"
            filler.unlink()
            began = time.monotonic()
            while "storage is full" in companion.say("i like tea")["text"]:
                if time.monotonic() - began > 60:
                    return "it does not recover within a minute"
            companion.wait_until_digested()
            texts = [record["text"] for record in companion.get("/memory/records?status=active")[1]["records"]]
        return "" if "The user likes tea" in texts and any("Nora" in text for text in texts) else f"lost: {texts}"


def _full(companion: Companion, disk: Path) -> str:
    """Speaks, forgets and speaks again while nothing can be written."""
    deadline = time.monotonic() + 200
    while "storage is full" not in companion.say("my friend Quentin plays the flute " * 20)["text"]:
        fill(disk)
        if time.monotonic() > deadline:
            return "it does not notice that the disk is full"
    if "the disk is full" not in " ".join(companion.health()["degraded"]):
        return "/health does not tell"
    if not companion.say("what does Nora play")["text"]:
        return "it does not answer"
    companion.say("forget Zanzibert")
    while _holds(disk / "home", b"zanzibert"):
        if time.monotonic() > deadline:
            return "what it was to forget is still on the disk"
        time.sleep(0.2)
    return ""


def _holds(folder: Path, word: bytes) -> bool:
    """But for the wish itself, which is kept as it was said."""
    files = (file.read_bytes().lower() for file in folder.rglob("*.db*") if file.is_file())
    return any(content.replace(b"forget " + word, b"").count(word) for content in files)


def can_mount(folder: Path) -> bool:
    try:
        with small_disk(folder, "tmpfs"):
            return shutil.which("mkfs.ext4") is not None
    except OSError:
        return False
