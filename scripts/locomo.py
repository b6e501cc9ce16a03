"""Dialogues in the format of LoCoMo: their turns as if overheard, and the questions that name turns as evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from edge_memory.records import UserTurn


@dataclass(frozen=True)
class Question:
    text: str
    category: str
    evidence: frozenset[str]


def turns_of(conversation: dict[str, Any]) -> Iterator[UserTurn]:
    """Every line of a dialogue, as if overheard at its time; its id there is its turn id."""
    numbers = sorted(int(match[1]) for name in conversation if (match := re.fullmatch(r"session_(\d+)", name)))
    moment = datetime(2000, 1, 1)  # noqa: DTZ001 - the dialogues name no zone, so their times are this machine's
    for number in numbers:
        moment = _moment(conversation.get(f"session_{number}_date_time", ""), moment + timedelta(days=1))
        for line in conversation[f"session_{number}"]:
            picture = line.get("blip_caption")
            text = line["text"] + (f" (shows a picture: {picture})" if picture else "")
            yield UserTurn(
                line["dia_id"], f"session {number}", "owner", text, moment.timestamp(), None, line["speaker"]
            )


def _moment(text: str, otherwise: datetime) -> datetime:
    for pattern in ("%I:%M %p on %d %B, %Y", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d", "%d %B, %Y"):
        try:
            return datetime.strptime(text, pattern)  # noqa: DTZ007 - see turns_of
        except ValueError:
            continue
    return otherwise


def questions_of(sample: dict[str, Any], turns: Sequence[UserTurn]) -> list[Question]:
    """Those that name a turn as evidence."""
    known = {turn.turn_id for turn in turns}
    found = []
    for asked in sample["qa"]:
        named = re.split(r"[;,\s]+", " ".join(map(str, asked.get("evidence") or [])))
        if evidence := frozenset(named) & known:
            found.append(Question(str(asked["question"]), str(asked.get("category", "")), evidence))
    return found
