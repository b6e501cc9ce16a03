"""What others keep their memories in, put through the same: SQLite as it comes, and one JSON file written anew."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
from corruption import TURNS, Harm, Outcome
from erasures import Fact, traces

SAID = [
    f"my friend Nora{number} lives in Town{number}, and that is all there is to say of it" for number in range(TURNS)
]
Read = Callable[[Path], set[str]]


def make_sqlite(path: Path) -> None:
    with closing(apsw.Connection(str(path))) as connection:
        connection.pragma("journal_mode", "WAL")
        connection.execute("CREATE TABLE memories (id INTEGER PRIMARY KEY, text TEXT, vector BLOB)")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")
        for number, text in enumerate(SAID):
            vector = random.Random(number).randbytes(384)
            connection.execute("INSERT INTO memories (text, vector) VALUES (?, ?)", (text, vector))
            connection.execute("INSERT INTO words (text) VALUES (?)", (text,))


def read_sqlite(path: Path) -> set[str]:
    """All of it. Raises ValueError."""
    try:
        with closing(apsw.Connection(str(path))) as connection:
            return {str(text) for (text,) in connection.execute("SELECT text FROM memories")}
    except apsw.Error as error:
        raise ValueError from error


def make_json(path: Path) -> None:
    path.write_text(json.dumps([{"text": text, "vector": [0.5] * 96} for text in SAID]), encoding="utf-8")


def read_json(path: Path) -> set[str]:
    """All of it. Raises ValueError."""
    return {str(row["text"]) for row in json.loads(path.read_bytes())}


PEERS: dict[str, tuple[Callable[[Path], None], Read]] = {
    "SQLite as it comes": (make_sqlite, read_sqlite),
    "a JSON file": (make_json, read_json),
}


def damaged_peer(folder: Path, peer: str, damage: Harm, tries: int) -> Outcome:
    """The same damage; nothing of these is saved without a copy."""
    make, read = PEERS[peer]
    original, outcome = folder / "original", Outcome()
    make(original)
    for seed in range(tries):
        path = folder / f"{seed}" / "memory"
        path.parent.mkdir()
        shutil.copy(original, path)
        damage(path, random.Random(seed))
        outcome.tries += 1
        try:
            now = read(path)
        except (ValueError, KeyError, TypeError):
            outcome.told += 1
            continue
        outcome.harmless += now == set(SAID)
        outcome.empty += not now
        outcome.unnoticed += bool(now) and now != set(SAID)
    return outcome


def words_left(path: Path, erased: list[Fact]) -> int:
    """How many of their words are still in a SQLite file, as it comes, after all of them were deleted."""
    with closing(apsw.Connection(str(path))) as connection:
        connection.pragma("secure_delete", False)  # as SQLite comes; this build has it on
        connection.pragma("journal_mode", "WAL")
        connection.execute("CREATE TABLE memories (id INTEGER PRIMARY KEY, text TEXT)")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")
        for number, fact in enumerate(erased):
            for table in ("memories (id, text)", "words (rowid, text)"):
                connection.execute(f"INSERT INTO {table} VALUES (?, ?)", (number, fact.sentence))
        connection.execute("DELETE FROM memories")
        connection.execute("DELETE FROM words")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return len(traces(path.parent, erased))
