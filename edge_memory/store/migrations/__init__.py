"""The numbered steps from an empty file to the newest schema, one SQL file each."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    sql: str


def all_migrations() -> tuple[Migration, ...]:
    """In order; the numbers are 1, 2, 3 and so on without a gap."""
    files = sorted((f for f in resources.files(__name__).iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    steps = []
    for number, file in enumerate(files, start=1):
        prefix, _, name = file.name.removesuffix(".sql").partition("_")
        if int(prefix) != number:
            raise ValueError(f"migration {number} is missing before {file.name}")
        steps.append(Migration(number, name, file.read_text(encoding="utf-8")))
    return tuple(steps)
