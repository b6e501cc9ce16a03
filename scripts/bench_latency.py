#!/usr/bin/env -S .venv/bin/python
"""Does a reply wait for memory? The same questions to an idle companion, and to one whose memory is at work.

Real weights, real HTTP. Low thresholds keep the model writing summaries behind the replies; a busy answer counts only
if jobs waited before and after it. Medians, and their ratio.
usage: scripts/bench_latency.py [--profile small] [--probes 12] [--json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "system")]

from companion_process import Companion

_TOLD = "the {} in the hall belongs to {}"
_THINGS = ("lamp", "clock", "chair", "mirror", "chest", "carpet", "ladder", "vase", "basket", "coat")
_WHO = ("Greta", "Otto", "Bruno", "Jana", "Sven", "Mara")
_BUSY = {
    "LOBUG_MEMORY__SHORT_TERM_THRESHOLD": "4",
    "LOBUG_MEMORY__SHORT_TERM_KEEP": "1",
    "LOBUG_MODEL__TEMPERATURE": "0",
}
_TIMINGS = ("prompt_tokens_read", "reply_tokens", "first_token_ms", "total_ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", default="small")
    parser.add_argument("--probes", type=int, default=12)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        with Companion(data, "--profile", options.profile, environment=_BUSY, reply_tokens=None) as companion:
            companion.wait_for(lambda health: health["status"] == "ok")
            measured = measure(companion, options.probes)
    if options.json:
        print(json.dumps(measured, indent=2))
        return
    for name in _TIMINGS:
        row = measured[name]
        print(f"{name:<18} idle {row['idle']:8.1f}   busy {row['busy']:8.1f}   ratio {row['ratio']:.2f}")
    print(f"{measured['idle']} idle and {measured['busy']} busy replies, profile {options.profile}")


def measure(companion: Companion, probes: int) -> dict[str, Any]:
    """Medians of what the companion reports, and how many replies they stand on."""
    companion.say("good morning", "warm-up")
    companion.wait_until_digested()
    idle = []
    for number in range(probes):
        idle.append(ask(companion, f"idle-{number}"))
        companion.wait_until_digested()
    busy = []
    for number in range(4 * probes):
        thing, who = _THINGS[number % len(_THINGS)], _WHO[number % len(_WHO)]
        companion.say(_TOLD.format(thing, who), "told")
        if not pending(companion):
            continue
        timings = ask(companion, f"busy-{number}")
        if pending(companion):
            busy.append(timings)
        if len(busy) == probes:
            break
    if not busy:
        sys.exit("memory was never busy: nothing was measured")
    rows = {name: compared(idle, busy, name) for name in _TIMINGS}
    return rows | {"idle": len(idle), "busy": len(busy)}


def ask(companion: Companion, session_id: str) -> dict[str, float]:
    """The timings of a reply that the model writes itself, in a session of its own, so that each prompt is as long."""
    timings: dict[str, float] = companion.say("tell me something nice", session_id)["timings"]
    return timings


def pending(companion: Companion) -> int:
    count: int = companion.health()["memory"]["jobs_pending"]
    return count


def compared(idle: list[dict[str, float]], busy: list[dict[str, float]], name: str) -> dict[str, float]:
    before, after = (statistics.median(one[name] for one in rows) for rows in (idle, busy))
    return {"idle": before, "busy": after, "ratio": round(after / before, 3) if before else 0.0}


if __name__ == "__main__":
    main()
