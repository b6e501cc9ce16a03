"""Where the time of a turn went."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from edge_memory.records import UserTurn
from firmware_bridge.clauses import has_clause
from firmware_bridge.contracts import Action, Usage

_log = logging.getLogger(__name__)


def note(timings: dict[str, float], elapsed_ms: float, reply: str, usage: Usage | None) -> None:
    """Adds what the `reply` so far tells, and its `usage` once it is whole."""
    if reply:
        timings.setdefault("first_token_ms", elapsed_ms)
    if "first_clause_ms" not in timings and (usage is not None or has_clause(reply)):
        timings["first_clause_ms"] = elapsed_ms
    if usage is not None:
        timings |= {
            "queue_ms": usage.queue_ms,
            "prompt_tokens": usage.prompt_tokens,
            "prompt_tokens_read": usage.prompt_tokens_read,
            "prompt_tokens_reused": max(usage.prompt_tokens - usage.prompt_tokens_read, 0),
            "reply_tokens": usage.reply_tokens,
        }
        if usage.read_ms:
            timings["read_tokens_per_s"] = usage.prompt_tokens_read / usage.read_ms * 1e3


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
