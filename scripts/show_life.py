#!/usr/bin/env -S .venv/bin/python
"""What memory shows of one life: hears labelled turns by rules alone, then runs the verbs that a user would.

usage: scripts/show_life.py [--data FILE]      default: tests/data/turns_nurse.jsonl, its first 50 turns
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from edge_memory.memory import Memory
from edge_memory.records import UserTurn
from edge_memory.store.conversation import Answer
from firmware_bridge.cli.main import app

_DATA = Path(__file__).resolve().parents[1] / "tests" / "data" / "turns_nurse.jsonl"
_TURNS = 50
_NOON, _BETWEEN_TURNS = 1_790_000_000.0, 3_600.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_DATA)
    turns = [json.loads(line) for line in parser.parse_args().data.read_text(encoding="utf-8").splitlines()][:_TURNS]
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(live(Path(folder) / "memory.db", turns))
        for verb in (("list",), ("profile", "show"), ("review", "list")):
            show(folder, *verb)
        for record_id in most_changed(folder):
            show(folder, "inspect", str(record_id))


async def live(path: Path, turns: Sequence[dict[str, Any]]) -> None:
    now = _NOON
    async with Memory(path, serve=True, clock=lambda: now) as memory:
        for turn in turns:
            now += _BETWEEN_TURNS
            heard = UserTurn(turn["id"], f"session-{turn['session']}", "owner", turn["text"], now)
            await memory.hear(heard)
            await memory.answer(Answer(heard, "I see.", "respond", {}, now))
            while await memory.digest_once():
                pass


def most_changed(folder: str) -> list[int]:
    """The ids of the longest row of records of which each replaced the one before, oldest first."""
    listed = json.loads(verb(folder, "list", "--limit", "1000", "--json"))["records"]
    looked = {one["id"]: json.loads(verb(folder, "inspect", str(one["id"]), "--json")) for one in listed}
    chains = []
    for record_id in looked:
        chain = [record_id]
        while following := looked[chain[-1]]["replaced_by"]:
            chain.append(following)
        chains.append(chain)
    return max(chains, key=len, default=[])


def show(folder: str, *words: str) -> None:
    print(f"$ lobug memory {' '.join(words)}\n{verb(folder, *words)}")


def verb(folder: str, *words: str) -> str:
    done = CliRunner().invoke(app, ["memory", *words, "--data-dir", folder])
    if done.exception is not None:
        raise done.exception
    return done.stdout


if __name__ == "__main__":
    main()
