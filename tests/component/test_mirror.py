"""The vectors in memory: as the file has them, whoever writes, and however many they are."""

from __future__ import annotations

from pathlib import Path

import apsw
import numpy as np
import pytest
from memory_house import NOON

from edge_memory.config import MemoryConfig
from edge_memory.recall.candidates import Cosines
from edge_memory.records import UserTurn
from edge_memory.scripted import HashEmbedder
from edge_memory.store import Store, VectorMirror, VisibleTurns, conversation, turn_index, vectors
from edge_memory.store.vectors import Source

SHORT = MemoryConfig(working_messages=2)


def unit(number: int) -> np.ndarray:
    return np.eye(1, 8, number % 8, dtype=np.float32)[0]


async def mirrored(store: Store, mirror: VectorMirror) -> dict[int, list[float]]:
    """What the mirror holds, checked against the file."""

    def read(connection: apsw.Connection) -> dict[int, list[float]]:
        mirror.catch_up(connection)
        held = {}
        for axis in range(8):
            values = mirror.cosines(np.arange(len(mirror)), unit(axis))
            for source_id, value in zip(mirror.ids.tolist(), values.tolist(), strict=True):
                held.setdefault(source_id, []).append(value)
        file = {
            source_id: np.frombuffer(vector, dtype=np.float32).tolist()
            for source_id, vector in vectors.each(connection, Source.TURN)
        }
        assert held == {source_id: pytest.approx(vector) for source_id, vector in file.items()}
        assert len(mirror) == len(file)
        return held

    return await store.read(read)


@pytest.mark.parametrize("most_whole", [1_000, 90], ids=["whole", "small"])
async def test_the_mirror_follows_the_file_whoever_writes(path: Path, most_whole: int) -> None:
    embedder, mirror = HashEmbedder(dimension=8), VectorMirror(Source.TURN, most_whole)
    async with Store(path, serve=True) as store, Store(path, serve=False) as guest:
        assert await mirrored(store, mirror) == {}
        await store.write(lambda c: vectors.use_embedder(c, embedder))
        for number in range(1, 200):
            writer = guest if number % 2 else store
            await writer.write(lambda c, n=number: vectors.put(c, n, unit(n), Source.TURN))
            if number % 5 == 0:
                await guest.write(lambda c, n=number: vectors.remove(c, n - 2, Source.TURN))
                await store.write(lambda c, n=number: vectors.put(c, n - 1, unit(n), Source.TURN))
            if number % 7 == 0:
                await mirrored(store, mirror)
        assert len(await mirrored(store, mirror)) == 160
        assert mirror.is_exact == (most_whole > 160)
        await guest.write(lambda c: vectors.use_embedder(c, HashEmbedder(dimension=8, name="other")))
        assert await mirrored(store, mirror) == {}
        await guest.write(lambda c: vectors.put(c, 3, unit(3), Source.TURN))
        assert list(await mirrored(store, mirror)) == [3]


async def test_the_nearest_are_found_among_many_that_are_held_small(path: Path) -> None:
    source = np.random.default_rng(5)
    topics, spread = source.normal(size=(40, 384)), source.normal(size=(2_000, 384))
    rows = np.repeat(topics, 50, axis=0) + 0.7 * spread
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def fill(connection: apsw.Connection) -> None:
        vectors.use_embedder(connection, HashEmbedder(dimension=384))
        for number, row in enumerate(rows, start=1):
            vectors.put(connection, number, row, Source.TURN)

    def nearest(connection: apsw.Connection, most_whole: int) -> list[list[int]]:
        mirror = VectorMirror(Source.TURN, most_whole)
        mirror.catch_up(connection)
        looks = [Cosines(mirror, row) for row in rows[::50]]
        itself = [look.of([1 + 50 * place]) for place, look in enumerate(looks)]
        assert itself == [{1 + 50 * place: pytest.approx(1.0, abs=0.01)} for place in range(len(looks))]
        return [look.nearest(10, 0.3, set) for look in looks]

    async with Store(path, serve=True) as store:
        await store.write(fill)
        exact = await store.read(lambda connection: nearest(connection, 2_000))
        small = await store.read(lambda connection: nearest(connection, 100))
    shared = sum(len(set(one) & set(other)) for one, other in zip(exact, small, strict=True))
    assert shared >= 0.97 * sum(map(len, exact))


async def test_a_write_that_fails_is_not_in_the_mirror(path: Path) -> None:
    mirror = VectorMirror(Source.TURN)
    async with Store(path, serve=True) as store:
        await store.write(lambda c: vectors.use_embedder(c, HashEmbedder(dimension=8)))

        def breaks(connection: apsw.Connection) -> None:
            vectors.put(connection, 1, unit(1), Source.TURN)
            raise RuntimeError("the power went")

        with pytest.raises(RuntimeError):
            await store.write(breaks)
        assert await mirrored(store, mirror) == {}


async def test_the_hidden_crowd_nothing_out(path: Path) -> None:
    async with Store(path, serve=True) as store:

        def fill(connection: apsw.Connection) -> None:
            for number in range(300):
                turn = UserTurn(f"t{number}", "attic" if number else "kitchen", "owner", "hens", NOON, None, "Wilma")
                conversation.append_overheard(connection, turn)

        await store.write(fill)
        visible = VisibleTurns("owner", "kitchen")
        hits = await store.read(lambda c: turn_index.search(c, "hens", visible, 5))
        assert [identity for identity, _ in hits] == [1]
