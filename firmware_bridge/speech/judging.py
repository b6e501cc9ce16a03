"""What becomes of an utterance: is it answered, asked about again, or none of our business?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from firmware_bridge.contracts import Action
from firmware_bridge.speech.endpointing import Utterance
from firmware_bridge.speech.protocols import Transcript

_UNCLEAR = -0.95  # mean log probability below which nobody should rely on the words
_ECHO_WORDS = 4  # fewer words are too easily said by chance
_ECHO_SHARE = 0.8  # of the heard words, in order, in the companion's own last reply
_OF_SPEAKER = frozenset("i i'm i've me my mine myself we us our".split())
_WORD = re.compile(r"[\w']+")
_ASKS = re.compile(
    r"\W*(?:who|what|when|where|why|how|which|whose|wer|was|wann|wo|warum|wie|welche[rs]?)\b", re.IGNORECASE
)
_WAKE_LIKENESS = 0.75


class Reason(StrEnum):
    """Why an utterance is not simply answered."""

    NONE = ""
    NO_SPEECH = "no_speech"
    TOO_SHORT = "too_short"
    TOO_QUIET = "too_quiet"
    NO_WORDS = "no_words"
    ECHO = "echo"  # the companion's own voice
    NOT_ADDRESSED = "not_addressed"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Situation:
    """What the device's last exchange was. `own_reply` is empty when it is too long ago to be an echo."""

    own_reply: str = ""
    asked_again: bool = False  # the last utterance ended as clarify
    in_conversation: bool = False  # no wake phrase is needed now


@dataclass(frozen=True, slots=True)
class Judgement:
    """`text` is what was said to the companion, without the wake phrase."""

    action: Action
    reason: Reason
    text: str


def judge(utterance: Utterance, heard: Transcript, situation: Situation, wake_phrase: str) -> Judgement:
    """Every heard utterance ends as one of respond, ignore and clarify."""
    if not utterance.is_speech:
        return Judgement(Action.IGNORE, Reason(utterance.ending.value), "")
    words = _words(heard.text)
    if situation.own_reply and _is_echo(heard.text, situation.own_reply):
        return Judgement(Action.IGNORE, Reason.ECHO, heard.text)
    text = heard.text
    if wake_phrase:
        addressed = after_wake_phrase(text, wake_phrase)
        if addressed is None and not situation.in_conversation:
            return Judgement(Action.IGNORE, Reason.NOT_ADDRESSED, text)
        text = text if addressed is None else addressed
    if not words or (heard.confidence < _UNCLEAR):
        reason = Reason.UNCLEAR if words else Reason.NO_WORDS
        if not situation.asked_again:
            return Judgement(Action.CLARIFY, reason, text)
        if not words:
            return Judgement(Action.IGNORE, reason, text)
    return Judgement(Action.RESPOND, Reason.NONE, text or heard.text)


def after_wake_phrase(text: str, phrase: str) -> str | None:
    """What follows the phrase at the beginning of a text; None when it does not begin with it, or nearly so."""
    wanted = _words(phrase)
    spans = [match.span() for match in _WORD.finditer(text)]
    best, end = 0.0, 0
    for _, stop in spans[: len(wanted) + 1]:
        likeness = SequenceMatcher(None, "".join(_words(text[:stop])), "".join(wanted)).ratio()
        if likeness > best:
            best, end = likeness, stop
    return text[end:].lstrip(" ,.!?-:;") if best >= _WAKE_LIKENESS else None


def _is_echo(heard: str, reply: str) -> bool:
    """Who says "my" where the companion said "your" is not the companion, however alike the rest is. Nor is who asks
    what the companion did not ask: "who wrote it?" once more, after "I don't know who wrote it".
    """
    words, own = _words(heard), _words(reply)
    if len(words) < _ECHO_WORDS or (_OF_SPEAKER & set(words)) - set(own) or (_asks(heard) and not _asks(reply)):
        return False
    shared = sum(block.size for block in SequenceMatcher(None, words, own, autojunk=False).get_matching_blocks())
    return shared >= _ECHO_SHARE * len(words)


def _asks(text: str) -> bool:
    """A recogniser does not always hear the question mark."""
    return "?" in text or bool(_ASKS.match(text))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
