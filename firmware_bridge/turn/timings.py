"""Where the time of a turn went."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from edge_memory.records import UserTurn
from firmware_bridge.clauses import has_clause
from firmware_bridge.contracts import Action, Usage

_log = logging.getLogger(__name__)


def note_told(timings: dict[str, float], elapsed_ms: float, reply: str, *, is_whole: bool = False) -> None:
    """Adds what the part of the reply tells that has left for whoever waits."""
    if reply:
        timings.setdefault("first_token_ms", elapsed_ms)
        if is_whole or has_clause(reply):
            timings.setdefault("first_clause_ms", elapsed_ms)


def note_usage(timings: dict[str, float], usage: Usage) -> None:
    """Adds what the model did; a turn may ask it more than once."""
    for name, more in {
        "queue_ms": usage.queue_ms,
        "prompt_tokens": usage.prompt_tokens,
        "prompt_tokens_read": usage.prompt_tokens_read,
        "prompt_tokens_reused": max(usage.prompt_tokens - usage.prompt_tokens_read, 0),
        "reply_tokens": usage.reply_tokens,
        "read_ms": usage.read_ms,
    }.items():
        timings[name] = timings.get(name, 0) + more
    if timings["read_ms"]:
        timings["read_tokens_per_s"] = timings["prompt_tokens_read"] / timings["read_ms"] * 1e3


def log_turn(turn: UserTurn, action: Action, timings: Mapping[str, float]) -> None:
    """The one line of a turn."""
    _log.info(
        "turn %s session %s %s %s",
        turn.turn_id,
        turn.session_id,
        action.value,
        " ".join(f"{name}={value:g}" for name, value in timings.items()),
        extra={"fields": {"turn_id": turn.turn_id, "session_id": turn.session_id, "action": action.value, **timings}},
    )
