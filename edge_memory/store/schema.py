"""Bringing a file to the newest schema, and refusing what is not ours to touch."""

from __future__ import annotations

from pathlib import Path

from edge_memory.errors import StoreDamaged, StoreTooNew
from edge_memory.store.connection import APPLICATION_ID, Connection
from edge_memory.store.migrations import all_migrations


def newest_version() -> int:
    return len(all_migrations())


def version_of(connection: Connection) -> int:
    return int(connection.pragma("user_version"))


def check_identity(connection: Connection, path: Path) -> None:
    """For a file that is not empty. Raises StoreDamaged for a stump or a foreign file, StoreTooNew for a newer one."""
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").get
    if not connection.pragma("page_count"):
        raise StoreDamaged(
            f"{path} has been cut short", "put a copy back with `lobug restore`; the file was left as it is"
        )
    if tables and connection.pragma("application_id") != APPLICATION_ID:
        raise StoreDamaged(f"{path} belongs to another program", "give another --data-dir")
    check_not_newer(version_of(connection), path)


def check_not_newer(version: int, path: Path) -> None:
    """Raises StoreTooNew for the schema of a newer lobug."""
    if version > newest_version():
        raise StoreTooNew(
            f"{path} has schema {version}, this version knows {newest_version()}",
            "update lobug; the file was not touched",
        )


def migrate(connection: Connection, *, now: float, up_to: int | None = None) -> None:
    """Applies all that is missing in one transaction: cut off at any moment, the file is as old as it was, or new."""
    missing = all_migrations()[version_of(connection) : up_to]
    if not missing:
        return
    with connection:
        for step in missing:
            connection.execute(step.sql)
            connection.execute(
                "INSERT INTO meta (name, value) VALUES (?, ?)",
                (f"migration {step.number} {step.name}", str(now)),
            )
        _check_references(connection)
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", missing[-1].number)


def check_health(connection: Connection, path: Path) -> None:
    """Raises StoreDamaged when the pages or the text index do not hold together."""
    _check_pages(connection, path, "quick_check")
    _check_words(connection, "records_fts")


def check_whole(connection: Connection, path: Path) -> None:
    """As `check_health`, and every index against its table, and every text index. Takes longer."""
    _check_pages(connection, path, "integrity_check")
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % fts5 %'"):
        _check_words(connection, str(name))


def _check_pages(connection: Connection, path: Path, pragma: str) -> None:
    verdict = connection.execute(f"PRAGMA {pragma}(1)").get
    if verdict != "ok":
        raise StoreDamaged(
            f"{path} is damaged: {verdict}", "put a copy back with `lobug restore`; the file was left as it is"
        )


def _check_words(connection: Connection, index: str) -> None:
    # Rank 1 compares the index with its table: it also finds one that lags behind.
    connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")


def _check_references(connection: Connection) -> None:
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        raise StoreDamaged(
            f"table {broken[0]} refers to rows that are not there", "put a copy back with `lobug restore`"
        )
