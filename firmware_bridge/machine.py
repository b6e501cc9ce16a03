"""The machine that the companion runs on."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")


@dataclass(frozen=True, slots=True)
class MachineMemory:
    """In bytes. `available` is what processes can still get without swapping."""

    total: int
    available: int


def machine_memory(meminfo: Path = _MEMINFO) -> MachineMemory:
    """What the kernel says; where there is no /proc, all memory that is not in use."""
    try:
        fields = dict(line.split(":", 1) for line in meminfo.read_text(encoding="ascii").splitlines())
        total, available = (int(fields[key].split()[0]) * 1024 for key in ("MemTotal", "MemAvailable"))
    except (OSError, ValueError, KeyError):
        page = os.sysconf("SC_PAGE_SIZE")
        total, available = (os.sysconf(name) * page for name in ("SC_PHYS_PAGES", "SC_AVPHYS_PAGES"))
    return MachineMemory(total, available)


def default_threads() -> int:
    """Threads for native work. Above four processors, half of them are usually second threads of the same cores."""
    usable = len(os.sched_getaffinity(0))
    return usable if usable <= 4 else usable // 2
