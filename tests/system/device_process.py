"""The device's own code in a process of real MicroPython, from a copy of its folder as a board has it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

MICROPYTHON = str(Path(sys.executable).with_name("micropython"))


def start_device(flash: Path, *arguments: str, lines: Iterable[str] = ()) -> subprocess.Popen[str]:
    """Types `lines`, then ends; see `m5stack/desk.py` for the arguments."""
    typed = flash / "typed.txt"
    typed.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    with typed.open() as keyboard:
        return subprocess.Popen(
            [MICROPYTHON, "-m", "lobug.desk", *arguments],
            cwd=flash,
            stdin=keyboard,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
