"""What the owner says of a record besides its text: its kind, the scope that it is for, how much it counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from edge_memory.errors import BadQuery
from edge_memory.records import Kind, Priority, Record
from edge_memory.store import Connection, records
from edge_memory.store.records import Cause

_LONGEST_SCOPE = 200


@dataclass(frozen=True, slots=True)
class Marks:
    """None leaves a field as it is. `scope` is a path, a topic or a glob over them. Raises BadQuery for a bad one."""

    kind: Kind | None = None
    scope: str | None = None
    priority: Priority | None = None

    def __post_init__(self) -> None:
        if self.scope is not None and not (self.scope.strip() and len(self.scope) <= _LONGEST_SCOPE):
            raise BadQuery("the scope is empty or too long", f"give 1 to {_LONGEST_SCOPE} characters, such as garden/*")

    def put_on(self, connection: Connection, record: Record, now: float, by: str = "the owner") -> Record:
        """The record as it is now; its history tells who marked it."""
        fields = {"kind": self.kind, "scope": self.scope and self.scope.strip(), "priority": self.priority}
        wanted: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
        if all(getattr(record, name) == value for name, value in wanted.items()):
            return record
        return records.change(connection, record.id, Cause("update", f"marked by {by}"), now, **wanted)

    def put_on_by_program(self, connection: Connection, record: Record, now: float) -> Record:
        """As `put_on`, but what was known before stays as the owner has it."""
        return self.put_on(connection, record, now, "a program") if not record.reinforcement else record


NO_MARKS = Marks()
