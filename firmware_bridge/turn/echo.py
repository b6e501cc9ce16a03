"""Small models repeat what they are told ("My hat is green."), or said before: that is no answer."""

from __future__ import annotations

from collections.abc import Sequence

from edge_memory import lazy_re as re
from edge_memory.records import Language, Role
from firmware_bridge.turn.prompt import PromptParts
from firmware_bridge.turn.tongue import Tongue, tongue_of

_ENGLISH = tongue_of(Language.ENGLISH)
_WORD = re.compile(r"[\w']+")
_FEWEST_WORDS = 3  # "good night" may be said back
_TELLS_OF_SELF = re.compile(
    r"^\W*(?:(?:and|so|oh|well|but) )?(?:i|i'm|i've|i'd|my|we|we're|we've|our|ich|mein\w*|wir|unser\w*)\b",
    re.IGNORECASE,
)


class EchoGuard:
    """A reply as it is written, held back for as long as it only repeats the user's own words, or one of the `earlier`
    replies to a user who tells of themself.
    """

    def __init__(self, said: str, earlier: Sequence[str] = (), tongue: Tongue = _ENGLISH) -> None:
        self._text = said
        self._tongue = tongue
        self._said = "" if tongue.asks(said) else f" {' '.join(self._words(said))} "
        self._earlier = [f" {' '.join(self._words(reply))} " for reply in earlier] if _TELLS_OF_SELF.match(said) else []
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
        words = self._words(self._held)
        if self._open or len(words) < _FEWEST_WORDS:
            return "" if self._open else self._held
        told = " ".join(words)
        if f" {told} " in self._said:
            return self._told_back(self._held)
        return self._told_back(self._text) if any(f" {told} " in reply for reply in self._earlier) else self._held

    def _told_back(self, text: str) -> str:
        return self._tongue.phrases.echoed.format(told=self._tongue.second_person(text.strip()))

    def _repeats(self) -> bool:
        told = " ".join(self._words(self._held))
        if told and not _WORD.match(self._held[-1]):
            told += " "
        return not told or f" {told}" in self._said or any(f" {told}" in reply for reply in self._earlier)

    def _words(self, text: str) -> list[str]:
        """Told to the user, whoever speaks: "Your dog is Pip and I live here" repeats, too."""
        return _WORD.findall(self._tongue.second_person(text).lower())


def guard_of(parts: PromptParts, tongue: Tongue) -> EchoGuard:
    """That of the reply to a prompt."""
    earlier = [message.content for message in parts.history if message.role is Role.ASSISTANT]
    return EchoGuard(parts.text, earlier, tongue)
