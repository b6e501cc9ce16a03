"""What a device shows of a turn while it runs: a thinking face, the reply by sentence, the face that goes with it."""

from __future__ import annotations

from collections.abc import Callable

from edge_memory import lazy_re as re
from firmware_bridge.contracts import (
    Expression,
    Heard,
    Notice,
    ReplySentence,
    ReplyText,
    Said,
    ShowFace,
    TurnBegun,
    TurnEvent,
)
from firmware_bridge.turn.expression import expression_of

_SENTENCE = re.compile(r"""(?s:.)*?(?:[.!?…]+["')\]]*(?=\s)|[。！？]|\n)\s*""")


class Announcer:
    """Given every event of every turn. `post` takes a notice and the device that it is for."""

    def __init__(self, post: Callable[[Notice, str | None], object]) -> None:
        self._post = post
        self._drafts: dict[str, _Draft] = {}  # by session, whose turns follow each other

    def __call__(self, heard: Heard, event: TurnEvent | Exception) -> None:
        if heard.device_id is None:
            return
        for notice in self._notices(heard.session_id, event):
            self._post(notice, heard.device_id)

    def _notices(self, session_id: str, event: TurnEvent | Exception) -> list[Notice]:
        match event:
            case TurnBegun(turn_id):
                self._drafts[session_id] = _Draft(turn_id)
                return [ShowFace(Expression.THINKING)]
            case ReplyText(text):
                draft = self._drafts.get(session_id)
                return [] if draft is None else draft.add(text)
            case Said():
                draft = self._drafts.pop(session_id, None) or _Draft(event.turn_id)
                return [*draft.rest(event.text), ShowFace(expression_of(event))]
            case _:
                self._drafts.pop(session_id, None)
                return [ShowFace(Expression.SAD)]


class _Draft:
    def __init__(self, turn_id: str) -> None:
        self._turn_id = turn_id
        self._text = ""
        self._told = 0

    def add(self, text: str) -> list[Notice]:
        """The sentences that are complete now."""
        self._text += text
        ready: list[Notice] = []
        while match := _SENTENCE.match(self._text):
            self._text = self._text[match.end() :]
            ready += self._sentence(match[0])
        return ready

    def rest(self, whole: str) -> list[Notice]:
        """What is left, or all of a reply that came in one piece."""
        return self._sentence(self._text or ("" if self._told else whole))

    def _sentence(self, text: str) -> list[Notice]:
        if not text.strip():
            return []
        self._told += 1
        return [ReplySentence(self._turn_id, self._told - 1, text.strip())]
