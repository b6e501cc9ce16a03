"""What was asked about records, and when. An asking is an entry of the record's history."""

from __future__ import annotations

from collections.abc import Sequence

from edge_memory.records import Record, Status, UserTurn
from edge_memory.store import finding, records
from edge_memory.store.connection import Connection

ASKED, OFFERED = "ask", "offer"
_UNASKED = (
    "SELECT id FROM records WHERE user_id = ? AND status = 'pending' AND (session_id IS NULL OR session_id = ?)"
    " AND NOT EXISTS (SELECT 1 FROM fact_history WHERE record_id = records.id AND action = ?)"
)
_WAITING = "SELECT 1 FROM records WHERE user_id = ? AND status = 'pending' AND (session_id IS NULL OR session_id = ?)"
_TURN_BEFORE = (
    "(SELECT turn_id FROM conversation_log WHERE session_id = :session AND role = 'user' AND turn_id <> :turn"
    " ORDER BY id DESC LIMIT 1)"
)


def unasked(connection: Connection, user_id: str, session_id: str) -> list[Record]:
    """Pending records of a user that this session may see and that nobody was asked about yet, oldest first."""
    rows = connection.execute(f"{_UNASKED} ORDER BY id", (user_id, session_id, ASKED))
    return finding.in_order(connection, [row[0] for row in rows])


def is_any_unasked(connection: Connection, user_id: str, session_id: str | None) -> bool:
    """Whether there are any."""
    return bool(connection.execute(f"SELECT EXISTS ({_UNASKED})", (user_id, session_id, ASKED)).get)


def is_any_waiting(connection: Connection, user_id: str, session_id: str | None) -> bool:
    """Whether anything of a user that this session may see is pending, asked about or not."""
    return bool(connection.execute(f"SELECT EXISTS ({_WAITING})", (user_id, session_id)).get)


def note_asked(connection: Connection, record_id: int, turn_id: str, now: float) -> None:
    """Raises RecordNotFound."""
    records.change(connection, record_id, records.Cause(ASKED, "asked whether it is so", turn_id), now)


def note_offered(connection: Connection, record_ids: Sequence[int], turn_id: str, now: float) -> None:
    """Raises RecordNotFound."""
    for record_id in record_ids:
        cause = records.Cause(OFFERED, "asked whether this is to be forgotten", turn_id)
        records.change(connection, record_id, cause, now)


def asked_right_before(connection: Connection, session_id: str, turn_id: str) -> bool:
    """Whether the reply before this turn of the session asked about a record, whatever became of it."""
    row = connection.execute(
        f"SELECT 1 FROM fact_history WHERE action = :asked AND turn_id = {_TURN_BEFORE}",
        {"asked": ASKED, "session": session_id, "turn": turn_id},
    ).fetchone()
    return row is not None


def asked_before(connection: Connection, turn: UserTurn) -> Record | None:
    """The pending record that the reply right before this turn, in the same session, asked about."""
    asked = _before(connection, turn, ASKED)
    return next((record for record in reversed(asked) if record.status is Status.PENDING), None)


def offered_before(connection: Connection, turn: UserTurn) -> list[Record]:
    """What the reply right before this turn, in the same session, asked whether to forget, in the order of asking."""
    return [record for record in _before(connection, turn, OFFERED) if record.status is not Status.TOMBSTONED]


def _before(connection: Connection, turn: UserTurn, action: str) -> list[Record]:
    rows = connection.execute(
        "SELECT records.id FROM records JOIN fact_history ON fact_history.record_id = records.id"
        f" WHERE records.user_id = :user AND fact_history.action = :action AND fact_history.turn_id = {_TURN_BEFORE}"
        # what was said before the question was asked answers something else
        " AND fact_history.at <= :heard ORDER BY fact_history.id",
        {
            "user": turn.user_id,
            "action": action,
            "session": turn.session_id,
            "turn": turn.turn_id,
            "heard": turn.heard_at,
        },
    )
    return finding.in_order(connection, [row[0] for row in rows])
