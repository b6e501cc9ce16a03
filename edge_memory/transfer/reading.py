"""An exported document, checked row by row before anything of it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from edge_memory.errors import BadDocument
from edge_memory.records import Kind, Layer, Origin, Priority, Record, Status, UserTurn
from edge_memory.store.records import HistoryEntry
from edge_memory.store.summaries import BaseMemory
from edge_memory.transfer.document import FORMAT, FORMAT_VERSION
from edge_memory.transfer.rows import Row

_ACTIONS = frozenset({"respond", "ignore", "clarify"})


@dataclass(frozen=True, slots=True)
class ArrivingRecord:
    """Ids are those of the document."""

    record: Record
    history: tuple[HistoryEntry, ...]


@dataclass(frozen=True, slots=True)
class ArrivingTurn:
    """`said` None is a turn without a reply. Ids are those of the document."""

    heard: UserTurn
    heard_id: int
    action: str
    said: str | None
    said_at: float
    said_id: int
    timings: dict[str, float]
    heard_summarized: bool
    said_summarized: bool


@dataclass(frozen=True, slots=True)
class Arriving:
    """A whole document. Summaries are rows as `store.copying` has them; base memory is the oldest version first."""

    user_id: str
    records: tuple[ArrivingRecord, ...]
    turns: tuple[ArrivingTurn, ...]
    summaries: tuple[dict[str, Any], ...]
    base_memory: tuple[BaseMemory, ...]


def read_document(document: Any) -> Arriving:
    """Raises BadDocument that names the first wrong row by its place and the field."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadDocument("this is no memory of lobug", "give a file that `lobug memory export` wrote")
    if document.get("version") != FORMAT_VERSION:
        raise BadDocument(
            f"the document has version {str(document.get('version'))[:20]}, this one reads {FORMAT_VERSION}",
            "update lobug, then try again",
        )
    whole = Row("", document)
    user_id = whole.name("user_id")
    turns = tuple(_turn(row, user_id) for row in whole.rows("turns"))
    message_ids = {id_ for turn in turns for id_ in (turn.heard_id, turn.said_id)}
    arriving = tuple(_record(row, user_id) for row in whole.rows("records"))
    for name, values in (
        ("records", [one.record.uid for one in arriving]),
        ("records", [one.record.id for one in arriving]),
        ("turns", [one.heard.turn_id for one in turns]),
        ("turns", [one.heard_id for one in turns]),
    ):
        _refuse_twins(name, values)
    versions = sorted((_base(row) for row in whole.rows("base_memory")), key=lambda one: one.version)
    summaries = tuple(_summary(row, message_ids) for row in whole.rows("summaries"))
    return Arriving(user_id, arriving, turns, summaries, tuple(versions))


def _refuse_twins(name: str, values: list[Any]) -> None:
    seen: dict[Any, int] = {}
    for number, value in enumerate(values):
        if value in seen:
            raise BadDocument(
                f"{name}[{number}] is also {name}[{seen[value]}]: {value}",
                "nothing was imported; correct or remove that row",
            )
        seen[value] = number


def _record(row: Row, user_id: str) -> ArrivingRecord:
    status = row.one_of("status", Status)
    record = Record(
        id=row.whole("id", 1),
        uid=row.name("uid"),
        user_id=row.name("user_id"),
        session_id=row.text_or_none("session_id"),
        scope=row.text("scope"),
        layer=row.one_of("layer", Layer),
        kind=row.one_of("kind", Kind),
        key=row.text_or_none("key"),
        many=row.flag("many"),
        text=row.text("text") if status is Status.TOMBSTONED else row.name("text"),
        value=row.anything("value"),
        tags=row.texts("tags"),
        priority=row.one_of("priority", Priority),
        confidence=row.number("confidence", 0, 1),
        importance=row.number("importance", 0, 1),
        surprise=row.numbers("surprise"),
        status=status,
        valid_from=row.number("valid_from"),
        valid_to=row.number_or_none("valid_to"),
        event_time=row.number_or_none("event_time"),
        origin=row.one_of("origin", Origin),
        source_turn_id=row.text_or_none("source_turn_id"),
        source_excerpt=row.text("source_excerpt"),
        reinforcement=row.whole("reinforcement"),
        last_used_at=row.number_or_none("last_used_at"),
        created_at=row.number("created_at"),
        updated_at=row.number("updated_at"),
    )
    if record.user_id != user_id:
        row.refuse("user_id", f"is {record.user_id!r}, in a document of {user_id!r}")
    return ArrivingRecord(record, tuple(_entry(entry, record.id) for entry in row.rows("history")))


def _entry(row: Row, record_id: int) -> HistoryEntry:
    return HistoryEntry(
        id=row.whole("id", 1),
        record_id=record_id,
        action=row.name("action"),
        reason=row.text("reason"),
        before=row.thing("before"),
        after=row.thing("after"),
        turn_id=row.text_or_none("turn_id"),
        at=row.number("at"),
    )


def _turn(row: Row, user_id: str) -> ArrivingTurn:
    action = row.text("action")
    if action not in _ACTIONS:
        row.refuse("action", f"is {action[:40]!r}, none of {', '.join(sorted(_ACTIONS))}")
    heard = UserTurn(
        turn_id=row.name("turn_id"),
        session_id=row.name("session_id"),
        user_id=user_id,
        text=row.text("heard"),
        heard_at=row.number("created_at"),
        device_id=row.text_or_none("device_id"),
        speaker=row.text_or_none("speaker"),
    )
    said = row.text_or_none("said")
    return ArrivingTurn(
        heard=heard,
        heard_id=row.whole("heard_id", 1),
        action=action,
        said=said,
        said_at=heard.heard_at if said is None else row.number("said_at"),
        said_id=0 if said is None else row.whole("said_id", 1),
        timings=row.numbers("timings"),
        heard_summarized=row.flag("heard_summarized"),
        said_summarized=row.flag("said_summarized"),
    )


def _summary(row: Row, message_ids: set[int]) -> dict[str, Any]:
    for name in ("from_id", "to_id"):
        if row.whole(name, 1) not in message_ids:
            row.refuse(name, f"is {row.whole(name)}, and no turn of the document has a message of that id")
    return {
        "content": row.text("content"),
        "session_id": row.name("session_id"),
        "from_id": row.whole("from_id"),
        "to_id": row.whole("to_id"),
        "created_at": row.number("created_at"),
        "incorporated": row.flag("incorporated"),
    }


def _base(row: Row) -> BaseMemory:
    return BaseMemory(row.whole("version", 1), row.text("content"), row.text("reason"), row.number("created_at"))
