"""Which records a search may see, decided inside the search so that the hidden never crowd out the rest."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from edge_memory.records import Status

# A condition on `records`, with the parameters of `Visible.parameters`.
CONDITION = (
    "records.user_id = :user_id AND records.status IN (SELECT value FROM json_each(:statuses))"
    " AND (:session_id IS NULL OR records.session_id IS NULL OR records.session_id = :session_id)"
)


@dataclass(frozen=True, slots=True)
class Visible:
    """A user's records of these states: the global ones and those of one session, or of all when it is None."""

    user_id: str
    statuses: frozenset[Status]
    session_id: str | None = None

    def parameters(self) -> dict[str, Any]:
        return {
            "user_id": self.user_id,
            "statuses": json.dumps(sorted(self.statuses)),
            "session_id": self.session_id,
        }
