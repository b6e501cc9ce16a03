"""How long recall takes over many records, without the embedding; sqlite-vec's own scan of the same beside it."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from edge_memory.memory import Memory
from edge_memory.protocols import Embedder, Purpose, Vectors
from edge_memory.records import Kind, Layer, NewRecord
from edge_memory.scripted import HashEmbedder
from edge_memory.store import Connection, Store, records, vectors
from edge_memory.store.records import Cause

SIZES = (1_000, 10_000, 100_000)
_DIMENSION = 384
_QUERIES = 200
_VOCABULARY = 8_000


def sentence(source: random.Random, words: int) -> str:
    """Words as frequent as in speech: the n-th of them 1/n as often as the first."""
    return " ".join(f"w{min(int(_VOCABULARY ** source.random()), _VOCABULARY)}" for _ in range(words))


async def measure_speed(sizes: Sequence[int]) -> dict[str, dict[str, float]]:
    measured = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path, embedder, source = Path(folder) / "memory.db", HashEmbedder(_DIMENSION), random.Random(size)
            texts = [f"the user's {sentence(source, 9)}" for _ in range(size)]
            async with Store(path, serve=True) as store:
                await fill(store, embedder, texts)
                asked = await embedder.embed([sentence(source, 5) for _ in range(_QUERIES)], Purpose.QUERY)
                scans = [await _timed(store.read, _scan(vector)) for vector in asked]
            async with Memory(path, serve=True, embedder=embedder) as memory:
                await memory.recall("fill the mirror", "kitchen")
                looks = [await _looked(memory, f"what is {sentence(source, 5)}") for _ in range(_QUERIES)]
            measured[str(size)] = {
                "recall_p50_ms": _percentile([clock for clock, _ in looks], 50),
                "recall_p95_ms": _percentile([clock for clock, _ in looks], 95),
                "recall_cpu_p95_ms": _percentile([processor for _, processor in looks], 95),
                "vec0_p50_ms": _percentile(scans, 50),
                "vec0_p95_ms": _percentile(scans, 95),
            }
    return measured


async def _looked(memory: Memory, text: str) -> tuple[float, float]:
    """Milliseconds on the clock without the embedding, and of processor time with it."""
    began = time.process_time()
    found = await memory.recall(text, "kitchen")
    return found.recall_ms, (time.process_time() - began) * 1e3


async def fill(store: Store, embedder: Embedder, texts: Sequence[str]) -> None:
    await store.write(lambda connection: vectors.use_embedder(connection, embedder))
    for start in range(0, len(texts), 2_000):
        batch = texts[start : start + 2_000]
        rows = await embedder.embed(batch, Purpose.DOCUMENT)

        def keep(connection: Connection, batch: Sequence[str] = batch, rows: Vectors = rows) -> None:
            for text, row in zip(batch, rows, strict=True):
                record = records.insert(connection, NewRecord(Layer.SEMANTIC, Kind.FACT, text), Cause("insert"), 0.0)
                vectors.put(connection, record.id, row)

        await store.write(keep)


def _scan(vector: Vectors) -> Callable[[Connection], list[Any]]:
    sql = "SELECT record_id FROM record_vectors WHERE embedding MATCH ? AND k = 20"
    return lambda connection: list(connection.execute(sql, (vector.tobytes(),)))


async def _timed(run: Callable[[Any], Awaitable[Any]], argument: object) -> float:
    began = time.perf_counter()
    await run(argument)
    return (time.perf_counter() - began) * 1e3


def _percentile(values: Sequence[float], percent: int) -> float:
    return round(float(np.percentile(values, percent)), 2)
