"""Fits observe/english/contradictions/likelihood.npz to the lives of tests/data/turns_*.jsonl.

Each statement of a life is held against what was believed when it was made; what holds words that the life lists as
gone by it was ended. What tells the matter of a text are the axes along which the vectors of all those texts differ
most. The weights are those under which the ends are likeliest (a logistic regression by Newton's method). Each life is
also judged by weights that were fitted to others; with `--without`, those lives by weights of all others.
Needs the weights of the embedder.
usage: scripts/fit_endings.py [--show LIKELIHOOD] [--without LIFE ...] [--out FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from bench_memory import BETWEEN_TURNS, DEV, EMBEDDER, NOON, Row, load

from edge_memory.memory import OWNER, Memory
from edge_memory.observe.context import read_before
from edge_memory.observe.english.contradictions.likelihood import (
    FITTED,
    Candidate,
    Fitted,
    may_end,
    signals,
)
from edge_memory.observe.english.related import sharing, with_vectors
from edge_memory.observe.introductions import Introductions
from edge_memory.observe.languages import put_right, read_statements
from edge_memory.observe.nearness import Nearness
from edge_memory.observe.statement import Statement
from edge_memory.protocols import Purpose, Vectors
from edge_memory.records import Record, Status, UserTurn
from edge_memory.store import Connection, Store, Visible, conversation, records, vectors
from edge_memory.store.conversation import Answer
from firmware_bridge.inference import LlamaEmbedder
from firmware_bridge.lane import ComputeLane

LIVES = [path for path in sorted((ROOT / "tests" / "data").glob("turns_*.jsonl")) if "_de_" not in path.name]
ALSO_ENDED = ROOT / "tests" / "data" / "also_ended.txt"
_NEAREST, _TRAITS = 12, 16
_FOLDS, _STEPS, _DECAY = 6, 12, 8.0
Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Told:
    """A statement of a life with what it may have ended."""

    life: str
    turn: Row
    statement: Statement
    nearness: Nearness
    candidates: Sequence[Candidate]


@dataclass(frozen=True)
class Pair:
    """Whether the life lists the record as ended by the statement; `certain` is False where it is not, though it is."""

    life: str
    turn_id: str
    record_id: int
    said: str
    told: str
    ended: bool
    certain: bool


async def heard(life: Path, embedder: LlamaEmbedder) -> list[Told]:
    """The statements of a life, each with what is near to it or shares words with it when it is made."""
    introductions, now, made = Introductions(), NOON, list[Told]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        async with (
            Memory(path, serve=True, embedder=embedder, clock=lambda: now) as memory,
            Store(path, serve=False) as store,
        ):
            await memory.prepare()
            for turn in load(life):
                now += BETWEEN_TURNS
                said = UserTurn(turn["id"], f"session-{turn['session']}", OWNER, turn["text"], now)
                await memory.hear(said)

                def read(connection: Connection, said: UserTurn = said) -> list[Statement]:
                    message = conversation.user_message(connection, said.turn_id)
                    assert message is not None
                    before = read_before(connection, message, introductions)
                    return put_right(said.text, before) or read_statements(said.text, before.context)

                statements = await store.read(read)
                rows = await embedder.embed([said.text, *(one.text for one in statements)], Purpose.STATED)
                for statement, vector in zip(statements, rows[1:], strict=True):
                    nearness, candidates = await store.read(
                        lambda c, one=statement, vector=vector, whole=rows[0], text=said.text: _candidates(
                            c, one, vector, whole, text
                        )
                    )
                    made.append(Told(life.stem[6:], turn, statement, nearness, candidates))
                await memory.answer(Answer(said, "I see.", "respond", {}, now))
                while await memory.digest_once():
                    pass
    return made


def _candidates(
    connection: Connection, statement: Statement, vector: Vectors, whole: Vectors, said: str
) -> tuple[Nearness, list[Candidate]]:
    near = dict(vectors.nearest(connection, vector, Visible(OWNER, frozenset({Status.ACTIVE})), _NEAREST))
    found: dict[int, Record] = {one.id: one for one in sharing(connection, OWNER, statement)}
    found |= records.get_many(connection, list(near))
    return Nearness(near, vector, whole, said), with_vectors(connection, found.values())


def pairs_of(told: Sequence[Told]) -> list[Pair]:
    also, made = frozenset(ALSO_ENDED.read_text(encoding="utf-8").splitlines()), list[Pair]()
    for one in told:
        for record in (candidate.record for candidate in one.candidates):
            content = f"{record.text} {record.value or ''} {record.source_excerpt}".lower()
            ended = any(words in content for words in one.turn["gone"])
            listed = f"{one.life} | {one.statement.text} || {record.text}" in also
            certain = ended or not (one.turn["pending"] or listed)
            made.append(Pair(one.life, one.turn["id"], record.id, one.statement.text, record.text, ended, certain))
    return made


def axes_of(told: Sequence[Told]) -> tuple[Numbers, Numbers]:
    """The mean of the vectors of all texts, and the axes along which they differ most."""
    texts = {one.statement.text: one.nearness.statement for one in told}
    texts |= {candidate.record.text: candidate.vector for one in told for candidate in one.candidates}
    rows = np.array(list(texts.values()), dtype=np.float64)
    mean = rows.mean(0)
    return mean, np.linalg.svd(rows - mean, full_matrices=False)[2][:_TRAITS]


def weights_of(found: Numbers, ended: Numbers) -> Numbers:
    """Weights of each signal and last the bias; decay is even for signals of one spread."""
    mean, spread = found.mean(0), found.std(0) + 1e-9
    data = np.column_stack([(found - mean) / spread, np.ones(len(found))])
    decay = np.append(np.full(found.shape[1], _DECAY), 0.0)
    weights = np.zeros(data.shape[1])
    for _ in range(_STEPS):
        chance = _chance(data, weights)
        slope = data.T @ (chance - ended) + decay * weights
        bend = (data * (chance * (1 - chance))[:, None]).T @ data + np.diag(decay + 1e-9)
        weights -= np.linalg.solve(bend, slope)
    weights[:-1] /= spread
    weights[-1] -= float(weights[:-1] @ mean)
    return weights


def _chance(data: Numbers, weights: Numbers) -> Numbers:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(data @ weights, -30, 30))))


def judged_by_others(pairs: Sequence[Pair], found: Numbers, without: Sequence[str]) -> Numbers:
    """The likelihood of each pair by weights that were fitted to other lives; 0 for those that nobody asked about."""
    lives = sorted({pair.life for pair in pairs})
    fold = np.array([-(pair.life in without) if without else lives.index(pair.life) % _FOLDS for pair in pairs])
    ended, certain = (np.array([getattr(pair, name) for pair in pairs]) for name in ("ended", "certain"))
    chance = np.zeros(len(pairs))
    for number in [-1] if without else range(_FOLDS):
        others = (fold != number) & certain
        weights = weights_of(found[others], ended[others].astype(float))
        chance[fold == number] = _chance(np.column_stack([found, np.ones(len(found))])[fold == number], weights)
    return chance


def report(pairs: Sequence[Pair], chance: Numbers, shown: float) -> None:
    """What is likelier than each of some likelihoods: a record counts once for a turn, by its likeliest statement."""
    best: dict[tuple[str, str, int], int] = {}
    for place in np.argsort(chance):
        best[pairs[place].life, pairs[place].turn_id, pairs[place].record_id] = int(place)
    places = [place for place in best.values() if pairs[place].certain and chance[place] > 0]
    print(f"{sum(pairs[place].ended for place in places)} ended, judged by weights of other lives")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        right = [pairs[place].ended for place in places if chance[place] > least]
        print(f"likelier than {least}: {sum(right)} ended, {len(right) - sum(right)} not")
    for place in sorted(places, key=lambda place: -chance[place]):
        if chance[place] > shown and not pairs[place].ended:
            print(f"{chance[place]:.2f} {pairs[place].life} | {pairs[place].said} || {pairs[place].told}")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", type=float, default=1.1, help="print what is likelier, and was not listed as ended")
    parser.add_argument("--without", nargs="*", default=[], metavar="LIFE", help="judge these by weights of all others")
    parser.add_argument("--out", type=Path, default=FITTED)
    arguments = parser.parse_args()
    async with ComputeLane() as lane, aclosing(await LlamaEmbedder.load(EMBEDDER, lane, threads=1)) as embedder:
        told = [one for life in (*LIVES, DEV) for one in await heard(life, embedder)]
    told = [one for one in told if one.candidates]
    pairs, (mean, axes) = pairs_of(told), axes_of(told)
    by = Fitted(np.empty(0), 0.0, mean, axes)
    rows = [row for one in told for row in signals(one.statement, one.nearness, one.candidates, by)]
    found = np.array([list(row.values()) for row in rows])
    may = np.array([may_end(one.statement, candidate.record) for one in told for candidate in one.candidates])
    report(pairs, judged_by_others(pairs, found, arguments.without) * may, arguments.show)
    kept = np.array([pair.certain and pair.life not in arguments.without for pair in pairs])
    weights = weights_of(found[kept], np.array([pair.ended for pair in pairs], float)[kept])
    for name, value in zip(rows[0], weights[:-1], strict=True):
        print(f"{name:24} {value:6.2f}")
    np.savez_compressed(
        arguments.out,
        weights=weights[:-1].astype(np.float32),
        bias=np.float32(weights[-1]),
        mean=mean.astype(np.float32),
        axes=axes.astype(np.float32),
    )


if __name__ == "__main__":
    asyncio.run(main())
