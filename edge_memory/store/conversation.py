"""The conversation log: what was heard and what was answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edge_memory.records import Role, StoredMessage, UserTurn
from edge_memory.store import turn_index
from edge_memory.store.connection import Connection

_COLUMNS = "id, turn_id, role, content, session_id, user_id, action, created_at, device_id, speaker"
_NEWEST = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply of a turn. `action` is respond, ignore or clarify; `used` are the ids of the records it was given,
    `forgets` those that it is to forget.
    """

    turn: UserTurn
    text: str
    action: str
    timings: Mapping[str, float]
    said_at: float
    used: Sequence[int] = ()
    forgets: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """A turn in the log. `action` is None and `said` empty while it has no answer."""

    session_id: str
    device_id: str | None
    action: str | None
    said: str
    timings: Mapping[str, float]


def append_user(connection: Connection, turn: UserTurn) -> None:
    """Safe to repeat: a turn id is stored once. A repetition writes it again, so that there is something to sync."""
    connection.execute(
        "INSERT INTO conversation_log (turn_id, role, content, session_id, user_id, device_id, created_at)"
        " VALUES (?, 'user', ?, ?, ?, ?, ?) ON CONFLICT (turn_id, role) DO UPDATE SET content = content",
        (turn.turn_id, turn.text, turn.session_id, turn.user_id, turn.device_id, turn.heard_at),
    )


def append_assistant(connection: Connection, answer: Answer) -> bool:
    """Also marks the user's message with the action. False when the turn was answered already: nothing changes.

    The turn can then be found by its words; `turn_index.tell_neighbours` is left to its digestion.
    """
    turn = answer.turn
    connection.execute(
        "INSERT INTO conversation_log"
        " (turn_id, role, content, session_id, user_id, device_id, action, timings, created_at)"
        " VALUES (?, 'assistant', ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (turn_id, role) DO NOTHING",
        (
            turn.turn_id,
            answer.text,
            turn.session_id,
            turn.user_id,
            turn.device_id,
            answer.action,
            json.dumps(dict(answer.timings)),
            answer.said_at,
        ),
    )
    if not connection.changes():
        return False
    connection.execute(
        "UPDATE conversation_log SET action = ?1 WHERE turn_id = ?2 AND role = 'user' AND action <> ?1",
        (answer.action, turn.turn_id),
    )
    turn_index.add(connection, turn.turn_id)
    return True


def fill_answer(connection: Connection, answer: Answer) -> None:
    """Gives a turn whose answer was lost in a crash the words that it got when the device sent it again."""
    connection.execute(
        "UPDATE conversation_log SET content = ? WHERE turn_id = ? AND role = 'assistant' AND content = ''"
        " AND EXISTS (SELECT 1 FROM conversation_log WHERE turn_id = ? AND role = 'user' AND content <> '')",
        (answer.text, answer.turn.turn_id, answer.turn.turn_id),
    )


def find_turn(connection: Connection, turn_id: str) -> ToldTurn | None:
    row = connection.execute(
        "SELECT heard.session_id, heard.device_id, said.action, coalesce(said.content, ''), said.timings"
        " FROM conversation_log AS heard"
        " LEFT JOIN conversation_log AS said ON said.turn_id = heard.turn_id AND said.role = 'assistant'"
        " WHERE heard.turn_id = ? AND heard.role = 'user'",
        (turn_id,),
    ).fetchone()
    if row is None:
        return None
    session_id, device_id, action, said, timings = row
    return ToldTurn(session_id, device_id, action, said, json.loads(timings or "{}"))


def append_overheard(connection: Connection, turn: UserTurn) -> None:
    """Keeps what somebody said in a dialogue without the companion: to be recalled, never answered or digested.

    Safe to repeat: a turn id is stored once.
    """
    connection.execute(
        "INSERT INTO conversation_log (turn_id, role, content, session_id, user_id, device_id, created_at, speaker)"
        " VALUES (?, 'user', ?, ?, ?, ?, ?, ?) ON CONFLICT (turn_id, role) DO NOTHING",
        (turn.turn_id, turn.text, turn.session_id, turn.user_id, turn.device_id, turn.heard_at, turn.speaker),
    )
    if connection.changes():
        _index(connection, turn.turn_id)


def _index(connection: Connection, turn_id: str) -> None:
    heard = connection.execute("SELECT id FROM conversation_log WHERE turn_id = ? AND role = 'user'", (turn_id,)).get
    if heard is not None:
        turn_index.index(connection, int(heard))


def last_messages(connection: Connection, session_id: str, limit: int) -> list[StoredMessage]:
    """The newest of a session, oldest first, without what was ignored and without a turn that awaits its answer."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM conversation_log AS one WHERE session_id = ? AND action <> 'ignore' AND content <> ''"
        " AND (speaker IS NOT NULL OR EXISTS (SELECT 1 FROM conversation_log AS said"
        " WHERE said.turn_id = one.turn_id AND said.role = 'assistant')) ORDER BY id DESC LIMIT ?",
        (session_id, limit),
    ).fetchall()
    return [_message(row) for row in reversed(rows)]


def recent_sessions(connection: Connection, limit: int) -> list[tuple[str, str]]:
    """Ids of the sessions that were talked in last and of their users, newest first, among the newest messages."""
    rows = connection.execute(
        "SELECT session_id, user_id FROM (SELECT id, session_id, user_id FROM conversation_log"
        " WHERE role = 'assistant' AND action <> 'ignore' ORDER BY id DESC LIMIT ?)"
        " GROUP BY session_id ORDER BY max(id) DESC LIMIT ?",
        (_NEWEST, limit),
    )
    return [(str(session_id), str(user_id)) for session_id, user_id in rows]


def unsummarized(connection: Connection, session_id: str) -> list[StoredMessage]:
    """Oldest first."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM conversation_log WHERE session_id = ? AND summarized = 0 ORDER BY id",
        (session_id,),
    )
    return [_message(row) for row in rows]


def count_unsummarized(connection: Connection, session_id: str) -> int:
    return int(
        connection.execute(
            "SELECT count(*) FROM conversation_log WHERE session_id = ? AND summarized = 0", (session_id,)
        ).get
    )


def mark_summarized(connection: Connection, session_id: str, up_to_id: int) -> None:
    connection.execute(
        "UPDATE conversation_log SET summarized = 1 WHERE session_id = ? AND id <= ?", (session_id, up_to_id)
    )


def user_message(connection: Connection, turn_id: str) -> StoredMessage | None:
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM conversation_log WHERE turn_id = ? AND role = 'user'", (turn_id,)
    ).fetchone()
    return None if row is None else _message(row)


def reply(connection: Connection, turn_id: str) -> str:
    """What a turn was answered, empty when it was not."""
    said = "SELECT content FROM conversation_log WHERE turn_id = ? AND role = 'assistant'"
    return str(connection.execute(said, (turn_id,)).get or "")


def messages_before(connection: Connection, message_id: int, session_id: str, limit: int) -> list[StoredMessage]:
    """The messages of the session right before one, oldest first."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM conversation_log WHERE session_id = ? AND id < ? ORDER BY id DESC LIMIT ?",
        (session_id, message_id, limit),
    ).fetchall()
    return [_message(row) for row in reversed(rows)]


def last_turns(
    connection: Connection,
    session_id: str | None,
    limit: int,
    user_id: str | None = None,
    turn_id: str | None = None,
) -> list[dict[str, object]]:
    """The newest turns, oldest first, each with what was heard and what was said. None means any."""
    rows = connection.execute(
        "SELECT heard.turn_id, heard.session_id, heard.device_id, heard.action, heard.content, said.content,"
        " said.timings, heard.created_at FROM conversation_log AS heard"
        " LEFT JOIN conversation_log AS said ON said.turn_id = heard.turn_id AND said.role = 'assistant'"
        " WHERE heard.role = 'user' AND (?1 IS NULL OR heard.session_id = ?1)"
        " AND (?3 IS NULL OR heard.user_id = ?3) AND (?4 IS NULL OR heard.turn_id = ?4)"
        " ORDER BY heard.id DESC LIMIT ?2",
        (session_id, limit, user_id, turn_id),
    ).fetchall()
    names = ("turn_id", "session_id", "device_id", "action", "heard", "said", "timings", "created_at")
    turns: list[dict[str, object]] = [dict(zip(names, row, strict=True)) for row in reversed(rows)]
    for turn in turns:
        turn["timings"] = json.loads(str(turn["timings"] or "{}"))
    return turns


def last_id(connection: Connection) -> int:
    """The id of the newest message, 0 when there is none."""
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM conversation_log").get)


def unanswered_turns(connection: Connection, up_to_id: int) -> list[UserTurn]:
    """Turns heard up to this message id and never answered, oldest first."""
    rows = connection.execute(
        "SELECT turn_id, session_id, user_id, content, created_at, device_id FROM conversation_log AS heard"
        " WHERE role = 'user' AND speaker IS NULL AND id <= ? AND NOT EXISTS"
        " (SELECT 1 FROM conversation_log AS said WHERE said.turn_id = heard.turn_id AND said.role = 'assistant')"
        " ORDER BY id",
        (up_to_id,),
    )
    return [UserTurn(*row) for row in rows]


def blank(connection: Connection, turn_id: str) -> None:
    """Takes the words of a turn out of the log; that it took place stays."""
    connection.execute("UPDATE conversation_log SET content = '' WHERE turn_id = ?", (turn_id,))
    _index(connection, turn_id)


def remove(connection: Connection, turn_id: str) -> None:
    """Takes a turn out of the log as if it had not taken place."""
    blank(connection, turn_id)
    connection.execute("DELETE FROM conversation_log WHERE turn_id = ?", (turn_id,))


def rewrite(connection: Connection, user_id: str, change: Callable[[str], str]) -> None:
    """Passes what a user said and was told through `change`."""
    rows = connection.execute("SELECT id, content FROM conversation_log WHERE user_id = ?", (user_id,)).fetchall()
    for identity, content in rows:
        changed = change(str(content))
        if changed != content:
            connection.execute("UPDATE conversation_log SET content = ? WHERE id = ?", (changed, identity))
            assert isinstance(identity, int)
            turn_index.index(connection, identity)


def count_turns(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM conversation_log WHERE role = 'user'").get)


def _message(row: tuple[Any, ...]) -> StoredMessage:
    identity, turn_id, role, *rest = row
    return StoredMessage(identity, turn_id, Role(role), *rest)
