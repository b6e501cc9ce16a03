"""The one record type behind facts, profile, episodes, semantic notes and procedures."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Layer(StrEnum):
    WORKING = "working"  # scratch state of one run
    EPISODIC = "episodic"  # what happened; append only
    SEMANTIC = "semantic"  # what is so
    PROFILE = "profile"  # who the user is and how they want things
    PROCEDURAL = "procedural"  # how something is done


class Kind(StrEnum):
    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    POLICY = "policy"
    ENTITY = "entity"
    RELATIONSHIP = "relationship"
    WORKFLOW = "workflow"
    PITFALL = "pitfall"
    ARCHITECTURE = "architecture"
    EVENT = "event"


class Status(StrEnum):
    ACTIVE = "active"
    PENDING = "pending"  # waits for the user's confirmation
    SUPERSEDED = "superseded"  # replaced by a newer record of the same slot
    EXPIRED = "expired"  # its validity ended
    ARCHIVED = "archived"  # searchable, never injected
    TOMBSTONED = "tombstoned"  # forgotten, rejected or rolled back


class Priority(StrEnum):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    NORMAL = "normal"


class Origin(StrEnum):
    """Who vouches for a record."""

    CONVERSATION = "conversation"
    OWNER = "owner"  # typed into the command line
    IMPORT = "import"  # a file that the owner does not vouch for, or a program on their behalf
    DEVICE = "device"


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record before it is stored.

    `key` is the slot, "subject.attribute"; two records share it when they answer the same question.
    `many` says that the slot holds several values at once (children, pets, allergies), so that a new
    value never supersedes another. Times are Unix seconds; `valid_to` None means still valid.
    """

    layer: Layer
    kind: Kind
    text: str
    key: str | None = None
    many: bool = False
    value: Any = None
    confidence: float = 0.4
    importance: float = 0.5
    priority: Priority = Priority.NORMAL
    scope: str = ""
    tags: tuple[str, ...] = ()
    session_id: str | None = None
    user_id: str = "owner"
    origin: Origin = Origin.CONVERSATION
    source_turn_id: str | None = None
    source_excerpt: str = ""
    valid_from: float | None = None
    valid_to: float | None = None
    event_time: float | None = None
    surprise: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record(NewRecord):
    """A stored record. `uid` stays the same across export and import, `id` is this file's."""

    id: int = 0
    uid: str = ""
    status: Status = Status.ACTIVE
    reinforcement: int = 0
    last_used_at: float | None = None
    created_at: float = 0.0
    updated_at: float = 0.0

    @property
    def success_count(self) -> int:
        """How often a procedure has proved itself; 0 for anything else."""
        count = self.value.get("success_count", 0) if isinstance(self.value, dict) else 0
        return count if isinstance(count, int) else 0


@dataclass(frozen=True, slots=True)
class RecordHit:
    """A record found by a query. `why` names each signal and what it added to `score`."""

    record: Record
    score: float
    why: dict[str, float]
