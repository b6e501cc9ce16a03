"""What users said, made findable: by its words at once, by its vector once a job has made it.

One row a turn, with the words of its neighbours beside its own (scripts/bench_recall.py measures what that is worth).
What was ignored is left out.
"""

from __future__ import annotations

import json
import time
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass

from edge_memory.records import Role, StoredMessage
from edge_memory.store import vectors
from edge_memory.store.connection import Connection
from edge_memory.store.vectors import Source
from edge_memory.store.visible import VisibleTurns
from edge_memory.store.words import RowCounts, ranked

_REACH = 2  # turns before and after, whose words stand beside a turn's own
_NEIGHBOUR_WORDS = 60
_WEIGHTS = (1.0, 0.4, 1.0, 0.0)  # of body, around, day and place
_FEW = 2_000  # messages of a session that are named one by one
_MOST_SESSIONS = 64
_MONTHS = (
    "January February March April May June July August September October November December"
).split()  # fmt: skip
_INDEXABLE = "role = 'user' AND action <> 'ignore' AND content <> ''"
_COLUMNS = "id, turn_id, role, content, session_id, user_id, action, created_at, device_id, speaker"


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The ids of the turns said right before and right after one in the same session.

    `answers` says that the one before is somebody else's question.
    """

    before: int | None = None
    after: int | None = None
    answers: bool = False


class SessionTurns:
    """The ids of the messages of the sessions that were searched last, for one thread. No id is given twice, so only
    newer rows are read; one whose row was erased finds nothing.
    """

    def __init__(self) -> None:
        self._ids: OrderedDict[tuple[str, str], list[int]] = OrderedDict()

    def few(self, connection: Connection, visible: VisibleTurns) -> list[int] | None:
        """All of a short session that may be seen. None for a long one, or for all sessions."""
        if visible.session_id is None:
            return None
        ids = self._ids.setdefault((visible.user_id, visible.session_id), [])
        self._ids.move_to_end((visible.user_id, visible.session_id))
        if len(self._ids) > _MOST_SESSIONS:
            self._ids.popitem(last=False)
        if len(ids) <= _FEW:
            rows = connection.execute(
                "SELECT id FROM conversation_log WHERE session_id = ? AND id > ? AND user_id = ? ORDER BY id LIMIT ?",
                (visible.session_id, ids[-1] if ids else 0, visible.user_id, _FEW + 1),
            )
            ids += [row[0] for row in rows]
        seen = len(ids) if visible.before_id is None else bisect_left(ids, visible.before_id)
        return ids[:seen] if len(ids) <= _FEW else None


def index(connection: Connection, message_id: int) -> None:
    """Makes the words of a message findable, or takes them out when it has none any more.

    Its neighbours, which hold the same words, are written anew. Vectors that were made of other words go.
    """
    vectors.remove(connection, message_id, Source.TURN)
    _write(connection, message_id)
    tell_neighbours(connection, message_id)


def add(connection: Connection, turn_id: str) -> None:
    """Makes the words of a turn that has just been answered findable. Its neighbours are still to be told."""
    identity = connection.execute("SELECT id FROM conversation_log WHERE turn_id = ? AND role = 'user'", (turn_id,)).get
    if identity is not None:
        _write(connection, int(identity))


def tell_neighbours(connection: Connection, message_id: int) -> None:
    """Writes the turns around a message anew, which hold its words beside their own."""
    session_id = connection.execute(
        "SELECT session_id FROM conversation_log WHERE id = ? AND role = 'user'", (message_id,)
    ).get
    around = [] if session_id is None else _around(connection, message_id, str(session_id))
    for after in [identity for identity in around if identity > message_id][:1]:
        if get_many(connection, [after])[after].speaker:  # see embedded_texts
            vectors.remove(connection, after, Source.TURN)
    for identity in around:
        _write(connection, identity)


def rebuild(connection: Connection) -> None:
    """Makes the words of every turn findable anew."""
    connection.execute("DELETE FROM turn_words")
    for (identity,) in connection.execute(f"SELECT id FROM conversation_log WHERE {_INDEXABLE}").fetchall():
        _write(connection, int(str(identity)))


def body(content: str, speaker: str | None) -> str:
    """The words of a turn as they are indexed and embedded."""
    return f"{speaker}: {content}" if speaker else content


def search(
    connection: Connection,
    query: str,
    visible: VisibleTurns,
    limit: int,
    *,
    around: bool = True,
    few: Collection[int] | None = None,
    counts: RowCounts | None = None,
) -> list[tuple[int, float]]:
    """Message ids with their relevance (bm25, higher is better), best first.

    Without `around` a turn is found by its own words and its day alone. `few` are all that may be seen, where that is
    known; `counts` are kept from search to search.
    """
    seen = None if few is None else frozenset(few)
    return ranked(
        connection,
        "turn_words",
        _WEIGHTS,
        query,
        limit,
        lambda ids: visible.among(connection, ids) if seen is None else set(seen.intersection(ids)),
        columns="{body around day} : " if around else "{body day} : ",
        and_also="" if visible.session_id is None else f'place : "{_place(visible.session_id)}"',
        counts=counts,
    )


def get_many(connection: Connection, message_ids: Collection[int]) -> dict[int, StoredMessage]:
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM conversation_log WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(message_ids)),),
    )
    return {identity: StoredMessage(identity, turn_id, Role(role), *rest) for identity, turn_id, role, *rest in rows}


def neighbours(connection: Connection, message_ids: Collection[int]) -> dict[int, Neighbours]:
    same = f"SELECT near.id FROM conversation_log AS near WHERE near.session_id = said.session_id AND near.{_INDEXABLE}"
    rows = connection.execute(
        "SELECT said.id, asked.id, after_id, asked.content LIKE '%?' AND asked.speaker IS NOT said.speaker FROM ("
        f"SELECT id, speaker, ({same} AND near.id < said.id ORDER BY near.id DESC LIMIT 1) AS before_id,"
        f" ({same} AND near.id > said.id ORDER BY near.id LIMIT 1) AS after_id FROM conversation_log AS said"
        " WHERE id IN (SELECT value FROM json_each(?))"
        ") AS said LEFT JOIN conversation_log AS asked ON asked.id = before_id",
        (json.dumps(list(message_ids)),),
    )
    return {identity: Neighbours(before, after, bool(answers)) for identity, before, after, answers in rows}


def speakers(connection: Connection, user_id: str) -> list[str]:
    """The names of those whose dialogues a user had kept."""
    rows = connection.execute(
        # From name to name, not from row to row.
        "WITH RECURSIVE names (name) AS"
        " (SELECT min(speaker) FROM conversation_log WHERE user_id = ?1 AND speaker NOT NULL UNION ALL"
        " SELECT (SELECT min(speaker) FROM conversation_log WHERE user_id = ?1 AND speaker > name) FROM names"
        " WHERE name NOT NULL) SELECT name FROM names WHERE name NOT NULL",
        (user_id,),
    )
    return [str(row[0]) for row in rows]


def first_shown(connection: Connection, session_id: str, messages: int, turn_id: str | None) -> int | None:
    """The id of the oldest of the newest `messages` of a session that came before the turn now being answered, or that
    turn's own. Without `turn_id` it is the newest; it may not be in the log yet.
    """
    oldest = connection.execute(
        "SELECT coalesce((SELECT min(id) FROM (SELECT id FROM conversation_log WHERE session_id = :session_id"
        " AND action <> 'ignore' AND content <> '' AND turn_id IS NOT :turn_id ORDER BY id DESC LIMIT :messages)),"
        " (SELECT id FROM conversation_log WHERE turn_id = :turn_id AND role = 'user'))",
        {"session_id": session_id, "turn_id": turn_id, "messages": messages + (turn_id is None)},
    ).get
    return None if oldest is None else int(oldest)


def without_vector(connection: Connection, limit: int) -> list[int]:
    """Ids of indexed turns that have no vector yet, newest first."""
    rows = connection.execute(
        "SELECT rowid FROM turn_words WHERE rowid NOT IN (SELECT turn_id FROM turn_vectors)"
        " ORDER BY rowid DESC LIMIT ?",
        (limit,),
    )
    return [row[0] for row in rows]


def embedded_texts(connection: Connection, message_ids: Collection[int]) -> dict[int, tuple[str, ...]]:
    """What the vector of each turn is made of: its words. In a dialogue that others had, also its words after those of
    the turn before: an answer tells little without what it answers.
    """
    said = get_many(connection, message_ids)
    overheard = [turn.id for turn in said.values() if turn.speaker]
    before = {identity: beside.before for identity, beside in neighbours(connection, overheard).items()}
    earlier = get_many(connection, [identity for identity in before.values() if identity is not None])
    texts: dict[int, tuple[str, ...]] = {}
    for turn in said.values():
        words, previous = body(turn.content, turn.speaker), earlier.get(before.get(turn.id) or 0)
        texts[turn.id] = (words, f"{body(previous.content, previous.speaker)} {words}") if previous else (words,)
    return texts


def _around(connection: Connection, message_id: int, session_id: str) -> list[int]:
    """The ids of the turns of the session within reach, in the order of saying."""
    same = f"SELECT id FROM conversation_log WHERE session_id = :session_id AND {_INDEXABLE}"
    rows = connection.execute(
        f"SELECT id FROM (SELECT id FROM ({same} AND id < :id ORDER BY id DESC LIMIT :reach)"
        f" UNION ALL SELECT id FROM ({same} AND id > :id ORDER BY id LIMIT :reach)) ORDER BY id",
        {"session_id": session_id, "id": message_id, "reach": _REACH},
    )
    return [row[0] for row in rows]


def _write(connection: Connection, message_id: int) -> None:
    """Writes the row of a turn as the log now has it."""
    connection.execute("DELETE FROM turn_words WHERE rowid = ?", (message_id,))
    row = connection.execute(
        f"SELECT content, speaker, session_id, created_at FROM conversation_log WHERE id = ? AND {_INDEXABLE}",
        (message_id,),
    ).fetchone()
    if row is None:
        return
    content, speaker, session_id, created_at = row
    near = get_many(connection, _around(connection, message_id, session_id))
    around = " ".join(
        " ".join(body(turn.content, turn.speaker).split()[:_NEIGHBOUR_WORDS]) for _, turn in sorted(near.items())
    )
    connection.execute(
        "INSERT INTO turn_words (rowid, body, around, day, place) VALUES (?, ?, ?, ?, ?)",
        (message_id, body(content, speaker), around, _day(created_at), _place(session_id)),
    )


def _place(session_id: str) -> str:
    """One word that no sentence holds."""
    return f"s{session_id.encode().hex()}"


def _day(at: float) -> str:
    """The date in words, such as "8 May 2023"."""
    moment = time.localtime(at)
    return f"{moment.tm_mday} {_MONTHS[moment.tm_mon - 1]} {moment.tm_year}"
