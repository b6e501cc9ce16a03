#!/usr/bin/env -S .venv/bin/python
"""Fits the weights of firmware_bridge/turn/english/likelihood.py to the lives and probes of tests/data/answers*.json.

Each question is held against all that was kept of its life; what holds one of a probe's words is right, and of what was
never told nothing is. The weights are those under which that is likeliest (a conditional logit, by Adam), and each life
is also judged by weights that were fitted to the others. Needs the weights of the embedder.
usage: scripts/fit_answers.py
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from edge_memory.memory import OWNER, Memory
from edge_memory.recall import cosine
from edge_memory.records import Status
from edge_memory.store.finding import Wanted
from firmware_bridge.inference import LlamaEmbedder
from firmware_bridge.lane import ComputeLane
from firmware_bridge.turn.english.likelihood import WEIGHTS, signals
from firmware_bridge.turn.english.questions import read_question
from firmware_bridge.turn.english.told import joined, told_by

LIVES = sorted((ROOT / "tests" / "data").glob("answers*.json"))
EMBEDDER = ROOT / "models" / "all-MiniLM-L6-v2.f16.gguf"
_STEPS, _RATE, _DECAY = 300, 0.3, 0.002
_MOST = 200
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One question: `found` of shape (records, signals), and which of them answer it; none for what was never told."""

    found: Numbers
    right: NDArray[np.bool_]


async def cases(life: dict[str, Any], embedder: LlamaEmbedder) -> list[Case]:
    with tempfile.TemporaryDirectory() as folder:
        async with Memory(Path(folder) / "memory.db", serve=True, embedder=embedder) as memory:
            await memory.prepare()
            for sentence in life["life"]:
                await memory.learn(sentence)
            while await memory.digest_once():
                pass
            relations = await memory.relations(OWNER)
            probes = [*life["told"], *({"ask": ask, "any": []} for ask in life["never_told"])]
            made = []
            for probe in probes:
                hits = (await memory.look_up(probe["ask"], _MOST, Wanted(OWNER, status=Status.ACTIVE))).hits
                question = read_question(probe["ask"])
                if question is None or not hits:
                    continue
                tellings = joined([told_by(hit.record) for hit in hits], relations)
                rows = [signals(question, told, cosine(hit)) for told, hit in zip(tellings, hits, strict=True)]
                texts = [f"{hit.record.text} {hit.record.source_excerpt}".lower() for hit in hits]
                right = np.array([any(word in text for word in probe["any"]) for text in texts])
                if right.any() or not probe["any"]:
                    made.append(Case(np.array([[row[name] for name in WEIGHTS] for row in rows]), right))
            return made


def shares(case: Case, weights: Numbers) -> Numbers:
    """Of each record, and last of none of them."""
    scores = np.append(case.found @ weights[:-1], weights[-1])
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())


def fitted(data: Sequence[Case]) -> Numbers:
    weights, mean, square = (np.zeros(len(WEIGHTS) + 1) for _ in range(3))
    for step in range(1, _STEPS + 1):
        slope = np.append(_DECAY * weights[:-1], 0.0)
        for case in data:
            share = shares(case, weights)
            target = np.append(share[:-1] * case.right, 0.0 if case.right.any() else 1.0)
            off = share - target / target.sum()
            slope += np.append(case.found.T @ off[:-1], off[-1]) / len(data)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def judged(data: Sequence[Case], weights: Numbers) -> tuple[list[bool], list[float]]:
    """Of what was told, whether the likeliest record is right; of what was not, the share of the likeliest."""
    told = [bool(case.right[shares(case, weights)[:-1].argmax()]) for case in data if case.right.any()]
    return told, [float(shares(case, weights)[:-1].max()) for case in data if not case.right.any()]


async def main() -> None:
    async with ComputeLane() as lane, aclosing(await LlamaEmbedder.load(EMBEDDER, lane, threads=1)) as embedder:
        lives = [await cases(json.loads(path.read_text(encoding="utf-8")), embedder) for path in LIVES]
    told: list[bool] = []
    never: list[float] = []
    for number, life in enumerate(lives):
        others = [case for other, each in enumerate(lives) if other != number for case in each]
        right, strongest = judged(life, fitted(others))
        told, never = told + right, never + strongest
    print(f"likeliest record right, each life by the others' weights: {np.mean(told):.3f} of {len(told)}")
    print(f"never told, likeliest above 0.6: {np.mean(np.array(never) > 0.6):.3f} of {len(never)}")
    weights = fitted([case for life in lives for case in life])
    for name, value in zip((*WEIGHTS, "NOTHING"), weights, strict=True):
        print(f"{name:>10} {value:5.1f}")


if __name__ == "__main__":
    asyncio.run(main())
