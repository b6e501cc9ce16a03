#!/usr/bin/env -S .venv/bin/python
"""How much of what a question needs does recall find, and how quickly? Dialogues in the format of LoCoMo.

Each dialogue goes into a memory.db of its own by `Memory.overhear`, gets its vectors from the job that a companion
runs, and each question is asked by `Memory.look_up`. A dialogue's evidence ids name the turns that answer a question;
R@k is the share of them among the first k, any@k and all@k the share of questions with one or all of them there.
What a turn's picture shows counts as said. Vectors are cached by text, so that a second run is quick.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from locomo import Question, questions_of, turns_of
from recall_speed import SIZES, measure_speed

from edge_memory.memory import Memory
from edge_memory.protocols import Embedder, Purpose, Vectors
from edge_memory.recall import Ranker

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data" / "locomo_dev.json"
WEIGHTS = ROOT / "models" / "all-MiniLM-L6-v2.f16.gguf"
CACHE = Path(tempfile.gettempdir()) / "lobug-bench-vectors.npz"
MOST = 10
ABLATIONS: dict[str, tuple[Ranker, frozenset[str]]] = {ranker.value: (ranker, frozenset()) for ranker in Ranker} | {
    f"fused, {name}": (Ranker.FUSED, frozenset(without))
    for name, without in {
        "words only": ("cosine", "near", "asked"),
        "vectors only": ("words",),
        "no session bonus": ("session",),
        "no neighbours": ("near", "asked", "around"),
        "no neighbours' words": ("around",),
        "no neighbours' vectors": ("near", "asked"),
        "no answers": ("asked",),
        "no speaker": ("speaker",),
        "no length": ("length",),
        "no question": ("question",),
        "no kind of thing": ("kind",),
        "no discount of both": ("both",),
    }.items()
}


@dataclass
class Tally:
    """What every question of one ranker found. Ranks count from 0; what was not found has none."""

    ranks: list[tuple[Question, list[int]]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def measures(self) -> dict[str, Any]:
        categories = sorted({question.category for question, _ in self.ranks})
        return (
            {"questions": len(self.ranks)}
            | _quality(self.ranks)
            | {
                "p50_ms": round(float(np.percentile(self.milliseconds, 50)), 2),
                "p95_ms": round(float(np.percentile(self.milliseconds, 95)), 2),
                "per_category": {
                    category: {"questions": len(rows)} | _quality(rows)
                    for category in categories
                    if (rows := [row for row in self.ranks if row[0].category == category])
                },
            }
        )


def _quality(ranks: Sequence[tuple[Question, list[int]]]) -> dict[str, float]:
    def mean(value: Callable[[Question, list[int]], float]) -> float:
        return round(sum(value(question, found) for question, found in ranks) / max(len(ranks), 1), 4)

    def share(k: int) -> Callable[[Question, list[int]], float]:
        return lambda question, found: sum(rank < k for rank in found) / len(question.evidence)

    return {
        "R@5": mean(share(5)),
        "R@10": mean(share(10)),
        "any@10": mean(lambda _, found: float(bool(found))),
        "all@10": mean(lambda question, found: float(len(found) == len(question.evidence))),
        "MRR": mean(lambda _, found: 1.0 / (1 + min(found)) if found else 0.0),
    }


class CachingEmbedder:
    """An embedder that asks another one only for what it has not seen."""

    def __init__(self, inner: Embedder, path: Path) -> None:
        self._inner, self._path, self._new = inner, path, False
        self._known: dict[str, Vectors] = {}
        if path.exists():
            with np.load(path) as stored:
                self._known = dict(zip(stored["keys"].tolist(), stored["rows"], strict=True))

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        keys = [hashlib.sha256(f"{self.name}\0{purpose}\0{text}".encode()).hexdigest() for text in texts]
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if fresh:
            self._new = True
            self._known |= dict(zip(fresh, await self._inner.embed(list(fresh.values()), purpose), strict=True))
        return np.stack([self._known[key] for key in keys]) if keys else np.empty((0, self.dimension), np.float32)

    def save(self) -> None:
        if self._new:
            np.savez(self._path, keys=np.array(list(self._known)), rows=np.stack(list(self._known.values())))


async def ask(sample: dict[str, Any], embedder: Embedder, names: Sequence[str], tallies: dict[str, Tally]) -> None:
    turns = list(turns_of(sample["conversation"]))
    with tempfile.TemporaryDirectory() as folder:
        async with Memory(Path(folder) / "memory.db", serve=True, embedder=embedder) as memory:
            await memory.prepare()
            await memory.overhear(turns)
            while await memory.digest_once():
                pass
            for question in questions_of(sample, turns):
                for name in names:
                    ranker, without = ABLATIONS[name]
                    found = await memory.look_up(question.text, MOST, ranker=ranker, without=without)
                    order = [hit.message.turn_id for hit in found.turns]
                    ranks = [rank for rank, turn_id in enumerate(order) if turn_id in question.evidence]
                    tallies[name].ranks.append((question, ranks))
                    tallies[name].milliseconds.append(found.recall_ms)


async def measure_quality(
    samples: Sequence[dict[str, Any]], chosen: Sequence[int] | None, names: Sequence[str]
) -> dict[str, dict[str, Any]]:
    from firmware_bridge.inference.embedder import LlamaEmbedder
    from firmware_bridge.lane import ComputeLane

    tallies = {name: Tally() for name in names}
    async with AsyncExitStack() as stack:
        lane = await stack.enter_async_context(ComputeLane())
        native = await LlamaEmbedder.load(WEIGHTS, lane, threads=1)
        stack.push_async_callback(native.aclose)
        embedder = CachingEmbedder(native, CACHE)
        for number, sample in enumerate(samples):
            if chosen is None or number in chosen:
                await ask(sample, embedder, names, tallies)
                embedder.save()
    return {name: tally.measures() for name, tally in tallies.items()}


def print_quality(measured: dict[str, dict[str, Any]]) -> None:
    heads = ("R@5", "R@10", "any@10", "all@10", "MRR")
    categories = sorted({category for row in measured.values() for category in row["per_category"]})
    title = "  ".join(f"{head:>6}" for head in heads)
    kinds = "  ".join(f"{'cat ' + category:>9}" for category in categories)
    print(f"{'ranker':30}  {title}  {kinds}  p50/p95 ms")
    for name, row in measured.items():
        numbers = "  ".join(f"{100 * row[head]:6.1f}" for head in heads)
        parts = (row["per_category"].get(category, {"R@5": 0.0, "R@10": 0.0}) for category in categories)
        shares = "  ".join(f"{100 * part['R@5']:4.1f}/{100 * part['R@10']:4.1f}" for part in parts)
        print(f"{name:30}  {numbers}  {shares}  {row['p50_ms']:.1f}/{row['p95_ms']:.1f}")
    print("categories: R@5/R@10; milliseconds are without the embedding")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="a file in the format of LoCoMo")
    parser.add_argument("--conversations", help="numbers of the conversations to ask about, such as 0,1,2")
    parser.add_argument("--ranker", choices=[*Ranker], help="only this ranker, without ablations")
    parser.add_argument("--speed", action="store_true", help="time recall over synthetic records instead")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="how many records, for --speed")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    options = parser.parse_args()
    if options.speed:
        speeds = asyncio.run(measure_speed([int(size) for size in options.sizes.split(",")]))
        if options.json:
            print(json.dumps(speeds))
        for size, row in {} if options.json else speeds.items():
            print(f"{int(size):>7,} records  " + "  ".join(f"{name} {value:.2f}" for name, value in row.items()))
        return 0
    for needed in (options.data, WEIGHTS):
        if not needed.exists():
            print(f"skipped: {needed} is not there", file=sys.stderr)
            return 2
    chosen = [int(number) for number in options.conversations.split(",")] if options.conversations else None
    names = [options.ranker] if options.ranker else list(ABLATIONS)
    samples = json.loads(options.data.read_text(encoding="utf-8"))
    measured = asyncio.run(measure_quality(samples, chosen, names))
    if not options.json:
        print_quality(measured)
        return 0
    first = options.ranker or Ranker.FUSED.value
    others = {name: row for name, row in measured.items() if name != first}
    print(json.dumps({"ranker": first} | measured[first] | ({"ablations": others} if others else {})))
    return 0


if __name__ == "__main__":
    sys.exit(main())
