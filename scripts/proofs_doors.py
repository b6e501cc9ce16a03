"""What is promised about the ways in: the cable, the routes, and what the service may do."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from proof import Row
from prove_cable import replug
from prove_frames import prove as prove_frames

ROOT = Path(__file__).resolve().parents[1]
_LONGEST_AWAY_SECONDS = 2.0


def frames(share: float) -> Iterator[Row]:
    """1,000,000 frames of the cable, half of them damaged. Lost: intact ones. Broken: accepted wrongly, crashes."""
    told = prove_frames(max(int(1_000_000 * share), 100), 1)
    lost, accepted, crashes = (int(str(told[name])) for name in ("intact lost", "accepted wrongly", "crashes"))
    yield Row("damaged frames", "lobug", int(str(told["frames"])), lost, accepted + crashes)


def cable(share: float) -> Iterator[Row]:
    """1,000 replugs during turns of the device's code under MicroPython. Broken: doubled, or back after 2 s or more."""
    with tempfile.TemporaryDirectory() as folder:
        told = asyncio.run(replug(max(int(1_000 * share), 10), 1, Path(folder)))
    lost, doubled = (int(told[f"turns {what}"] + told[f"answers {what}"]) for what in ("lost", "doubled"))
    longest = told["back after, longest s"]
    name = f"lobug: {told['turns']} turns, back within {longest:.2f} s"
    yield Row("replugs", name, int(told["replugs"]), lost, doubled + (longest > _LONGEST_AWAY_SECONDS))


def doors(share: float) -> Iterator[Row]:
    """Every route with every wrong token and foreign origin, and a foreign page in Chromium. Tries: tests, which count
    the requests. Broken: those that fail.
    """
    yield _tested("doors", "tests/component/test_doors.py", "tests/component/test_browser_doors.py")


def sandbox(share: float) -> Iterator[Row]:
    """The unit's exposure by `systemd-analyze security`, 2.0 at most."""
    yield _tested("sandbox", "tests/system/test_service.py")


def _tested(promise: str, *files: str) -> Row:
    command = [sys.executable, "-m", "pytest", "-q", "-n0", *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    counted = {what: int(count) for count, what in re.findall(r"(\d+) (passed|failed|errors?|skipped)", done.stdout)}
    if done.returncode:
        print(done.stdout[-4_000:], done.stderr[-1_000:], file=sys.stderr)
    skipped = f", {counted['skipped']} skipped" if "skipped" in counted else ""
    passed = counted.get("passed", 0)
    return Row(promise, f"lobug: tests passed{skipped}", passed, 0, int(bool(done.returncode) or not passed))


DOORS: dict[str, Callable[[float], Iterator[Row]]] = {
    "frames": frames,
    "cable": cable,
    "doors": doors,
    "sandbox": sandbox,
}
