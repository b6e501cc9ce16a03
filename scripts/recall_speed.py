"""How long recall takes over many records, without the embedding; plain searches for the nearest vectors beside it.

recall   all of it: words, vectors, one ranking, reading what was found
vec0     the 20 nearest by sqlite-vec's scan of float vectors in the file
numpy    the 20 nearest by a product of all float vectors, held in memory
mirror   the 20 nearest by our copy in memory, which beyond 20,000 vectors scans signs and rescores
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from edge_memory.memory import Memory
from edge_memory.protocols import Embedder, Purpose, Vectors
from edge_memory.recall.candidates import Cosines
from edge_memory.records import Kind, Layer, NewRecord
from edge_memory.scripted import HashEmbedder
from edge_memory.store import Connection, Store, VectorMirror, records, vectors
from edge_memory.store.records import Cause
from edge_memory.store.vectors import Source

SIZES = (1_000, 10_000, 100_000)
_DIMENSION = 384
_QUERIES = 200
_NEAREST = 20
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
                times = {
                    name: [await store.read(_timed(search)) for search in searches]
                    for name, searches in {
                        "vec0": [_scan(vector) for vector in asked],
                        "numpy": _products(await store.read(_all_vectors), asked),
                        "mirror": await store.read(_looks(asked)),
                    }.items()
                }
            async with Memory(path, serve=True, embedder=embedder) as memory:
                await memory.recall("fill the mirror", "kitchen")
                questions = [f"what is {sentence(source, 5)}" for _ in range(_QUERIES)]
                looks = [await _looked(memory, question) for question in questions]
            rows = {"recall": looks} | times
            measured[str(size)] = {key: value for name, row in rows.items() for key, value in _measures(name, row)}
    return measured


def _measures(name: str, times: Sequence[tuple[float, float]]) -> Iterator[tuple[str, float]]:
    clock, processor = zip(*times, strict=True)
    yield f"{name}_p50_ms", _percentile(clock, 50)
    yield f"{name}_p95_ms", _percentile(clock, 95)
    yield f"{name}_cpu_p95_ms", _percentile(processor, 95)


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


def _scan(vector: Vectors) -> Callable[[Connection], object]:
    sql = f"SELECT record_id FROM record_vectors WHERE embedding MATCH ? AND k = {_NEAREST}"
    return lambda connection: list(connection.execute(sql, (vector.tobytes(),)))


def _all_vectors(connection: Connection) -> Vectors:
    rows = [vector for _, vector in vectors.each(connection, Source.RECORD)]
    return np.frombuffer(b"".join(rows), dtype=np.float32).reshape(-1, _DIMENSION)


def _products(matrix: Vectors, asked: Vectors) -> list[Callable[[Connection], object]]:
    return [lambda _, vector=vector: np.argsort(-np.einsum("ij,j->i", matrix, vector))[:_NEAREST] for vector in asked]


def _looks(asked: Vectors) -> Callable[[Connection], list[Callable[[Connection], object]]]:
    mirror = VectorMirror(Source.RECORD)

    def filled(connection: Connection) -> list[Callable[[Connection], object]]:
        mirror.catch_up(connection)
        return [lambda _, vector=vector: Cosines(mirror, vector).nearest(_NEAREST, -1.0, set) for vector in asked]

    return filled


def _timed(search: Callable[[Connection], object]) -> Callable[[Connection], tuple[float, float]]:
    """Milliseconds on the clock, and of processor time."""

    def timed(connection: Connection) -> tuple[float, float]:
        began, spent = time.perf_counter(), time.thread_time()
        search(connection)
        return (time.perf_counter() - began) * 1e3, (time.thread_time() - spent) * 1e3

    return timed


def _percentile(values: Sequence[float], percent: int) -> float:
    return round(float(np.percentile(values, percent)), 2)
