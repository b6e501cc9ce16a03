"""What was asked about pending records, and when. An asking is an entry of the record's history."""

from __future__ import annotations

from edge_memory.records import Record, UserTurn
from edge_memory.store import finding, records
from edge_memory.store.connection import Connection

ASKED = "ask"


def unasked(connection: Connection, user_id: str, session_id: str) -> list[Record]:
    """Pending records of a user that this session may see and that nobody was asked about yet, oldest first."""
    rows = connection.execute(
        "SELECT id FROM records WHERE user_id = ? AND status = 'pending' AND (session_id IS NULL OR session_id = ?)"
        " AND NOT EXISTS (SELECT 1 FROM fact_history WHERE record_id = records.id AND action = ?) ORDER BY id",
        (user_id, session_id, ASKED),
    )
    return finding.in_order(connection, [row[0] for row in rows])


def note_asked(connection: Connection, record_id: int, turn_id: str, now: float) -> None:
    """Raises RecordNotFound."""
    records.change(connection, record_id, records.Cause(ASKED, "asked whether it is so", turn_id), now)


def asked_right_before(connection: Connection, session_id: str, turn_id: str) -> bool:
    """Whether the reply before this turn of the session asked about a record, whatever became of it."""
    row = connection.execute(
        "SELECT 1 FROM fact_history WHERE action = ? AND turn_id = (SELECT turn_id FROM conversation_log"
        " WHERE session_id = ? AND role = 'user' AND turn_id <> ? ORDER BY id DESC LIMIT 1)",
        (ASKED, session_id, turn_id),
    ).fetchone()
    return row is not None


def asked_before(connection: Connection, turn: UserTurn) -> Record | None:
    """The pending record that the reply right before this turn, in the same session, asked about."""
    row = connection.execute(
        "SELECT records.id FROM records JOIN fact_history ON fact_history.record_id = records.id"
        " WHERE records.status = 'pending' AND records.user_id = :user AND fact_history.action = :asked"
        " AND fact_history.turn_id = (SELECT turn_id FROM conversation_log WHERE session_id = :session"
        " AND role = 'user' AND turn_id <> :turn ORDER BY id DESC LIMIT 1) ORDER BY fact_history.id DESC LIMIT 1",
        {"user": turn.user_id, "asked": ASKED, "session": turn.session_id, "turn": turn.turn_id},
    ).fetchone()
    return None if row is None else records.get(connection, row[0])
