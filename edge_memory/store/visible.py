"""Which records and turns a search may see, decided inside the search so that the hidden never crowd out the rest."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from edge_memory.records import Kind, Layer, Status
from edge_memory.store.connection import Connection

Among = Callable[[Sequence[int]], set[int]]
"""Which of some ids may be seen."""

_FIRST_LOOK, _NEXT_LOOK = 2, 8  # how many of the best are looked through: in limits, and how many times more next

# A condition on `records` for what is asked for. A scope is a glob ("garden/*"): it fits a path that it covers, and a
# glob that covers it.
FITS = (
    "(:layer IS NULL OR records.layer = :layer) AND (:kind IS NULL OR records.kind = :kind) AND (:scope IS NULL OR"
    " (records.scope <> '' AND (records.scope GLOB :scope OR :scope GLOB records.scope)))"
)
# What may be seen of these, with the parameters of `Visible.parameters`. The notes of a run are its own.
CONDITION = (
    "records.user_id = :user_id AND records.status IN (SELECT value FROM json_each(:statuses))"
    " AND (:session_id IS NULL OR (:globals AND records.session_id IS NULL) OR records.session_id = :session_id)"
    f" AND (records.layer <> 'working' OR records.session_id = :session_id) AND {FITS}"
)

# The same for turns: a condition on `conversation_log`, with the parameters of `VisibleTurns`.
TURN_CONDITION = (
    "conversation_log.user_id = :user_id AND (:session_id IS NULL OR conversation_log.session_id = :session_id)"
    " AND (:before_id IS NULL OR conversation_log.id < :before_id)"
)


@dataclass(frozen=True, slots=True)
class Visible:
    """A user's records of these states: those of one session and, unless `globals` is false, those that belong to none.

    Without a session all are seen, but for the notes of runs. `layer`, `kind` and `scope` narrow it down.
    """

    user_id: str
    statuses: frozenset[Status]
    session_id: str | None = None
    globals: bool = True
    layer: Layer | None = None
    kind: Kind | None = None
    scope: str | None = None

    def parameters(self) -> dict[str, Any]:
        return {
            "user_id": self.user_id,
            "statuses": json.dumps(sorted(self.statuses)),
            "session_id": self.session_id,
            "globals": self.globals,
            "layer": self.layer,
            "kind": self.kind,
            "scope": self.scope,
        }


@dataclass(frozen=True, slots=True)
class VisibleTurns:
    """A user's turns of one session, or of all when it is None; of these the ones before a message, if one is given."""

    user_id: str
    session_id: str | None = None
    before_id: int | None = None

    def parameters(self) -> dict[str, Any]:
        return {"user_id": self.user_id, "session_id": self.session_id, "before_id": self.before_id}

    def among(self, connection: Connection, message_ids: Sequence[int]) -> set[int]:
        """Which of these turns may be seen."""
        # CROSS JOIN: from these ids to their rows, never through all rows of the user.
        rows = connection.execute(
            "SELECT conversation_log.id FROM json_each(:ids) AS asked"
            f" CROSS JOIN conversation_log ON conversation_log.id = asked.value WHERE {TURN_CONDITION}",
            {"ids": json.dumps(list(message_ids))} | self.parameters(),
        )
        return {row[0] for row in rows}


def first_visible(best: Callable[[int], Sequence[int]], among: Among, limit: int) -> list[int]:
    """The best `limit` ids that may be seen, however many hidden ones are better.

    `best(n)` gives the n best of all, `among` picks the visible ones of these.
    """
    count = limit * _FIRST_LOOK
    while True:
        ids = best(count)
        visible: list[int] = []
        for start in range(0, len(ids), limit):  # mostly the first of them are enough
            some = ids[start : start + limit]
            seen = among(some)
            visible += [identity for identity in some if identity in seen]
            if len(visible) >= limit:
                return visible[:limit]
        if len(ids) < count:
            return visible
        count *= _NEXT_LOOK
