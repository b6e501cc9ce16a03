"""`lobug replicate` beside a real companion: what is told arrives, what is forgotten goes, and it can be restored."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from companion_process import LOBUG, Companion, lobug
from scripted_server import ScriptedServer

SECRET = "Philomena"
_PATIENCE_SECONDS = 240.0
# Stands for ssh: the command that would run on the other machine runs here.
_SSH = """\
#!/bin/sh
while [ "$1" != nas ]; do shift; done
shift
exec sh -c "$*"
"""


@contextmanager
def replicating(home: Path, target: str, environment: dict[str, str]) -> Iterator[None]:
    command = [LOBUG, "replicate", target, "--every", "0.1", "--data-dir", str(home)]
    with subprocess.Popen(command, env={**os.environ, **environment}, start_new_session=True) as process:
        try:
            yield
        finally:
            process.terminate()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.2)


def rotten(content: bytes) -> bytes:
    """One bit of it is another one; not in the first page, whose checksum a replica does not keep."""
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 1
    return bytes(flipped)


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """An environment where the machine `nas` is reached by ssh."""
    ssh = tmp_path / "bin" / "ssh"
    ssh.parent.mkdir()
    ssh.write_text(_SSH)
    ssh.chmod(0o755)
    return {"PATH": f"{ssh.parent}:{os.environ['PATH']}"}


def test_it_follows_forgets_and_is_restored(tmp_path: Path) -> None:
    home, replica = tmp_path / "home", tmp_path / "nas" / "lobug.db"
    replica.parent.mkdir()
    with ScriptedServer() as server, Companion(home, environment=server.settings) as companion:
        with replicating(home, str(replica), {}):
            companion.say(f"my sister is called {SECRET}")
            until(lambda: any(SECRET.encode() in file.read_bytes() for file in replica.parent.iterdir()))
            companion.say("my dog is called Rex")
            companion.wait_until_digested()
            lobug("memory", "forget", "sister", "--yes", "--data-dir", str(home)).check_returncode()
            until(lambda: b"Rex" in replica.read_bytes() and SECRET.encode() not in replica.read_bytes())
        assert companion.say("my cat is called Miso")["action"] == "respond"  # beside all of this, its log was its own
        companion.wait_until_digested()
        lobug("replicate", str(replica), "--once", "--data-dir", str(home)).check_returncode()
    assert [file.name for file in replica.parent.iterdir()] == ["lobug.db"]
    assert SECRET.encode() not in replica.read_bytes()
    assert replica.stat().st_mode & 0o077 == 0
    away = tmp_path / "another machine"
    lobug("restore", str(replica), "--yes", "--data-dir", str(away)).check_returncode()
    known = lobug("memory", "list", "--data-dir", str(away)).stdout
    assert "Rex" in known
    assert "Miso" in known
    assert SECRET not in known
    replica.write_bytes(rotten(replica.read_bytes()))
    assert "is damaged" in lobug("restore", str(replica), "--yes", "--data-dir", str(away)).stderr


def test_on_another_machine_by_ssh(tmp_path: Path, elsewhere: dict[str, str]) -> None:
    import apsw.sqlite_extra

    home, replica = tmp_path / "home", tmp_path / "there.db"
    lobug("memory", "learn", "the ladder is in the shed", "--data-dir", str(home)).check_returncode()
    asked = ("replicate", f"nas:{replica}", "--once", "--data-dir", str(home))
    refused = lobug(*asked, "--exe", "/none/sqlite3_rsync", environment=elsewhere)
    assert refused.returncode == 1
    assert "sqlite3_rsync on its PATH" in refused.stderr
    lobug(*asked, "--exe", apsw.sqlite_extra.path("sqlite3_rsync"), environment=elsewhere).check_returncode()
    assert b"ladder" in replica.read_bytes()


def test_trouble_is_told_once_and_ends_by_itself(tmp_path: Path) -> None:
    home, replica, told = tmp_path / "home", tmp_path / "later" / "lobug.db", tmp_path / "told"
    lobug("memory", "learn", "the ladder is in the shed", "--data-dir", str(home)).check_returncode()
    command = [LOBUG, "replicate", str(replica), "--every", "0.1", "--data-dir", str(home)]
    with told.open("w") as out, subprocess.Popen(command, stdout=out, stderr=out) as process:
        try:
            until(lambda: "tries again" in told.read_text())
            replica.parent.mkdir()
            until(lambda: "is in step" in told.read_text())
        finally:
            process.terminate()
    assert told.read_text().count("error:") == 1
    assert b"ladder" in replica.read_bytes()


def test_what_cannot_follow_is_refused(tmp_path: Path) -> None:
    home, key = tmp_path / "home", tmp_path / "key"
    assert "start the companion first" in lobug("replicate", "x.db", "--once", "--data-dir", str(home)).stderr
    lobug("memory", "learn", "the ladder is in the shed", "--data-dir", str(home)).check_returncode()
    locked = {"LOBUG_STORE__KEY_FILE": str(key)}
    lobug("encrypt", "--data-dir", str(home), environment=locked).check_returncode()
    refused = lobug("replicate", str(tmp_path / "x.db"), "--once", "--data-dir", str(home), environment=locked)
    assert "lobug backup" in refused.stderr
    assert not (tmp_path / "x.db").exists()
    without_key = lobug("replicate", str(tmp_path / "x.db"), "--once", "--data-dir", str(home))
    assert without_key.returncode == 1
    assert "not a database" in without_key.stderr
