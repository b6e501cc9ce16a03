"""Small models repeat what they are told ("My favourite colour is green."): that is no answer."""

from __future__ import annotations

import re

from firmware_bridge.turn.questions import asks
from firmware_bridge.turn.second_person import second_person

_WORD = re.compile(r"[\w']+")
_FEWEST_WORDS = 3  # "good night" may be said back


class EchoGuard:
    """A reply as it is written, held back for as long as it only repeats the user's own words."""

    def __init__(self, said: str) -> None:
        self._said = "" if asks(said) else f" {' '.join(_words(said))} "
        self._held = ""
        self._open = not self._said.strip()

    def feed(self, text: str) -> str:
        """What may be told now, possibly nothing."""
        if self._open:
            return text
        self._held += text
        if self._repeats():
            return ""
        self._open = True
        return self._held

    def end(self) -> str:
        """What is still held; where that is all there is, it is told to the user as theirs."""
        if self._open or len(_words(self._held)) < _FEWEST_WORDS:
            return "" if self._open else self._held
        return f"Okay. {second_person(self._held.strip())}"

    def _repeats(self) -> bool:
        told = " ".join(_words(self._held))
        ended = bool(self._held) and not _WORD.match(self._held[-1])
        return f" {told}{' ' if ended else ''}" in self._said if told else True


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("\u2019", "'"))
