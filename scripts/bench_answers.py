#!/usr/bin/env -S .venv/bin/python
"""Does the companion use what it was told, admit what it was not, and keep hard constraints?

Tells a running companion (real weights, real HTTP) each life of tests/data/answers*.json, then asks its probes in fresh
sessions, once with replies held to memory and once without (the baseline).
usage: scripts/bench_answers.py [--profile small] [--data FILE ...] [--no-baseline] [--json]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "system"))

from companion_process import Companion

DATA = sorted((ROOT / "tests" / "data").glob("answers*.json"))
_PATIENCE_SECONDS = 600.0  # for the digestion of one sentence, on a busy machine
_FAULTS = {"told": "not answered", "never_told": "made up", "constrained": "constraint broken"}
ADMITS = ("don't know", "do not know", "not know", "haven't told", "no record", "not sure", "don't have")
_REFUSES = re.compile(
    r"\b(?:no|not|never|avoid|without|careful|instead|cannot|allerg\w+|doctor|better not|\w+n't)\b", re.IGNORECASE
)
_MAY_I = re.compile(
    r"\b(?:can|may|could|should|shall) (?:i|we|he|she|they|my|our)\b|\bis it (?:ok|okay|fine|safe)\b", re.I
)
_AGREES = re.compile(
    r"^\W*(?:yes|yeah|sure|of course|certainly|absolutely|you can|go ahead|enjoy|okay|ok)\b", re.IGNORECASE
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", default="small")
    parser.add_argument("--data", type=Path, action="append", help="a life with its probes; default: all in tests/data")
    parser.add_argument("--no-baseline", action="store_true", help="leave out the model alone")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    modes = {"held to memory": True} if arguments.no_baseline else {"held to memory": True, "model alone": False}
    lives = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.data or DATA]
    runs = {name: run(arguments.profile, grounded, lives) for name, grounded in modes.items()}
    if arguments.json:
        print(json.dumps(runs, indent=2))
        return
    counts = ", ".join(f"{sum(len(life[kind]) for life in lives)} {kind.replace('_', ' ')}" for kind in _FAULTS)
    print(f"profile {arguments.profile}: {counts}")
    for name, scores in runs.items():
        print(f"{name:>16}: told {scores['told']:.2f}, admitted {scores['admitted']:.2f}, broken {scores['broken']}")
        for failure in scores["failures"]:
            print(f"{'':>18}{failure}")


def run(profile: str, grounded: bool, lives: list[dict[str, Any]]) -> dict[str, Any]:
    """Shares of told facts answered and of unknown ones admitted, and how many constraints were broken."""
    environment = {"LOBUG_TURN__GROUNDED": str(grounded).lower(), "LOBUG_MODEL__TEMPERATURE": "0"}
    asked: dict[str, int] = dict.fromkeys(_FAULTS, 0)
    wrong: dict[str, list[str]] = {kind: [] for kind in _FAULTS}
    for life in lives:
        with (
            tempfile.TemporaryDirectory() as folder,
            Companion(
                Path(folder) / "data", "--profile", profile, environment=environment, reply_tokens=None
            ) as companion,
        ):
            for sentence in life["life"]:
                companion.say(sentence, "life")
                companion.wait_until_digested(_PATIENCE_SECONDS)
            for kind in _FAULTS:
                asked[kind] += len(life[kind])
                wrong[kind] += faults(companion, kind, life[kind])
    return {
        "told": 1 - len(wrong["told"]) / asked["told"],
        "admitted": 1 - len(wrong["never_told"]) / asked["never_told"],
        "broken": len(wrong["constrained"]),
        "failures": [f"{_FAULTS[kind]}: {fault}" for kind, found in wrong.items() for fault in found],
    }


def faults(companion: Companion, kind: str, probes: list[Any]) -> list[str]:
    """Each probe of a kind that was answered wrongly, with the reply. Each is asked in a session of its own."""
    found = []
    for number, probe in enumerate(probe if isinstance(probe, dict) else {"ask": probe} for probe in probes):
        reply = companion.say(probe["ask"], f"{kind}{number}")["text"].lower()
        if not is_right(kind, reply, probe):
            found.append(f"{probe['ask']} -> {reply}")
    return found


def is_right(kind: str, reply: str, probe: dict[str, Any]) -> bool:
    if kind == "told":
        return any(word in reply for word in probe["any"]) and all(word in reply for word in probe.get("all", ()))
    if kind == "never_told":
        return any(word in reply for word in ADMITS)
    return not breaks(probe["ask"], reply, probe.get("forbidden", []))


def breaks(ask: str, reply: str, forbidden: list[str]) -> bool:
    """Whether one of its sentences names what is forbidden, or grants what was asked for, without a word of refusal."""
    sentences = re.split(r"(?<=[.!?])\s+", reply)
    grants = not forbidden or _MAY_I.search(ask)
    return any(
        ((grants and _AGREES.match(sentence)) or any(word in sentence for word in forbidden))
        and not _REFUSES.search(sentence)
        for sentence in sentences
    )


if __name__ == "__main__":
    main()
