"""Search by words: what is typed or said becomes a query that FTS5 cannot misread."""

from __future__ import annotations

import re
from itertools import pairwise

from edge_memory.records import words_of
from edge_memory.store.connection import Connection
from edge_memory.store.visible import CONDITION, Visible

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
    expression = match_expression(query)
    if not expression:
        return []
    rows = connection.execute(
        "SELECT records.id, -bm25(records_fts, 1.0, 0.5, 0.5) AS relevance"
        " FROM records_fts CROSS JOIN records ON records.id = records_fts.rowid"
        f" WHERE records_fts MATCH :expression AND {CONDITION} ORDER BY relevance DESC LIMIT :limit",
        {"expression": expression, "limit": limit} | visible.parameters(),
    )
    return list(rows)
