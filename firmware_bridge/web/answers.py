"""What answers look like, where no value of another room says it already."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic reads typing's own from Python 3.12 on only

from edge_memory.records import Record
from edge_memory.reminders import Reminder
from edge_memory.review.profile import Profile
from edge_memory.sensing.over_time import Series
from edge_memory.store.devices import Device
from edge_memory.store.summaries import BaseMemory
from firmware_bridge.contracts import Said


class ErrorTold(TypedDict):
    code: str
    message: str
    hint: str


class ErrorBody(TypedDict):
    """`code` is stable, `hint` says what to do next."""

    error: ErrorTold


class OpenAIErrorTold(ErrorTold):
    type: str
    param: str | None


class OpenAIErrorBody(TypedDict):
    """As OpenAI's clients read it, with the hint beside."""

    error: OpenAIErrorTold


class TurnUnderWay(TypedDict):
    """`running`: its words are on disk; `waiting`: it queues behind another turn of its session."""

    turn_id: str
    session_id: str
    state: Literal["running", "waiting"]


class TurnSoFar(TypedDict):
    turn_id: str
    session_id: str
    state: Literal["running"]
    text: str


@dataclass(frozen=True, slots=True)
class SpokenTurn(Said):
    """`reason` says why it was not simply answered, and is empty when it was. `audio_url` is None without sound."""

    heard: str = ""
    reason: str = ""
    audio_url: str | None = None


class ModelShown(TypedDict):
    name: str
    state: str
    detail: str


class HealthBody(TypedDict):
    """`degraded` names each thing that is not as it should be."""

    status: Literal["ok", "degraded"]
    models: dict[str, ModelShown]
    memory: dict[str, int]
    degraded: list[str]


class PairingAsked(TypedDict):
    """The code is shown to the owner, the claim kept for fetching the token."""

    code: str
    claim: str
    expires_in: int


class PairingWaits(TypedDict):
    state: Literal["waiting"]


class Paired(TypedDict):
    token: str
    device_id: str


class DeviceEvents(TypedDict):
    """Each has its name as `event`, and the members of that event. `time` has those of a `time` event. `receipt` is for
    the next poll.
    """

    events: list[dict[str, Any]]
    time: dict[str, float]
    receipt: str


class RecordsPage(TypedDict):
    records: list[Record]
    total: int


class HistoryTold(TypedDict):
    """`before` and `after` are the record as it was and became."""

    action: str
    reason: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    turn_id: str | None
    at: float


@dataclass(frozen=True, slots=True)
class RecordTold(Record):
    """A record, the ids of those that it replaced, what took its place, and what was done to it."""

    replaced: list[int] = field(default_factory=list)
    replaced_by: int | None = None
    history: list[HistoryTold] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RecordFound(Record):
    """A record that a query found. `why` names each signal and what it added to `score`."""

    score: float = 0.0
    why: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordWaiting(Record):
    """A record that waits, why it was proposed, and the ids of what confirming it replaces."""

    reason: str = ""
    replaces: list[int] = field(default_factory=list)


class WaitingPage(TypedDict):
    """`may_decide`: whether who asks may confirm and reject."""

    records: list[RecordWaiting]
    total: int
    may_decide: bool


class Forgotten(TypedDict):
    """What is gone; or what would go, with the ids to send once the owner has agreed."""

    forgotten: list[int]
    would_forget: list[Record]
    ids: list[int]


class Decided(TypedDict):
    """The record as it is now, and those that this ended."""

    record: Record
    ended: list[Record]


class TurnFound(TypedDict):
    turn_id: str
    session_id: str
    speaker: str | None
    heard: str
    created_at: float
    score: float
    why: dict[str, float]


class Found(TypedDict):
    """`degraded` says what had to be left out, and is empty when nothing was."""

    hits: list[RecordFound]
    turns: list[TurnFound]
    degraded: str


class TurnTold(TypedDict):
    """`said` is None while it has no answer."""

    turn_id: str
    session_id: str
    device_id: str | None
    action: str
    heard: str
    said: str | None
    timings: dict[str, float]
    created_at: float


class TurnsTold(TypedDict):
    turns: list[TurnTold]


class BaseTold(TypedDict):
    version: int
    content: str
    created_at: float


class ProfileKept(TypedDict):
    version: int
    confidence: float
    created_at: float


@dataclass(frozen=True, slots=True)
class ProfileTold(Profile):
    """What is believed about the user. `stored`: when the profile was stored last, and how sure it was then."""

    stored: ProfileKept | None = None


class ProfileVersion(ProfileKept):
    profile: dict[str, Any]


class ProfileVersions(TypedDict):
    versions: list[ProfileVersion]


class BaseVersions(TypedDict):
    versions: list[BaseMemory]


@dataclass(frozen=True, slots=True)
class DeviceShown(Device):
    """A paired device, when it was last seen, and whether it listens now."""

    last_seen: float | None = None
    connected: bool = False


class DevicesShown(TypedDict):
    devices: list[DeviceShown]


class SeriesShown(TypedDict):
    series: list[Series]


class StatsBody(TypedDict):
    """Counts of everything. REFERENCE.md explains the seven `metrics`."""

    turns: int
    records: int
    vectors: int
    summaries: int
    jobs_pending: int
    jobs_failed: int
    metrics: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ReminderTold(Reminder):
    """A reminder; `due_local` is the due time in the zone of this machine, as ISO 8601."""

    due_local: str = ""


class RemindersTold(TypedDict):
    reminders: list[ReminderTold]


class ModelCard(TypedDict):
    id: str
    object: Literal["model"]
    created: int
    owned_by: str
    role: str


class ModelCards(TypedDict):
    object: Literal["list"]
    data: list[ModelCard]


class Transcription(TypedDict):
    text: str


class Choice(TypedDict):
    index: int
    message: dict[str, Any]
    finish_reason: str


class Completion(TypedDict):
    """With `lobug` beside, where a session was named: turn_id, session_id, memories, action."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[Choice]
    usage: dict[str, Any]


class Embedded(TypedDict):
    object: Literal["embedding"]
    index: int
    embedding: list[float] | str


class Embeddings(TypedDict):
    object: Literal["list"]
    data: list[Embedded]
    model: str
    usage: dict[str, int]
