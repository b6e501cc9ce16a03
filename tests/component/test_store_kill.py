"""Kill -9 at any moment: what was acknowledged is there, and everything holds together."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import numpy as np

from edge_memory.records import Status
from edge_memory.store import Store, Visible, conversation, finding, jobs, records, vectors, words
from edge_memory.store.facets import Looked

KILLS = 40
_WRITER = """
import asyncio, itertools, os, pathlib, random, signal, sys, time
import numpy as np
from edge_memory.records import Kind, Layer, NewRecord, UserTurn
from edge_memory.scripted import HashEmbedder
from edge_memory.store import Store, conversation, jobs, records, vectors
from edge_memory.store.conversation import Answer

path, kills = pathlib.Path(sys.argv[1]), int(sys.argv[2])

def transaction(number):
    turn = UserTurn(f"t{number}", "s", "owner", f"said {number}", 0.0)
    def write(connection):
        vectors.use_embedder(connection, HashEmbedder(dimension=8))
        conversation.append_user(connection, turn)
        conversation.append_assistant(connection, Answer(turn, "ok", "respond", {}, 0.0))
        jobs.enqueue(connection, jobs.JobKind.OBSERVE, turn.turn_id, {}, 0.0)
        new = NewRecord(Layer.SEMANTIC, Kind.FACT, f"word{number}", source_turn_id=turn.turn_id)
        record = records.insert(connection, new, records.Cause("insert"), 0.0)
        vectors.put(connection, record.id, np.eye(1, 8, number % 8, dtype=np.float32)[0])
    return write

async def write_for_ever(start, pipe):
    async with Store(path, serve=True) as store:
        for number in itertools.count(start):
            await store.write(transaction(number))
            os.write(pipe, b"%d\\n" % number)

dice = random.Random(2026)
for kill in range(kills):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        asyncio.run(write_for_ever(kill * 1_000_000, writing))
    os.close(writing)
    with open(reading, "rb") as pipe:
        first = pipe.readline()
        time.sleep(dice.uniform(0.0, 0.03))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        sys.stdout.write((first + pipe.read()).decode())
"""


def test_forty_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    command = [sys.executable, "-c", _WRITER, str(path), str(KILLS)]
    writer = subprocess.run(command, capture_output=True, check=True, text=True, timeout=240)
    acknowledged = [int(line) for line in writer.stdout.split()]
    assert len({number // 1_000_000 for number in acknowledged}) == KILLS
    asyncio.run(everything_holds_together(path, acknowledged))


async def everything_holds_together(path: Path, acknowledged: list[int]) -> None:
    async with Store(path, serve=True) as store:
        assert await store.write(lambda c: c.execute("PRAGMA integrity_check").get) == "ok"
        await store.check()
        turns = await store.read(lambda c: conversation.last_turns(c, None, 1_000_000))
        kept = {str(turn["turn_id"]) for turn in turns if turn["said"] == "ok"}
        assert {f"t{number}" for number in acknowledged} <= kept
        assert len(kept) == len(turns)
        counts = await store.read(jobs.counts)
        assert counts.pending == len(turns)
        found, total = await store.read(lambda c: finding.select(c, records.Filter(), 1_000_000, 0))
        assert total == len(turns) == await store.read(vectors.count)
        assert {record.source_turn_id for record in found} == kept
        visible = Visible("owner", frozenset({Status.ACTIVE}))
        for record in random.Random(0).sample(found, 10):
            hits = await store.read(lambda c, text=record.text: words.search(c, text, Looked(c, visible).among, 5))
            assert [record_id for record_id, _ in hits] == [record.id]
        query = np.eye(1, 8, dtype=np.float32)[0]
        assert await store.read(lambda c: vectors.nearest(c, query, visible, 1))
