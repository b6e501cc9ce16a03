"""What the reading of a turn needs to know of what was told before it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from edge_memory.records import Record, Role, StoredMessage, words_of
from edge_memory.store import conversation
from edge_memory.store.connection import Connection
from edge_memory.store.finding import in_order
from edge_memory.store.words import stop_words

_MOST_WORDS = 24
_LOOK_BACK = 12  # messages
_TURNS_TO_CORRECT = 3


def sharing_words(connection: Connection, user_id: str, text: str, limit: int) -> list[Record]:
    """Records that are active or pending and share telling words with a text, those that share the rarest first."""
    idle = stop_words(connection)
    telling = dict.fromkeys(word for word in words_of(text) if word not in idle)
    if not telling:
        return []
    rows = connection.execute(
        "SELECT records.id FROM records_fts CROSS JOIN records ON records.id = records_fts.rowid"
        " WHERE records_fts MATCH ? AND user_id = ? AND status IN ('active', 'pending')"
        " ORDER BY bm25(records_fts) LIMIT ?",
        (" OR ".join(f'"{word}"' for word in list(telling)[:_MOST_WORDS]), user_id, limit),
    )
    return in_order(connection, [row[0] for row in rows])


def about_subject(connection: Connection, user_id: str, subject: str) -> list[Record]:
    """Active records whose slot is one of this subject's, oldest first."""
    rows = connection.execute(
        "SELECT id FROM records WHERE user_id = ? AND status = 'active' AND key GLOB ? ORDER BY id",
        (user_id, f"{subject.replace('*', '').replace('?', '').replace('[', '')}.*"),
    )
    return in_order(connection, [row[0] for row in rows])


def told_after(connection: Connection, found: Sequence[Record], position: int | None) -> set[int]:
    """Ids of those records that a turn after this place of the log has told. Order is the log's, never a clock's."""
    if position is None or not found:
        return set()
    rows = connection.execute(
        "SELECT records.id FROM records JOIN conversation_log AS heard"
        " ON heard.turn_id = records.source_turn_id AND heard.role = 'user'"
        " WHERE records.id IN (SELECT value FROM json_each(?)) AND heard.id > ?",
        (json.dumps([record.id for record in found]), position),
    )
    return {int(str(row[0])) for row in rows}


def relationships(connection: Connection, user_id: str, record_ids: Collection[int]) -> list[tuple[str, str]]:
    """Slot and value of those of these records that are believed about who is who ("user.sister", "Jana"), oldest
    first.
    """
    rows = connection.execute(
        "SELECT records.key, json_extract(records.value, '$') FROM json_each(?) AS asked"
        " CROSS JOIN records ON records.id = asked.value WHERE user_id = ? AND status = 'active'"
        " AND kind = 'relationship' AND records.key IS NOT NULL AND json_type(records.value) = 'text'"
        " ORDER BY records.id",
        (json.dumps(list(record_ids)), user_id),
    )
    return [(str(key), str(value)) for key, value in rows]


def last_entry(connection: Connection) -> int:
    """The id of the newest entry of the history, 0 when there is none."""
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM fact_history").get)


def changed_since(connection: Connection, entry: int) -> list[tuple[int, str, str, bool]]:
    """Id, text and source of the records that have entries of the history after this one, and whether each tells who is
    who.
    """
    return list(
        connection.execute(
            "SELECT id, text, source_excerpt, kind = 'relationship' FROM records"
            " WHERE id IN (SELECT record_id FROM fact_history WHERE id > ?)",
            (entry,),
        )
    )


def believed_excerpts(connection: Connection, user_id: str, record_ids: Collection[int]) -> list[str]:
    """What the user said of those of these records that are active, oldest first."""
    rows = connection.execute(
        "SELECT source_excerpt FROM json_each(?) AS asked CROSS JOIN records ON records.id = asked.value"
        " WHERE user_id = ? AND status = 'active' ORDER BY records.id",
        (json.dumps(list(record_ids)), user_id),
    )
    return [str(row[0]) for row in rows]


def subjects(connection: Connection, user_id: str) -> set[str]:
    """Whom and what anything was ever told of, as slots name them: who is known stays known when what was told ends."""
    rows = connection.execute(
        "SELECT DISTINCT substr(key, 1, instr(key, '.') - 1) FROM records"
        " WHERE user_id = ? AND key > '' AND status IN ('active', 'superseded', 'expired') AND instr(key, '.') > 1",
        (user_id,),
    )
    return {str(row[0]) for row in rows}


def said_before(connection: Connection, heard: StoredMessage) -> list[str]:
    """The few last things that the user said before this message in its session, the newest first."""
    earlier = conversation.messages_before(connection, heard.id, heard.session_id, _LOOK_BACK)
    return [message.content for message in reversed(earlier) if message.role is Role.USER][:_TURNS_TO_CORRECT]


def last_told(connection: Connection, heard: StoredMessage) -> list[Record]:
    """Active records of the newest turns before this message in its session that left any, the newest turn first."""
    turns = connection.execute(
        "SELECT earlier.turn_id FROM conversation_log AS earlier WHERE earlier.role = 'user' AND earlier.session_id = ?"
        " AND earlier.id < ? AND EXISTS (SELECT 1 FROM records WHERE source_turn_id = earlier.turn_id"
        " AND status = 'active' AND user_id = ?) ORDER BY earlier.id DESC LIMIT ?",
        (heard.session_id, heard.id, heard.user_id, _TURNS_TO_CORRECT),
    ).fetchall()
    return [record for (turn_id,) in turns for record in of_turn(connection, str(turn_id))]


def of_turn(connection: Connection, turn_id: str) -> list[Record]:
    """The active records that a turn told, oldest first."""
    rows = connection.execute(
        "SELECT id FROM records WHERE source_turn_id = ? AND status = 'active' ORDER BY id", (turn_id,)
    )
    return in_order(connection, [row[0] for row in rows])


def of_turn_before(connection: Connection, heard: StoredMessage) -> list[Record]:
    """The active records that the user's turn right before this message told in its session."""
    earlier = conversation.messages_before(connection, heard.id, heard.session_id, _LOOK_BACK)
    turn_id = next((message.turn_id for message in reversed(earlier) if message.role is Role.USER), None)
    return [] if turn_id is None else of_turn(connection, turn_id)
