"""Files of every schema that was ever released, brought to the newest one by a process that may die on the way."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw

from edge_memory.store import Store, tells_rot
from edge_memory.store.connection import open_connection, open_untouched
from edge_memory.store.schema import check_whole, newest_version

SCHEMAS = Path(__file__).parents[1] / "data" / "schemas"
Rows = dict[str, list[tuple[object, ...]]]


def released() -> list[int]:
    return [int(file.stem) for file in sorted(SCHEMAS.glob("*.sql"))]


def unpack(version: int, path: Path) -> None:
    """The file that `scripts/record_schema.py` recorded, without checksums: they came with schema 12."""
    path.parent.mkdir(parents=True)
    with closing(open_connection(path, writes=True, checkpoints=True, with_checksums=False)) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        connection.execute((SCHEMAS / f"{version:04}.sql").read_text(encoding="utf-8"))


def rows(path: Path, like: Rows | None = None) -> Rows:
    """The base tables, without what a migration notes of itself; with `like` only the tables and columns of that."""
    with closing(open_untouched(path)) as connection:
        names = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
            " AND name NOT LIKE '%!_vectors!_%' ESCAPE '!' AND name NOT LIKE 'records_fts_%'"
            " AND name NOT LIKE 'turn_words_%' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        ).fetchall()
        result: Rows = {}
        for (name,) in names:
            columns = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({name})")]
            condition = " WHERE name NOT LIKE 'migration %'" if name == "meta" else ""
            key = f"{name} ({', '.join(columns)})"
            if like is not None:
                key = next((known for known in like if known.startswith(f"{name} (")), "")
                if not key:
                    continue
            wanted = key.partition("(")[2].removesuffix(")")
            result[key] = sorted(connection.execute(f"SELECT {wanted} FROM {name}{condition}").fetchall(), key=repr)
    return result


def upgrade(path: Path) -> None:
    async def open_and_close() -> None:
        async with Store(path, serve=True):
            pass

    asyncio.run(open_and_close())


def statements(path: Path) -> int:
    """How many an upgrade runs."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        count = 0

        def seen(_: object) -> None:
            nonlocal count
            count += 1

        with contextlib.suppress(BaseException):
            _watch(seen)
            upgrade(path)
        os.write(writing, b"%d" % count)
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading) as told:
        return int(told.read())


def die_at(path: Path, statement: int) -> None:
    """A process begins to upgrade, and is killed as it begins this statement, counted from 1."""
    child = os.fork()
    if child == 0:
        left = statement

        def seen(_: object) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        with contextlib.suppress(BaseException):
            _watch(seen)
            upgrade(path)
        os._exit(0)
    os.waitpid(child, 0)


def _watch(seen: Callable[[object], None]) -> None:
    """Every statement of every connection to come."""

    def hook(connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_STMT, seen)

    apsw.connection_hooks.append(hook)


@dataclass(frozen=True, slots=True)
class Found:
    """What a killed upgrade left, and what the next start made of it. `wrong` is empty if all is well."""

    was_old: bool
    wrong: str


def look_after(path: Path, old: int, before: Rows) -> Found:
    with closing(open_untouched(path)) as connection:
        version = int(connection.pragma("user_version"))
    if version not in (old, newest_version()):
        return Found(False, f"between: schema {version}")
    if rows(path, before) != before:
        return Found(version == old, f"rows changed at schema {version}")
    copies = _copies(path)
    if version != old and not copies:
        return Found(False, "no copy was made before")
    upgrade(path)
    if rows(path, before) != before:
        return Found(version == old, "rows changed by the second try")
    with closing(open_connection(path, writes=True, checkpoints=True)) as connection:
        check_whole(connection, path)
    if not tells_rot(path):
        return Found(version == old, "no checksums")
    if not any(rows(copy) == before for copy in _copies(path)):
        return Found(version == old, "no copy has the old rows")
    return Found(version == old, "")


def _copies(path: Path) -> list[Path]:
    return sorted((path.parent / "backups").glob("*-schema.db"))


def tables(path: Path) -> set[str]:
    """How the file's tables, indices and triggers are made, except for those of vectors, which an embedder makes."""
    with closing(open_untouched(path)) as connection:
        found = connection.execute(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name NOT LIKE '%_vectors%'"
        )
        return {" ".join(str(row[0]).split()) for row in found}
