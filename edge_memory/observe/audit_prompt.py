"""Asking the model what a new statement does to an older one, where no slot decides. See `verdict` for what is believed
of its answer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from edge_memory.errors import NonsenseAnswer
from edge_memory.observe.arbitrate import Verb
from edge_memory.protocols import ChatModel
from edge_memory.records import Message, Record, Role, words_of

MOST_CANDIDATES = 3
_MOST_TOKENS = 90
_LONGEST_LINE = 400  # characters
_INSTRUCTION = """Compare what the user says now with what is known. Answer with JSON only.
evidence: the words of the user that decide, copied.
candidate: the number of the known line that it is about.
action: insert if both can be true; noop if it tells nothing new; update if it tells the same with more detail;
supersede if that line is not true any more because it changed; expire if it ended;
mark_pending_confirmation if it ended or changed and is about health, money or identity."""
# Small models follow turns better than a list. No action stands twice in a row.
_EXAMPLES = (
    (("The user's aunt lives in Ghent",), "my uncle lives in Ghent", "my uncle", 1, "insert"),
    (("The user's fence is white",), "we painted the fence black", "painted the fence black", 1, "supersede"),
    (("The user goes sailing",), "my aunt goes sailing on Sundays", "my aunt", 1, "insert"),
    (("The user bakes", "The user goes to the gym"), "I go to the gym twice a week", "twice a week", 2, "update"),
    (("The user's aunt keeps hens",), "my aunt sings in a band", "sings in a band", 1, "insert"),
    (("The user owns a kayak",), "I've got a kayak", "got a kayak", 1, "noop"),
    (("The user goes sailing",), "I don't go sailing any more", "don't go sailing any more", 1, "expire"),
    (
        ("The user takes iron pills",),
        "I was told to stop the iron pills",
        "stop the iron pills",
        1,
        "mark_pending_confirmation",
    ),
    (("The user likes plums",), "I like cherries", "cherries", 1, "insert"),
)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the model takes a statement to do to one candidate, and the words that it stands on. Not yet believed."""

    verb: Verb
    candidate: Record
    evidence: str


async def ask(model: ChatModel, said: str, candidates: Sequence[Record]) -> Opinion:
    """`candidates` are at most MOST_CANDIDATES. Raises NonsenseAnswer for an answer that names no action or none of
    them, and ModelUnavailable.
    """
    answer = await model.complete(
        [*_prefix(), _question([one.text for one in candidates], said)],
        max_tokens=_MOST_TOKENS,
        schema=_schema(len(candidates)),
        cache_key="audit",
    )
    return read_opinion(answer, candidates)


def _schema(candidates: int) -> dict[str, Any]:
    """Names no candidate that there is not: a model that cannot count would say so again at each try."""
    return {
        "type": "object",
        "properties": {
            "evidence": {"type": "string", "maxLength": 160},
            "candidate": {"enum": [str(number) for number in range(1, candidates + 1)]},
            "action": {"enum": [verb.value for verb in Verb]},
        },
        "required": ["evidence", "candidate", "action"],
        "additionalProperties": False,
    }


def _prefix() -> list[Message]:
    messages = [Message(Role.SYSTEM, _INSTRUCTION)]
    for known, said, evidence, candidate, action in _EXAMPLES:
        answer = {"evidence": evidence, "candidate": str(candidate), "action": action}
        messages += [_question(known, said), Message(Role.ASSISTANT, json.dumps(answer))]
    return messages


def _question(known: Sequence[str], said: str) -> Message:
    lines = "\n".join(f"{number}. {_line(text)}" for number, text in enumerate(known, start=1))
    return Message(Role.USER, f"Known:\n{lines}\nNow: {_line(said)}")


def _line(text: str) -> str:
    """As much as a small model's context holds of each."""
    return " ".join(text.split())[:_LONGEST_LINE]


def read_opinion(answer: str, candidates: Sequence[Record]) -> Opinion:
    """Raises NonsenseAnswer, without the words of the answer."""
    try:
        fields, _ = json.JSONDecoder().raw_decode(answer, max(answer.find("{"), 0))
        place = int(fields["candidate"]) - 1
        if not 0 <= place < len(candidates):
            raise ValueError("no such candidate")
        return Opinion(Verb(fields["action"]), candidates[place], str(fields["evidence"]).strip())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise NonsenseAnswer("the auditor's answer is not the JSON that was asked for") from error


def was_said(words: str, said: str) -> bool:
    """Whether every word stands in what was said, no more often than there. No words were not said."""
    claimed = Counter(words_of(words))
    return bool(claimed) and claimed <= Counter(words_of(said))
