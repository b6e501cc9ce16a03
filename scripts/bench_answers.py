"""Does the companion use what it was told, admit what it was not, and keep hard constraints?

Tells a running companion (real weights, real HTTP) the life of tests/data/answers.json, then asks its probes in fresh
sessions, once with replies held to memory and once without (the baseline).
usage: scripts/bench_answers.py [--profile small] [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "system"))

from companion_process import Companion  # noqa: E402 - it lies beside the system tests

PROBES = json.loads((ROOT / "tests" / "data" / "answers.json").read_text(encoding="utf-8"))
_FAULTS = {"told": "not answered", "admitted": "made up", "broken": "constraint broken"}
ADMITS = ("don't know", "do not know", "not know", "haven't told", "no record", "not sure", "don't have")
REFUSES = ("no", "not", "n't", "avoid", "without", "careful", "instead", "never", "allerg", "doctor")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", default="small")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    modes = {"held to memory": True, "model alone": False}
    runs = {name: run(arguments.profile, grounded) for name, grounded in modes.items()}
    if arguments.json:
        print(json.dumps(runs, indent=2))
        return
    counts = ", ".join(
        f"{len(PROBES[kind])} {kind.replace('_', ' ')}" for kind in ("told", "never_told", "constrained")
    )
    print(f"profile {arguments.profile}: {counts}")
    for name, scores in runs.items():
        print(f"{name:>16}: told {scores['told']:.2f}, admitted {scores['admitted']:.2f}, broken {scores['broken']}")
        for failure in scores["failures"]:
            print(f"{'':>18}{failure}")


def run(profile: str, grounded: bool) -> dict[str, Any]:
    """Shares of told facts answered and of unknown ones admitted, and how many constraints were broken."""
    environment = {"LOBUG_TURN__GROUNDED": str(grounded).lower(), "LOBUG_MODEL__TEMPERATURE": "0"}
    with (
        tempfile.TemporaryDirectory() as folder,
        Companion(Path(folder) / "data", "--profile", profile, environment=environment) as companion,
    ):
        for sentence in PROBES["life"]:
            companion.say(sentence, "life")
            companion.wait_until_digested()
        wrong = {
            "told": [probe for probe in asked(companion, "told") if not any(word in probe[1] for word in probe[2])],
            "admitted": [
                probe for probe in asked(companion, "never_told") if not any(word in probe[1] for word in ADMITS)
            ],
            "broken": [probe for probe in asked(companion, "constrained") if breaks(probe[1], probe[2])],
        }
    return {
        "told": 1 - len(wrong["told"]) / len(PROBES["told"]),
        "admitted": 1 - len(wrong["admitted"]) / len(PROBES["never_told"]),
        "broken": len(wrong["broken"]),
        "failures": [
            f"{_FAULTS[kind]}: {ask} -> {reply}" for kind, probes in wrong.items() for ask, reply, _ in probes
        ],
    }


def asked(companion: Companion, kind: str) -> list[tuple[str, str, list[str]]]:
    """Each probe of a kind with the reply in lower case, asked in a session of its own."""
    probes = [probe if isinstance(probe, dict) else {"ask": probe} for probe in PROBES[kind]]
    return [
        (
            probe["ask"],
            companion.say(probe["ask"], f"{kind}{number}")["text"].lower(),
            probe.get("any") or probe.get("forbidden") or [],
        )
        for number, probe in enumerate(probes)
    ]


def breaks(reply: str, forbidden: list[str]) -> bool:
    """Whether a reply allows or suggests what is forbidden without a word of refusal."""
    agrees = reply.startswith(("yes", "sure", "of course", "you can"))
    return not any(word in reply for word in REFUSES) and (agrees or any(word in reply for word in forbidden))


if __name__ == "__main__":
    main()
