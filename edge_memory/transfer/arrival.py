"""Importing: what a checked document holds and this file does not comes in, all of it or nothing."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from edge_memory.records import Origin, Record
from edge_memory.store import Connection, conversation, copying, jobs, records, summaries
from edge_memory.store.conversation import Answer
from edge_memory.store.records import Cause
from edge_memory.transfer.reading import Arriving, ArrivingTurn

_WAITS = Cause("mark_pending_confirmation", "a file told it: needs a confirmation")
_NOT_IN_EVERY_REPLY = Cause("update", "a file does not decide what every reply is given")
_BETWEEN_SENTENCES, _BETWEEN_LINES = re.compile(r"(?<=[.!?])\s+|\n+"), re.compile(r"\n+")
_TITLE = re.compile(r"User Profile:|Preferences:|Ongoing Topics:|Key History:")


@dataclass(frozen=True, slots=True)
class Imported:
    """How many rows came in, and how many were here already or belong to a conversation that goes on here. Of what came
    in, so many records wait for the owner.
    """

    records: int
    turns: int
    summaries: int
    base_memory: int
    left_out: int
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Outside:
    """What becomes of what somebody else may have written: of an active record, and whether a line of a summary or of
    base memory comes in.
    """

    record: Callable[[Record], Record]
    line: Callable[[str], bool]


def take_in(connection: Connection, arriving: Arriving, outside: Outside | None, now: float) -> Imported:
    """Records are told apart by uid, turns by turn id; what is here stays as it is, erased records stay erased.

    A conversation that is here goes on as it is: older turns cannot be slipped in, since order comes from ids.
    Base memory comes in only for a user who has none. Without `outside` the owner vouches for all of it.
    """
    offered = sum(len(rows) for rows in (arriving.records, arriving.turns, arriving.summaries, arriving.base_memory))
    if outside is not None:
        arriving = _from_outside(arriving, outside)
    known = copying.ids_by_uid(connection, [one.record.uid for one in arriving.records])
    new_records = _records(connection, arriving, known)
    waiting = 0 if outside is None else _hold_back(connection, arriving, known, outside, now)
    moved = _turns(connection, arriving)
    new_summaries = 0
    for summary in arriving.summaries:
        if summary["from_id"] in moved and summary["to_id"] in moved:
            ids = {name: moved[summary[name]] for name in ("from_id", "to_id")}
            copying.insert_summary(connection, arriving.user_id, summary | ids)
            new_summaries += 1
    new_base = _base_memory(connection, arriving)
    new_turns = sum(turn.heard_id in moved for turn in arriving.turns)
    if new_records or new_turns:
        jobs.enqueue(connection, jobs.JobKind.EMBED, "records", {}, now)
    came = new_records + new_turns + new_summaries + new_base
    return Imported(new_records, new_turns, new_summaries, new_base, offered - came, waiting)


def _records(connection: Connection, arriving: Arriving, known: Mapping[str, int]) -> int:
    new = [one for one in arriving.records if one.record.uid not in known]
    ids = {one.record.id: known[one.record.uid] for one in arriving.records if one.record.uid in known}
    for one in new:
        ids[one.record.id] = copying.insert_record(connection, one.record)
    for one in new:
        value = _renumbered(one.record.value, ids)
        if value != one.record.value:
            copying.set_value(connection, ids[one.record.id], value)
    entries = sorted((entry for one in new for entry in one.history), key=lambda entry: entry.id)
    copying.insert_history(
        connection,
        [
            dataclasses.replace(
                entry,
                record_id=ids[entry.record_id],
                before=_state(entry.before, ids[entry.record_id], ids),
                after=_state(entry.after, ids[entry.record_id], ids),
            )
            for entry in entries
        ],
    )
    return len(new)


def _hold_back(
    connection: Connection, arriving: Arriving, known: Mapping[str, int], outside: Outside, now: float
) -> int:
    new = {one.record.uid: one.record for one in arriving.records if one.record.uid not in known}
    waiting = 0
    for uid, record_id in copying.ids_by_uid(connection, list(new)).items():
        held = outside.record(new[uid])
        waits = held.status is not new[uid].status
        if waits or held.priority is not new[uid].priority:
            waiting += waits
            cause = _WAITS if waits else _NOT_IN_EVERY_REPLY
            records.change(connection, record_id, cause, now, status=held.status, priority=held.priority)
    return waiting


def _from_outside(arriving: Arriving, outside: Outside) -> Arriving:
    """Without the lines that may not come in, and with the origin that it has."""
    said = [
        dataclasses.replace(one, record=dataclasses.replace(one.record, origin=Origin.IMPORT))
        for one in arriving.records
    ]
    told = [(one, _told_lines(one["content"], _BETWEEN_SENTENCES, " ", outside)) for one in arriving.summaries]
    base = [
        dataclasses.replace(one, content=_told_lines(one.content, _BETWEEN_LINES, "\n", outside))
        for one in arriving.base_memory
    ]
    summaries_told = tuple(one | {"content": content} for one, content in told if content)
    return dataclasses.replace(arriving, records=tuple(said), summaries=summaries_told, base_memory=tuple(base))


def _told_lines(text: str, between: re.Pattern[str], joined: str, outside: Outside) -> str:
    """The titles of base memory stay."""
    lines = between.split(text)
    return joined.join(line for line in lines if _TITLE.fullmatch(line) or outside.line(line.removeprefix("- ")))


def _state(state: dict[str, Any] | None, record_id: int, ids: Mapping[int, int]) -> dict[str, Any] | None:
    return None if state is None else state | {"id": record_id, "value": _renumbered(state.get("value"), ids)}


def _renumbered(value: Any, ids: Mapping[int, int]) -> Any:
    """The ids of other records that a value holds, as they are here."""
    if not isinstance(value, dict) or not isinstance(value.get("compacted_from"), list):
        return value
    sources = [source for source in value["compacted_from"] if isinstance(source, int)]
    return value | {"compacted_from": [ids[source] for source in sources if source in ids]}


def _turns(connection: Connection, arriving: Arriving) -> dict[int, int]:
    """The document's message ids of what came in, with those that they have here."""
    here = copying.known_sessions(connection, {turn.heard.session_id for turn in arriving.turns})
    told = copying.known_turns(connection, {turn.heard.turn_id for turn in arriving.turns})
    new = [turn for turn in arriving.turns if turn.heard.session_id not in here and turn.heard.turn_id not in told]
    messages = [(turn.heard_id, "user", turn) for turn in new]
    messages += [(turn.said_id, "assistant", turn) for turn in new if turn.said is not None]
    moved: dict[int, int] = {}
    for old_id, role, turn in sorted(messages, key=lambda message: message[0]):
        _write(connection, role, turn)
        moved[old_id] = copying.message_id(connection, turn.heard.turn_id, role)
    summarized = [turn.heard_id for turn in new if turn.heard_summarized]
    summarized += [turn.said_id for turn in new if turn.said_summarized]
    copying.mark_summarized(connection, [moved[old_id] for old_id in summarized if old_id in moved])
    return moved


def _write(connection: Connection, role: str, turn: ArrivingTurn) -> None:
    if turn.heard.speaker is not None:
        conversation.append_overheard(connection, turn.heard)
    elif role == "user":
        conversation.append_user(connection, turn.heard)
    else:
        answer = Answer(turn.heard, turn.said or "", turn.action, turn.timings, turn.said_at)
        conversation.append_assistant(connection, answer)


def _base_memory(connection: Connection, arriving: Arriving) -> int:
    if summaries.base_memory_versions(connection, arriving.user_id, 1):
        return 0
    for one in arriving.base_memory:
        summaries.set_base_memory(connection, arriving.user_id, one.content, one.reason, one.created_at)
    return len(arriving.base_memory)
