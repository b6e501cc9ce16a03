"""Which profile a machine can carry."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.weights.catalogue import Catalogue
from firmware_bridge.weights.model import Profile

_MEGABYTE = 1_000_000
_HEADROOM = 1.25
_MEMINFO = Path("/proc/meminfo")


@dataclass(frozen=True, slots=True)
class MachineMemory:
    """In bytes. `available` is what processes can still get without swapping."""

    total: int
    available: int


def needed_bytes(catalogue: Catalogue, profile: Profile) -> int:
    """The measured peaks of a profile's models, and a quarter for speech, long prompts and everyone else."""
    megabytes = sum(model.memory_mb or 0 for model in catalogue.of_profile(profile))
    return int(megabytes * _MEGABYTE * _HEADROOM)


def choose_profile(catalogue: Catalogue, available_bytes: int) -> Profile:
    """The largest profile that fits, the smallest if none does."""
    fitting = [profile for profile in Profile if needed_bytes(catalogue, profile) <= available_bytes]
    return fitting[-1] if fitting else Profile.TINY


def machine_memory(meminfo: Path = _MEMINFO) -> MachineMemory:
    """What the kernel says; where there is no /proc, all memory that is not in use."""
    try:
        fields = dict(line.split(":", 1) for line in meminfo.read_text(encoding="ascii").splitlines())
        total, available = (int(fields[key].split()[0]) * 1024 for key in ("MemTotal", "MemAvailable"))
    except (OSError, ValueError, KeyError):
        page = os.sysconf("SC_PAGE_SIZE")
        total, available = (os.sysconf(name) * page for name in ("SC_PHYS_PAGES", "SC_AVPHYS_PAGES"))
    return MachineMemory(total, available)
