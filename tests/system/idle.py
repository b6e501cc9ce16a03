"""What a companion writes while nobody talks to it."""

from __future__ import annotations

import time
from pathlib import Path

from companion_process import Companion
from scripted_server import ScriptedServer


def idle_writes(folder: Path, seconds: float) -> int:
    """Bytes that the kernel took from the whole process for any disk, in so long a time after a digested turn."""
    with (
        ScriptedServer() as models,
        Companion(folder / "home", environment=models.memory_settings) as companion,
    ):
        companion.say("my friend Nora plays the harp")
        companion.wait_until_digested()
        before = _written_at_rest(companion.process.pid)
        time.sleep(seconds)
        return _written(companion.process.pid) - before


def _written_at_rest(pid: int) -> int:
    """Once the last of the work has left nothing to write, which on a busy machine may come late."""
    before = -1
    while (written := _written(pid)) != before:
        before = written
        time.sleep(1.0)
    return written


def _written(pid: int) -> int:
    """See proc_pid_io(5)."""
    lines = Path(f"/proc/{pid}/io").read_text(encoding="ascii").splitlines()
    return int(dict(line.split(": ") for line in lines)["write_bytes"])
