#!/usr/bin/env -S .venv/bin/python
"""Fits firmware_bridge/turn/english/touching.npz to tests/data/bans.txt and the lives of tests/data/answers*.json.

Each wish is held against what was told in its house or life; what it goes against is listed (`bans.txt`), or, for the
probes of the lives, what rules find that binds. What tells the matter of a text are the axes along which the vectors of
all those texts differ most. The weights are those under which what is gone against is likeliest (a logistic regression
by Newton's method). Each house and life is judged by weights that were fitted to others. Needs the embedder's weights.

A house of `bans.txt`: `=` tells of it, `!` is a ban, and of the wishes after it `+` go against it, `-` and `~` do not,
the latter for the hour or the place. `.` are wishes that go against nothing, asked in every house.
usage: scripts/fit_bans.py [--show KIND] [--out FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from edge_memory.memory import OWNER, Memory
from edge_memory.recall import Positions
from edge_memory.records import Record, UserTurn
from edge_memory.store.records import Filter
from firmware_bridge.inference import LlamaEmbedder
from firmware_bridge.lane import ComputeLane
from firmware_bridge.turn.english.binding import binding
from firmware_bridge.turn.english.constraints import binds, names, touched
from firmware_bridge.turn.english.touching import FITTED, is_wish, may_bind, signals
from firmware_bridge.turn.english.wordforms import telling_words

BANS = ROOT / "tests" / "data" / "bans.txt"
LIVES = sorted((ROOT / "tests" / "data").glob("answers*.json"))
EMBEDDER = ROOT / "models" / "all-MiniLM-L6-v2.f16.gguf"
LATE = 1_700_000_000.0
_TRAITS, _FOLDS, _STEPS, _DECAY = 32, 4, 9, 30.0
_NEAREST = 10  # of what a wish goes against none of; more would be more of the same
_OF_A_BAN = 0.3  # share of its telling words that a record of it holds
_WEIGHT = 4.0  # of what is gone against: it is rare
_SMALL = 1e-6  # a step of no weight
_SHOWN = (0.15, 0.3, 0.45, 0.6, 0.8)
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class House:
    """What was told, and what is wished: the sign or kind of each wish, its words, and the ban that it is about."""

    name: str
    life: Sequence[str]
    wishes: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Case:
    """One wish against each candidate: `gone` is 1 for what it goes against, 0 for what not, -1 where nobody says."""

    house: str
    kind: str
    text: str
    told: Sequence[str]
    found: Numbers
    wanted: Numbers
    vectors: Numbers
    gone: Numbers
    own: NDArray[np.bool_]
    bind: NDArray[np.bool_]


def houses() -> Iterator[House]:
    told, wishes, ordinary = defaultdict[str, list[str]](list), defaultdict[str, list[tuple[str, str, str]]](list), []
    name = ban = ""
    for line in BANS.read_text(encoding="utf-8").splitlines():
        sign, text = line.split(" ", 1) if " " in line else (line, "")
        if sign == "house":
            name = text
        elif sign in "=!":
            told[name].append(text)
            ban = text
        elif sign in "+-~":
            wishes[name].append((sign, text, ban))
        elif sign == ".":
            ordinary.append(("ordinary", text, ""))
    for name, life in told.items():
        yield House(name, life, [*wishes[name], *ordinary, *(("life", one, "") for one in life)])
    for path in LIVES:
        life = json.loads(path.read_text(encoding="utf-8"))
        probes = [
            (kind, probe if isinstance(probe, str) else probe["ask"], "")
            for kind in ("told", "never_told", "constrained")
            for probe in life[kind]
        ]
        yield House(path.stem, life["life"], [*probes, *ordinary[::3], *(("life", one, "") for one in life["life"])])


async def cases(house: House, embedder: LlamaEmbedder) -> list[Case]:
    made = []
    with tempfile.TemporaryDirectory() as folder:
        async with Memory(Path(folder) / "memory.db", serve=True, embedder=embedder, clock=lambda: LATE) as memory:
            await memory.prepare()
            for sentence in house.life:
                await memory.learn(sentence)
                while await memory.digest_once():
                    pass
            kept, _ = await memory.select(Filter(), limit=1_000)
            for number, (kind, text, ban) in enumerate(house.wishes):
                turn = UserTurn(f"wish-{number}", f"wish-{number}", OWNER, text, LATE)
                active = await memory.activate(turn, lambda memory: 1)
                positions = active.recollection.positions
                held = {one.id: one for one in (*active.constraints, *(hit.record for hit in active.recollection.wide))}
                candidates = [
                    one
                    for one in binding(held.values(), turn, active.relations)
                    if kind != "life" or _is_news(one, text)
                ]
                if positions and candidates:
                    made.append(_case(house.name, kind, text, _of_ban(kept, ban), candidates, positions))
    return made


def _is_news(record: Record, text: str) -> bool:
    return record.source_excerpt.lower() not in text.lower()


def _of_ban(kept: Sequence[Record], ban: str) -> dict[int, float]:
    """The share of the words of a ban that each record of it holds."""
    words = telling_words(ban)
    shares = {one.id: len(telling_words(one.text) & words) / (len(words) or 1) for one in kept}
    return {record_id: share + 0.01 * binds(one) for one in kept if (share := shares[record_id := one.id]) > _OF_A_BAN}


def _case(
    house: str, kind: str, text: str, ban: dict[int, float], held: Sequence[Record], positions: Positions
) -> Case:
    found = np.array([list(row.values()) for row in signals(text, held, positions.asked, positions.records)])
    nothing = np.zeros_like(positions.asked)
    vectors = np.array([positions.records.get(one.id, nothing) for one in held], dtype=np.float64)
    gone, own = np.zeros(len(held)), np.array([one.id in ban for one in held])
    if kind == "+" and own.any():
        gone[own] = -1.0
        gone[max(map(int, np.flatnonzero(own)), key=lambda place: ban[held[place].id])] = 1.0
    elif kind == "~":
        gone[own] = -1.0
    elif kind == "constrained":
        gone = _by_rules(text, held)
    keep = np.isin(np.arange(len(held)), np.argsort(-(vectors @ positions.asked))[:_NEAREST]) | own | (gone != 0)
    keep |= np.array([may_bind(one) for one in held])
    asked = np.asarray(positions.asked, dtype=np.float64)
    told = [one.text for one, is_kept in zip(held, keep, strict=True) if is_kept]
    bind = np.array([may_bind(one) for one in held])
    return Case(house, kind, text, told, found[keep], asked, vectors[keep], gone[keep], own[keep], bind[keep])


def _by_rules(text: str, held: Sequence[Record]) -> Numbers:
    """What rules find is gone against, where a life lists no more than the wish; what else binds nobody knows."""
    near = {one.id for one in touched(held, text) if may_bind(one)}
    named = {one.id for one in held if one.id in near and names(one, text)} or near
    return np.array([1.0 if one.id in named else -1.0 if may_bind(one) else 0.0 for one in held])


def axes_of(data: Sequence[Case]) -> tuple[Numbers, Numbers]:
    """The mean of the vectors of all texts, and the axes along which they differ most."""
    rows = np.array([*(one.wanted for one in data), *(row for one in data[::4] for row in one.vectors)])
    return rows.mean(0), np.linalg.svd(rows - rows.mean(0), full_matrices=False)[2][:_TRAITS]


def table(data: Sequence[Case], mean: Numbers, axes: Numbers) -> Numbers:
    wanted = np.repeat([(one.wanted - mean) @ axes.T for one in data], [len(one.told) for one in data], axis=0)
    vectors = (np.concatenate([one.vectors for one in data]) - mean) @ axes.T
    return np.column_stack([np.concatenate([one.found for one in data]), wanted, vectors])


def weights_of(found: Numbers, gone: Numbers) -> Numbers:
    """Weights of each signal and last the bias; decay is even for signals of one spread."""
    mean, spread = found.mean(0), found.std(0) + 1e-6
    data = np.column_stack([(found - mean) / spread, np.ones(len(found))])
    decay = np.append(np.full(found.shape[1], _DECAY), 1e-9)
    share, weights = np.where(gone > 0, _WEIGHT, 1.0), np.zeros(data.shape[1])

    def loss(weights: Numbers) -> float:
        scores = data @ weights
        return float((share * (np.logaddexp(0, scores) - gone * scores)).sum() + (decay * weights**2).sum() / 2)

    for _ in range(_STEPS):
        chance = _chance(data @ weights)
        slope = data.T @ ((chance - gone) * share) + decay * weights
        bend = (data * (chance * (1 - chance) * share)[:, None]).T @ data + np.diag(decay)
        step = np.asarray(np.linalg.solve(bend, slope))
        while loss(weights - step) > loss(weights) and np.abs(step).max() > _SMALL:
            step = step / 2
        weights = weights - step
    weights[:-1] /= spread
    weights[-1] -= float(weights[:-1] @ mean)
    return weights


def _chance(scores: Numbers) -> Numbers:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(scores, -30, 30))))


def judged_by_others(data: Sequence[Case], found: Numbers) -> list[Numbers]:
    """The likelihoods of each case by weights that were fitted to other houses and lives."""
    order = {name: place for place, name in enumerate(sorted({one.house for one in data}))}
    fold = np.repeat([order[one.house] % _FOLDS for one in data], [len(one.told) for one in data])
    gone, chance = np.concatenate([one.gone for one in data]), np.zeros(len(found))
    for number in range(_FOLDS):
        others = (fold != number) & (gone >= 0)
        weights = weights_of(found[others], gone[others])
        chance[fold == number] = _chance(found[fold == number] @ weights[:-1] + weights[-1])
    return np.split(chance, np.cumsum([len(one.told) for one in data])[:-1])


def report(data: Sequence[Case], chances: Sequence[Numbers], shown: str) -> None:
    """Of each kind of wish, the share for which something is likelier than each of some likelihoods."""
    highest = defaultdict[str, list[tuple[float, str]]](list)
    for one, chance in zip(data, chances, strict=True):
        held = np.where(one.bind, chance, 0.0) * is_wish(one.text)
        kind = (
            f"{one.kind} {'' if one.kind in '+-~' else 'of lives' if one.house.startswith('answers') else 'of houses'}"
        )
        for name, most in ((kind, held), (f"{one.kind} its ban", np.where(one.own, held, 0.0))):
            if name == kind or one.own.any():
                highest[name].append((float(most.max()), f"{one.house} | {one.text} || {one.told[int(most.argmax())]}"))
    print(f"{'likelier than':>22}", *(f"{least:6}" for least in _SHOWN))
    for name, found in sorted(highest.items()):
        print(
            f"{name:>17}{len(found):5}", *(f"{np.mean([most > least for most, _ in found]):6.3f}" for least in _SHOWN)
        )
    for likelihood, text in sorted(highest.get(shown, ()), reverse=not shown.startswith("+")):
        print(f"{likelihood:.2f} {text}")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", default="", metavar="KIND", help='print the wishes of one row, such as "+ its ban"')
    parser.add_argument("--out", type=Path, default=FITTED)
    arguments = parser.parse_args()
    async with ComputeLane() as lane, aclosing(await LlamaEmbedder.load(EMBEDDER, lane, threads=1)) as embedder:
        data = [case for house in houses() for case in await cases(house, embedder)]
    mean, axes = axes_of(data)
    found, gone = table(data, mean, axes), np.concatenate([one.gone for one in data])
    report(data, judged_by_others(data, found), arguments.show)
    weights = weights_of(found[gone >= 0], gone[gone >= 0])
    small = {"weights": weights[:-1], "bias": weights[-1], "mean": mean, "axes": axes}
    with arguments.out.open("wb") as file:
        parts = {name: np.asarray(part, dtype=np.float32) for name, part in small.items()}
        np.savez(file, allow_pickle=False, **parts)


if __name__ == "__main__":
    asyncio.run(main())
