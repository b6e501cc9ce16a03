"""Search by words: what is typed or said becomes a query that FTS5 cannot misread."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from edge_memory.records import words_of
from edge_memory.store.connection import Connection
from edge_memory.store.visible import Visible, first_visible

_POSSESSIVE = re.compile(r"['\u2019]s\b")
_MOST_WORDS = 64
STOP_WORDS = frozenset(
    """a about after again all also am an and any are as at be because been before being but by can could did do does
    doing don done for from further get go had has have having he her here hers him his how i if in into is it its
    just know let like ll may me might more most my no nor not now of off on once only or other our ours out over own
    please re remember s same say see she should so some still such t tell than that the their theirs them then there
    these they this those through to too under until up us ve very want was we were what when where which while who
    whom whose why will with would you your yours""".split()
)


def match_expression(query: str, *, every: bool = False) -> str:
    """An FTS5 expression for any text: its words quoted and joined by OR, adjacent pairs as phrases.

    With `every`, all words must be there. Empty when nothing in the text can be searched for.
    """
    words = words_of(_POSSESSIVE.sub("", query))[:_MOST_WORDS]
    telling = [word for word in words if word not in STOP_WORDS]
    if every:
        return " AND ".join(f'"{word}"' for word in dict.fromkeys(telling))
    pairs = [f"{a} {b}" for a, b in pairwise(words) if a in telling and b in telling]
    return " OR ".join(f'"{term}"' for term in dict.fromkeys(telling + pairs))


def search(connection: Connection, query: str, visible: Visible, limit: int) -> list[tuple[int, float]]:
    """Ids of records with their relevance (bm25, higher is better), best first."""
    return ranked(connection, "records_fts", (1.0, 0.5, 0.5), query, limit, lambda ids: visible.among(connection, ids))


def ranked(
    connection: Connection,
    index: str,
    weights: tuple[float, ...],
    query: str,
    limit: int,
    among: Callable[[Sequence[int]], set[int]],
    columns: str = "",
    and_also: str = "",
) -> list[tuple[int, float]]:
    """The rows of an FTS5 table with their bm25 (higher is better), best first; `among` picks those that may be seen.

    `weights` are those of its columns; `columns` is a filter of FTS5 such as "{title} : ", `and_also` an
    expression that must hold as well.
    """
    expression = match_expression(query)
    if not expression:
        return []
    expression = f"{columns}({expression})" + (f" AND {and_also}" if and_also else "")
    relevance: dict[int, float] = {}

    def best(count: int) -> list[int]:
        weighed = ", ".join(map(str, weights))
        cursor = connection.execute(
            f"SELECT rowid, -bm25({index}, {weighed}) AS relevance FROM {index} WHERE {index} MATCH ?"
            " ORDER BY relevance DESC LIMIT ?",
            (expression, count),
        )
        rows: list[tuple[int, float]] = list(cursor)
        relevance.update(rows)
        return [row[0] for row in rows]

    return [(identity, relevance[identity]) for identity in first_visible(best, among, limit)]
