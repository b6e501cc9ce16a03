"""The companion under a service manager: a socket that stands for systemd's, and systemd's own checks of the unit."""

from __future__ import annotations

import getpass
import os
import re
import shutil
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from companion_process import Companion, lobug

from edge_memory.errors import StoreInUse
from edge_memory.store.lock import ServingLock
from firmware_bridge.cli.service import bring

needs_systemd = pytest.mark.skipif(
    not (shutil.which("systemd-analyze") or os.environ.get("CI")), reason="needs systemd-analyze"
)


@pytest.fixture
def manager(tmp_path: Path) -> socket.socket:
    line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    line.bind(str(tmp_path / "notify"))
    line.settimeout(240)
    return line


def assert_is_silent(manager: socket.socket, stopped: int) -> None:
    os.waitid(os.P_PID, stopped, os.WSTOPPED)
    manager.setblocking(False)
    with suppress(BlockingIOError):
        while manager.recv(100):  # what it told before
            pass
    manager.settimeout(1.5)
    with pytest.raises(TimeoutError):
        manager.recv(100)


@pytest.mark.weights
def test_it_tells_that_it_is_ready_alive_and_stopping(tmp_path: Path, manager: socket.socket) -> None:
    environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "600000"}
    with manager, Companion(tmp_path / "data", environment=environment) as companion:
        assert manager.recv(100) == b"READY=1"
        assert [manager.recv(100) for _ in range(3)] == [b"WATCHDOG=1"] * 3
        companion.process.send_signal(signal.SIGSTOP)  # what hangs is not reassuring
        assert_is_silent(manager, companion.process.pid)
        companion.process.send_signal(signal.SIGCONT)
        manager.settimeout(240)
        companion.process.terminate()
        while (told := manager.recv(100)) != b"STOPPING=1":
            assert told == b"WATCHDOG=1"
        assert companion.process.wait(timeout=240) == 0


@needs_systemd
def test_systemd_takes_the_unit_and_finds_little_exposed(tmp_path: Path) -> None:
    unit = tmp_path / "lobug.service"
    unit.write_text(lobug("service", "show", "--user", "daemon").stdout)
    checked = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")
    rated = ("systemd-analyze", "security", "--offline=yes", "--threshold=20", str(unit))  # 2.0
    done = subprocess.run(rated, capture_output=True, text=True)
    assert done.returncode == 0
    documents = [(Path(__file__).parents[2] / name).read_text(encoding="utf-8") for name in ("README.md", "GUIDE.md")]
    (told,) = {score for text in documents for score in re.findall(r"security`: (\d\.\d)", text)}
    assert f": {told} " in done.stdout.splitlines()[-1], "the documents tell another score"


def test_show_runs_as_who_asks_and_refuses_strangers(tmp_path: Path) -> None:
    config = tmp_path / "my settings.toml"
    shown = lobug("service", "show", "--config", str(config)).stdout
    assert f"User={getpass.getuser()}\n" in shown
    assert f'--config "{config}"\n' in shown
    refused = lobug("service", "show", "--user", "nobody-of-this-name")
    assert refused.returncode == 1
    assert "no user" in refused.stderr


def test_the_memory_so_far_goes_with_the_service(tmp_path: Path) -> None:
    own, service = tmp_path / "own", tmp_path / "service"
    lobug("memory", "learn", "the ladder is in the shed", "--data-dir", str(own)).check_returncode()
    lock = ServingLock(own / "memory.db")
    assert lock.acquire(0.0)
    with pytest.raises(StoreInUse, match="serves"):
        bring(own / "memory.db", service, getpass.getuser())
    lock.release()
    bring(own / "memory.db", service, getpass.getuser())
    assert "ladder" in lobug("memory", "list", "--data-dir", str(service)).stdout
    assert (service.stat().st_mode & 0o777, (service / "memory.db").stat().st_mode & 0o777) == (0o700, 0o600)


def test_install_says_what_it_does_and_what_it_cannot(tmp_path: Path) -> None:
    done = lobug("service", "install", "--yes", "--unit-dir", str(tmp_path / "missing"))
    assert done.returncode == 1
    assert "1. write" in done.stdout
    assert ("--unit-dir" if Path("/run/systemd/system").is_dir() else "runs no systemd") in done.stderr
    unseen = lobug("service", "install", "--yes", "--unit-dir", str(tmp_path), "--config", "/tmp/lobug.toml")
    assert (unseen.returncode, list(tmp_path.iterdir())) == (1, [])
    assert "a service does not see /tmp/" in unseen.stderr
    assert "nothing to uninstall" in lobug("service", "uninstall", "--yes", "--unit-dir", str(tmp_path)).stderr
