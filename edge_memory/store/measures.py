"""How well memory does: sums and newest values that are kept as it works, so that reading them never grows."""

from __future__ import annotations

from typing import Any

from edge_memory.store.connection import Connection

LEXICAL_HIT, VECTOR_HIT, TOP_K_RECALL = "lexical_hit", "vector_hit", "top_k_recall"
OBSERVER_MS, INJECTION_TOKENS = "observer_ms", "injection_tokens"
_MOST_SAMPLES = 1_000
_UNDONE = "%rolled back"  # the reason of a restoring that undid an overwriting; see review.decisions


def note(connection: Connection, name: str, value: float) -> None:
    """Adds a value to a measure's sum."""
    connection.execute(
        "INSERT INTO measures (name, count, total) VALUES (?, 1, ?)"
        " ON CONFLICT (name) DO UPDATE SET count = count + 1, total = total + excluded.total",
        (name, value),
    )


def sample(connection: Connection, name: str, value: float) -> None:
    """The same, and keeps the value among the newest thousand, of which percentiles are taken."""
    note(connection, name, value)
    connection.execute(
        "INSERT INTO measure_samples (name, place, value)"
        " SELECT name, count % ?2, ?3 FROM measures WHERE name = ?1"
        " ON CONFLICT (name, place) DO UPDATE SET value = excluded.value",
        (name, _MOST_SAMPLES, value),
    )


def metrics(connection: Connection) -> dict[str, Any]:
    """The seven metrics of seed MS. None where nothing was measured yet. All of them survive a restart.

    `answered_from_memory` counts the turns on which the first three stand: those whose reply told something of a record
    that the question had not said (a record's value, else its text). Only records that were among the best k of the
    words, of the vectors or of the ranking can be seen to be used, so these rates compare the three with each other.

    lexical_hit_rate       share of these turns with a used record among the best k by words alone (k = retrieval_top_k)
    vector_hit_rate        the same by vectors alone; turns that were recalled without vectors do not count
    hybrid_top_k_recall    share of the used records that were among the k that the ranking chose, mean over the turns
    wrong_overwrite_rate   records that were superseded or expired and brought back by a rollback / all that ended so
    pending_resolution_rate  pending records that were confirmed or rejected / these and those that still wait
    observer_ms            p50 and p95 of the newest 1,000 turns: reading a turn and writing what it changed, without
                           the wait before it and the commit
    injection_tokens       mean of all turns, p95 of the newest 1,000: tokens of the memories in the prompt
    """
    ended, undone = _history(connection, "supersede", "expire"), _history(connection, "restore", reason=_UNDONE)
    decided = _history(connection, "confirm", "reject")
    waiting = int(connection.execute("SELECT count(*) FROM records WHERE status = 'pending'").get)
    return {
        "answered_from_memory": _count(connection, LEXICAL_HIT),
        "lexical_hit_rate": _mean(connection, LEXICAL_HIT),
        "vector_hit_rate": _mean(connection, VECTOR_HIT),
        "hybrid_top_k_recall": _mean(connection, TOP_K_RECALL),
        "wrong_overwrite_rate": _share(undone, ended),
        "pending_resolution_rate": _share(decided, decided + waiting),
        "observer_ms": {
            "p50": _percentile(connection, OBSERVER_MS, 50),
            "p95": _percentile(connection, OBSERVER_MS, 95),
        },
        "injection_tokens": {
            "mean": _mean(connection, INJECTION_TOKENS),
            "p95": _percentile(connection, INJECTION_TOKENS, 95),
        },
    }


def _history(connection: Connection, *actions: str, reason: str = "%") -> int:
    """How many records had one of these done to them; making one for the same reason does not count."""
    return sum(
        int(
            connection.execute(
                "SELECT count(*) FROM fact_history WHERE action = ? AND reason LIKE ? AND before IS NOT NULL",
                (one, reason),
            ).get
        )
        for one in actions
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _count(connection: Connection, name: str) -> int:
    return int(connection.execute("SELECT coalesce(sum(count), 0) FROM measures WHERE name = ?", (name,)).get)


def _mean(connection: Connection, name: str) -> float | None:
    mean = connection.execute("SELECT round(total / count, 4) FROM measures WHERE name = ?", (name,)).get
    return None if mean is None else float(mean)


def _percentile(connection: Connection, name: str, percent: int) -> float | None:
    """The smallest value that this many percent of the samples do not exceed."""
    values = [
        row[0] for row in connection.execute("SELECT value FROM measure_samples WHERE name = ? ORDER BY value", (name,))
    ]
    if not values:
        return None
    place = max(-(-percent * len(values) // 100), 1) - 1
    return round(float(str(values[place])), 2)
