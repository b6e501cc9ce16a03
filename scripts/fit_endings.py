"""Fits the weights of observe/english/contradictions/likelihood.py to the lives of tests/data/turns_*.jsonl.

Each statement of a life is held against all that was believed when it was made; what holds words that the life lists as
gone by it was ended. The weights are those under which that is likeliest (a logistic regression by Newton's method),
and each fifth of the lives is also judged by weights that were fitted to the others. Needs the weights of the embedder.
usage: scripts/fit_endings.py [--show LIKELIHOOD]
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
from edge_memory.observe.english.contradictions.likelihood import LOOKED_AT, may_end, signals
from edge_memory.observe.introductions import Introductions
from edge_memory.observe.languages import put_right, read_statements
from edge_memory.observe.statement import Statement
from edge_memory.protocols import Purpose
from edge_memory.records import Record, Status, UserTurn
from edge_memory.store import Connection, Store, conversation
from edge_memory.store.conversation import Answer
from edge_memory.store.records import Filter
from firmware_bridge.inference import LlamaEmbedder
from firmware_bridge.lane import ComputeLane

LIVES = [path for path in sorted((ROOT / "tests" / "data").glob("turns_*.jsonl")) if "_de_" not in path.name]
ALSO_ENDED = ROOT / "tests" / "data" / "also_ended.txt"
_MOST = 1_000
_FOLDS, _STEPS, _DECAY = 5, 12, 1.0
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A statement and a record that was believed when it was made, and whether the life lists it as ended by it.

    `certain` is False where nothing says so, though it is: such a case is not fitted to.
    """

    life: str
    said: str
    told: str
    found: dict[str, float]
    ended: bool
    certain: bool


async def cases(life: Path, embedder: LlamaEmbedder, also: frozenset[str]) -> list[Case]:
    introductions, now, made = Introductions(), NOON, list[Case]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        async with (
            Memory(path, serve=True, embedder=embedder, clock=lambda: now) as memory,
            Store(path, serve=False) as store,
        ):
            await memory.prepare()
            for turn in load(life):
                now += BETWEEN_TURNS
                heard = UserTurn(turn["id"], f"session-{turn['session']}", OWNER, turn["text"], now)
                await memory.hear(heard)

                def read(connection: Connection, heard: UserTurn = heard) -> list[Statement]:
                    message = conversation.user_message(connection, heard.turn_id)
                    assert message is not None
                    before = read_before(connection, message, introductions)
                    return put_right(heard.text, before) or read_statements(heard.text, before.context)

                statements = await store.read(read)
                believed, _ = await memory.select(Filter(status=Status.ACTIVE), _MOST)
                if statements and believed:
                    made += await _held_against(life, turn, statements, believed, embedder, also)
                await memory.answer(Answer(heard, "I see.", "respond", {}, now))
                while await memory.digest_once():
                    pass
    return made


async def _held_against(
    life: Path,
    turn: Row,
    statements: Sequence[Statement],
    believed: Sequence[Record],
    embedder: LlamaEmbedder,
    also: frozenset[str],
) -> list[Case]:
    texts = [one.text for one in (*statements, *believed)]
    rows = await embedder.embed(texts, Purpose.DOCUMENT)
    cosines = rows[: len(statements)] @ rows[len(statements) :].T
    made = []
    for statement, near in zip(statements, cosines, strict=True):
        order = np.argsort(-near)
        for rank, place in enumerate(order[:LOOKED_AT]):
            record = believed[place]
            if not may_end(statement, record):
                continue
            found = signals(statement, record, float(near[place]), rank)
            content = f"{record.text} {record.value or ''} {record.source_excerpt}".lower()
            ended = any(words in content for words in turn["gone"])
            pair = f"{life.stem[6:]} | {statement.text} || {record.text}"
            certain = ended or not (turn["pending"] or pair in also)
            made.append(Case(life.stem[6:], statement.text, record.text, found, ended, certain))
    return made


def fitted(found: Numbers, ended: Numbers) -> Numbers:
    """Weights of each signal and last the bias, on signals of one spread."""
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


def left_out(data: Sequence[Case], found: Numbers) -> Numbers:
    """The likelihood of each case by weights that were fitted to the lives of the other fifths."""
    lives = sorted({case.life for case in data})
    fold = np.array([lives.index(case.life) % _FOLDS for case in data])
    ended, certain = _flags(data)
    chance = np.zeros(len(data))
    for number in range(_FOLDS):
        others = (fold != number) & certain
        weights = fitted(found[others], ended[others])
        chance[fold == number] = _chance(np.column_stack([found, np.ones(len(found))])[fold == number], weights)
    return chance


def _flags(data: Sequence[Case]) -> tuple[Numbers, NDArray[np.bool_]]:
    return np.array([float(case.ended) for case in data]), np.array([case.certain for case in data])


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", type=float, default=1.1, help="print what is likelier, and was not listed as ended")
    arguments = parser.parse_args()
    also = frozenset(ALSO_ENDED.read_text(encoding="utf-8").splitlines())
    async with ComputeLane() as lane, aclosing(await LlamaEmbedder.load(EMBEDDER, lane, threads=1)) as embedder:
        data = [case for life in (*LIVES, DEV) for case in await cases(life, embedder, also)]
    found = np.array([list(case.found.values()) for case in data])
    ended, certain = _flags(data)
    chance = left_out(data, found)
    print(f"{len(data)} cases of {len(LIVES) + 1} lives, {int(ended.sum())} ended; judged by weights of other lives")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        likely = (chance > least) & certain
        right = int(ended[likely].sum())
        print(f"likelier than {least}: {right} ended, {int(likely.sum()) - right} not")
    for place in np.argsort(-chance):
        if chance[place] > arguments.show and certain[place] and not ended[place]:
            print(f"{chance[place]:.2f} {data[place].life} | {data[place].said} || {data[place].told}")
    weights = fitted(found[certain], ended[certain])
    for name, value in zip((*data[0].found, "BIAS"), weights, strict=True):
        print(f'    "{name}": {value:.2f},')


if __name__ == "__main__":
    asyncio.run(main())
