#!/usr/bin/env -S .venv/bin/python
"""Records a lived-in memory file as SQL, for tests of upgrades: one file for each schema that was ever released.

usage: PYTHONPATH=/a/checkout/of/that/version python scripts/record_schema.py > tests/data/schemas/0007.sql
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw
import sqlite_vec

from edge_memory.memory import Memory
from edge_memory.records import UserTurn
from edge_memory.scripted import HashEmbedder, ScriptedChat
from edge_memory.store.conversation import Answer

NOON = 1_790_000_000.0
SAID = (
    "my name is Alex and I work at NASA",
    "i am allergic to peanuts",
    "my sister Nora lives in Hull",
    "i live in Leeds",
    "no, i live in York now",
    "we have a dog called Rex",
    "i like tea without sugar",
    "never wake me before seven",
    "what is my name",
)


async def live(path: Path) -> None:
    """Some turns and their digestion; one turn is left undigested."""
    chat = ScriptedChat(lambda messages: "{}")
    async with Memory(path, serve=True, embedder=HashEmbedder(dimension=8), chat=chat, clock=lambda: NOON) as memory:
        await memory.prepare()
        for number, sentence in enumerate(SAID):
            heard = UserTurn(f"turn{number}", "kitchen", "owner", sentence, NOON + number, "desk")
            await memory.hear(heard)
            await memory.answer(Answer(heard, "I see.", "respond", {"total_ms": 12.0}, NOON + number))
            while number < len(SAID) - 1 and await memory.digest_once():
                pass
        await memory.sensing.sense("desk", {"temperature": 21.5})


def dump(path: Path) -> Iterator[str]:
    """Statements that make the same file again: tables with rows, then virtual tables, then indices and triggers."""
    connection = apsw.Connection(str(path))
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    kinds = {str(name): str(kind) for name, kind in connection.execute("SELECT name, type FROM pragma_table_list")}
    for name in ("application_id", "user_version"):
        yield f"PRAGMA {name} = {connection.pragma(name)};"
    yield "BEGIN;"
    rows = connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    own = ("sqlite_", *(f"{name}_" for name, kind in kinds.items() if kind == "virtual"))  # made by their virtual table
    made = [
        (str(type_), str(name), str(sql))
        for type_, name, sql in rows
        if type_ != "table" or not str(name).startswith(own)
    ]
    for wanted in ("table", "virtual"):
        for type_, name, sql in made:
            if type_ == "table" and kinds[name] == wanted:
                yield f"{sql};"
                if "content = 'records'" in sql:
                    yield f"INSERT INTO {name} ({name}) VALUES ('rebuild');"
                else:
                    yield from _rows(connection, name, ("rowid",) if "fts5" in sql else ())
                if "fts5" in sql:
                    yield f"INSERT INTO {name} ({name}, rank) VALUES ('secure-delete', 1);"
    yield "DELETE FROM sqlite_sequence;"
    yield from _rows(connection, "sqlite_sequence")
    yield from (f"{sql};" for type_, _, sql in made if type_ != "table")
    yield "COMMIT;"


def _rows(connection: apsw.Connection, table: str, more: tuple[str, ...] = ()) -> Iterator[str]:
    columns = [*more, *(str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})"))]
    for row in connection.execute(f"SELECT {', '.join(columns)} FROM {table}"):
        values = ", ".join(apsw.format_sql_value(value) for value in row)
        yield f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values});"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        asyncio.run(live(path))
        sys.stdout.writelines(f"{statement}\n" for statement in dump(path))


if __name__ == "__main__":
    main()
