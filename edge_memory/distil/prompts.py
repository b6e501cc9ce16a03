"""What the model is asked when it condenses memory."""

from __future__ import annotations

from collections.abc import Sequence

from edge_memory.records import Message, Role

_SUMMARIZE = (
    "Summarise what the user said in 3 to 5 short sentences. Third person, past tense. "
    'Call the speaker "the user". Keep names, dates and numbers. Add nothing that was not said.'
)
_DISTIL = (
    "You keep notes about a user. From the summaries and the earlier notes, list what goes on in the user's life "
    "(ongoing_topics) and what happened (key_history). Each item is one short sentence. Add nothing that is not there."
)
DISTIL_SCHEMA = {
    "type": "object",
    "properties": {
        "ongoing_topics": {"type": "array", "items": {"type": "string", "maxLength": 160}, "maxItems": 5},
        "key_history": {"type": "array", "items": {"type": "string", "maxLength": 160}, "maxItems": 8},
    },
    "required": ["ongoing_topics", "key_history"],
    "additionalProperties": False,
}


def summarize_prompt(said: Sequence[str]) -> list[Message]:
    return [Message(Role.SYSTEM, _SUMMARIZE), Message(Role.USER, "\n".join(f"- {text}" for text in said))]


def distil_prompt(base: str, summaries: Sequence[str]) -> list[Message]:
    text = "Earlier notes:\n" + (base or "none") + "\n\nSummaries:\n" + "\n".join(summaries)
    return [Message(Role.SYSTEM, _DISTIL), Message(Role.USER, text)]
