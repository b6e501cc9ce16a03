"""How fast the chat model is on this machine: measured once, in some seconds, and kept in the cache."""

from __future__ import annotations

import json
import logging
import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from edge_memory.errors import EdgeMemoryError
from edge_memory.records import Message, Role
from firmware_bridge.errors import BridgeError
from firmware_bridge.web import CompletionModel

_log = logging.getLogger(__name__)
_CONVERSATION = "speed"
_PROMPT = "You are measured. " + "The quick brown fox jumps over the lazy dog. " * 8
_REPLY_TOKENS = 16
_TURN_TOKENS = 110  # what a usual turn reads: its own words and what memory has to say (scripts/README.md, A turn)


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens a second of `model` on `cores` cores."""

    model: str
    cores: int
    read: float
    written: float

    @property
    def first_word_seconds(self) -> float:
        """From the end of a usual question to the first word of the reply."""
        return _TURN_TOKENS / self.read + 1 / self.written


async def known_speed(model: CompletionModel, name: str, cache_dir: Path) -> Speed | None:
    """As it was measured before, else measured now. None for a model that does not tell how long it read, or fails."""
    kept, cores = cache_dir / "speed.json", os.cpu_count() or 1
    before = _before(kept)
    if before is not None and (before.model, before.cores) == (name, cores):
        return before
    try:
        speed = await _measured(model, name, cores)
    except (BridgeError, EdgeMemoryError) as error:
        _log.info("the model's speed is not known: %s", error)
        return None
    if speed is not None:
        _keep(speed, kept)
    return speed


def _before(kept: Path) -> Speed | None:
    """None if nothing was measured yet, or not by this version."""
    try:
        return Speed(**json.loads(kept.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _keep(speed: Speed, kept: Path) -> None:
    with suppress(OSError):  # the next start measures again
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(asdict(speed)), encoding="utf-8")


async def _measured(model: CompletionModel, name: str, cores: int) -> Speed | None:
    """Greedy, so that the same text is written each time."""
    messages = [Message(Role.SYSTEM, _PROMPT), Message(Role.USER, "Count to twenty.")]
    first = 0.0
    async for piece in model.reply(messages, conversation=_CONVERSATION, max_tokens=_REPLY_TOKENS, temperature=0.0):
        first = first or time.perf_counter()
        if (usage := piece.usage) is not None:
            writing = time.perf_counter() - first
            if not usage.read_ms or not usage.prompt_tokens_read or usage.reply_tokens < 2 or not writing:
                return None
            read = usage.prompt_tokens_read / usage.read_ms * 1e3
            return Speed(name, cores, round(read, 1), round((usage.reply_tokens - 1) / writing, 1))
    return None
