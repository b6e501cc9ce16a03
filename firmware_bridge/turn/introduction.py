"""The companion's own name: taken off what is said to it, and told when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from edge_memory.memory import Memory
from edge_memory.records import Message, UserTurn
from firmware_bridge.turn.commands import Spoken
from firmware_bridge.turn.prompt import Persona

_BEGIN = r"^\W*(?:(?:so|and|hey|ok|okay|hello|hi|please|tell me|do you know)\b[\s,]*)*"
_END = r"[\s.!?]*$"
_NAME = re.compile(
    rf"{_BEGIN}(?:what(?:'s| is| was) your name(?: again)?|what are you called|what (?:do|should|can) I call you|"
    rf"(?:do you have|have you got) a name|your name){_END}",
    re.IGNORECASE,
)
_WHO = re.compile(rf"{_BEGIN}(?:who are you|introduce yourself|tell me who you are){_END}", re.IGNORECASE)


class Introduction:
    """The command that tells who the companion is: a small model may have forgotten."""

    def __init__(self, persona: Persona) -> None:
        self._persona = persona

    async def __call__(self, memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
        text = turn.text.replace("’", "'")
        if _NAME.match(text):
            return Spoken(f"My name is {self._persona.name}.")
        return Spoken(f"I am {self._persona.name}, {self._persona.manner}.") if _WHO.match(text) else None


def unaddressed(text: str, name: str) -> str:
    """What is left when somebody calls the companion by its name: "hey Ada, what ...", "Ada: ...", "..., Ada?".

    Without a greeting before it or a comma after it, the name may be that of somebody else, and stays. A text that is
    nothing else stays, too.
    """
    spelled = r"[\W_]*".join(map(re.escape, re.findall(r"[^\W_]+", name)))
    if not spelled:
        return text
    called = re.match(
        rf"\W*(?:(?:hey|hi|hello|ok|okay)[\s,]+{spelled}\b[\s,.:!-]+|{spelled}\s*[,:!]\s*)", text, re.IGNORECASE
    )
    rest = text[called.end() :] if called else text
    rest = re.sub(rf",\s*{spelled}(?P<end>\s*[.!?]*)$", r"\g<end>", rest, flags=re.IGNORECASE)
    return rest if re.search(r"\w", rest) else text
