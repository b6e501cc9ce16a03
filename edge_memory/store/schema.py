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
        raise StoreDamaged(f"{path} has been cut short", "restore a backup; the file was left as it is")
    if tables and connection.pragma("application_id") != APPLICATION_ID:
        raise StoreDamaged(f"{path} belongs to another program", "give another --data-dir")
    version = version_of(connection)
    if version > newest_version():
        raise StoreTooNew(
            f"{path} has schema {version}, this version knows {newest_version()}",
            "update lobug; the file was not touched",
        )


def migrate(connection: Connection, *, now: float) -> None:
    """Applies what is missing, each step with its number in one transaction."""
    for step in all_migrations()[version_of(connection) :]:
        with connection:
            connection.execute(step.sql)
            connection.execute(
                "INSERT INTO meta (name, value) VALUES (?, ?)",
                (f"migration {step.number} {step.name}", str(now)),
            )
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", step.number)


def check_health(connection: Connection, path: Path) -> None:
    """Raises StoreDamaged when the pages or the text index do not hold together."""
    verdict = connection.execute("PRAGMA quick_check(1)").get
    if verdict != "ok":
        raise StoreDamaged(f"{path} is damaged: {verdict}", "restore a backup; the file was left as it is")
    # The content check matters: it also finds a text index that lags behind the records.
    connection.execute("INSERT INTO records_fts (records_fts, rank) VALUES ('integrity-check', 1)")
