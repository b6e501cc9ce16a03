"""The companion's own name: taken off what is said to it, and told when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from edge_memory.memory import Memory
from edge_memory.records import Message, UserTurn
from firmware_bridge.turn.commands import Spoken
from firmware_bridge.turn.prompt import Persona
from firmware_bridge.turn.tongue import tongue_of


class Introduction:
    """The command that tells who the companion is: a small model may have forgotten."""

    def __init__(self, persona: Persona) -> None:
        self._persona = persona

    async def __call__(self, memory: Memory, turn: UserTurn, history: Sequence[Message]) -> Spoken | None:
        text, tongue = turn.text.replace("’", "'"), tongue_of(memory.language)
        if tongue.asks_name.match(text):
            return Spoken(tongue.phrases.my_name_is.format(name=self._persona.name))
        if not tongue.asks_who.match(text):
            return None
        return Spoken(tongue.phrases.i_am.format(name=self._persona.name, manner=self._persona.manner))


def unaddressed(text: str, name: str) -> str:
    """What is left when somebody calls the companion by its name: "hey Ada, what ...", "Ada: ...", "..., Ada?".

    Without a greeting before it or a comma after it, the name may be that of somebody else, and stays. A text that is
    nothing else stays, too.
    """
    spelled = r"[\W_]*".join(map(re.escape, re.findall(r"[^\W_]+", name)))
    if not spelled:
        return text
    called = re.match(
        rf"\W*(?:(?:hey|hi|hello|hallo|ok|okay)[\s,]+{spelled}\b[\s,.:!-]+|{spelled}\s*[,:!]\s*)", text, re.IGNORECASE
    )
    rest = text[called.end() :] if called else text
    rest = re.sub(rf",\s*{spelled}(?P<end>\s*[.!?]*)$", r"\g<end>", rest, flags=re.IGNORECASE)
    return rest if re.search(r"\w", rest) else text
