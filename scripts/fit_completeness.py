#!/usr/bin/env -S .venv/bin/python
"""Fits speech/completeness.npz to what is said in the lives of tests/data: each sentence is whole, each of its
beginnings of two words or more is not. A logistic regression by Adagrad. Lives are also judged by weights of others.
usage: scripts/fit_completeness.py [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from firmware_bridge.speech.completeness import FITTED, PLACES, Numbers, places
from firmware_bridge.speech.wholeness import last_words

_LEAST, _FOLDS, _ROUNDS, _RATE = 2, 5, 5, 0.3
Row = tuple[list[str], bool]  # words, whether they are a whole sentence


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FITTED)
    arguments = parser.parse_args()
    lives = [rows(told) for _, told in sorted(said().items())]
    report(lives)
    weights, bias = fitted([row for life in lives for row in life])
    step = np.abs(weights).max() / 127
    np.savez_compressed(arguments.out, weights=np.round(weights / step).astype(np.int8), step=step, bias=bias)


def said() -> dict[str, list[str]]:
    """What is said in each English life."""
    lives: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "tests" / "data").glob("turns_*.jsonl")):
        if "_de_" not in path.name:
            turns = (json.loads(line) for line in path.read_text().splitlines())
            lives[path.stem.partition("_")[2]] += [turn["text"] for turn in turns]
    for path in sorted((ROOT / "tests" / "data").glob("answers*.json")):
        life = json.loads(path.read_text())
        asked = [one for kind in ("told", "never_told", "constrained") for one in life[kind]]
        asked = [one if isinstance(one, str) else one["ask"] for one in asked]
        lives[path.stem.partition("_")[2]] += [*life["life"], *asked]
    return lives


def rows(told: Sequence[str]) -> list[Row]:
    found: list[Row] = []
    for sentence in (one for text in told for one in re.split(r"(?<=[.!?])\s+", text)):
        words = last_words(sentence)
        found += [(words[:count], count == len(words)) for count in range(_LEAST, len(words) + 1)]
    return found


def fitted(told: Sequence[Row]) -> tuple[Numbers, float]:
    """The weight of each place, and what is added to their sum."""
    weights, seen, bias, chance = np.zeros(PLACES), np.ones(PLACES), 0.0, random.Random(0)
    found = [(np.array(places(words)), whole) for words, whole in told]
    for _ in range(_ROUNDS):
        chance.shuffle(found)
        for place, whole in found:
            error = 1 / (1 + np.exp(-(weights[place].sum() + bias))) - whole
            seen[place] += error * error
            weights[place] -= _RATE * error / np.sqrt(seen[place])
            bias -= 0.005 * error
    return weights, bias


def report(lives: Sequence[Sequence[Row]]) -> None:
    """How many sentences, and beginnings, of three words or more are likelier than what."""
    whole: list[float] = []
    begun: list[float] = []
    for fold in range(_FOLDS):
        weights, bias = fitted([row for number, life in enumerate(lives) if number % _FOLDS != fold for row in life])
        for words, is_whole in (row for life in lives[fold::_FOLDS] for row in life):
            if len(words) > _LEAST:
                likely = 1 / (1 + np.exp(-(weights[places(words)].sum() + bias)))
                (whole if is_whole else begun).append(likely)
    print(f"{len(whole)} sentences, {len(begun)} beginnings, judged by weights of other lives")
    for least in (0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.6, 0.7, 0.8):
        print(f"likelier than {least}: {np.mean(np.array(whole) > least):.3f}, {np.mean(np.array(begun) > least):.3f}")


if __name__ == "__main__":
    main()
