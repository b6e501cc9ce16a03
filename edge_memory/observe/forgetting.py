""" "Forget the guest password": what a user may have erased by voice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from edge_memory.errors import NothingMatches
from edge_memory.observe.spoken import clean_up
from edge_memory.observe.statements import takes_over
from edge_memory.records import Record

_FORGET = re.compile(
    r"^(?:(?:hey|ok|okay|lobug|lo-bug|please|now|no|actually|sorry|oh|well|um|so|and|you can|you may|you should"
    r"|(?:can|could|would|will) you(?: ever| just| please| now)*|i want you to|i'd like you to|i need you to"
    r"|just)[\s,]+)*"
    r"(?:forget|erase|wipe|don't remember|do not remember|stop remembering|(?:delete|remove|erase"
    r"|clear)(?= .*\b(?:memory|memories|you know|remember\w*|told you|i said)\b))\s+(?P<what>.+?)[.!?]*$",
    re.IGNORECASE,
)
_NOTHING_NAMED = re.compile(
    r"^(?:it|about it|that|about that|this|me|you|him|her|them|everything|all|all of it|what i said|i asked"
    r"|the rest|what you know)$",
    re.IGNORECASE,
)
_JUST_SAID = re.compile(
    r"^(?:what|that|the (?:last )?thing|everything)(?: that)?(?: i)? (?:just|last) (?:said|told you|mentioned)"
    r"|^(?:what i just|the last (?:thing|one|part|bit))\b.*$|^i (?:just )?(?:said|told you|mentioned) (?:that|it"
    r"|anything)$",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"^(?:about|all about|everything about|anything about|what i (?:said|told you) about|everything i (?:said"
    r"|told you) about|that i (?:said|told you)(?: that)?|what you know about|everything you know about"
    r"|i (?:said|told you|mentioned)(?: that)?|the (?:note|memory|thing|bit|part|fact) (?:about|that)|that"
    r"|whatever i said about|anything i said about)\s+"
    r"|\s+(?:from|in) (?:your |the )?memor(?:y|ies)$|\s+(?:that )?i (?:told you|gave you|mentioned"
    r"|said)(?: about)?$|\s+please$|\s+now$|\s+that you (?:know|remember)$",
    re.IGNORECASE,
)
_AND_WHY = re.compile(r",\s+(?:i|i'm|we|it|it's|that|that's|he|she|they|because|cause)\b.*$", re.IGNORECASE)
_WHICH = re.compile(
    r"^(?:who|what|where|when|how) (?P<what>(?:my|our|the) .+?) (?:is|are|was|were|lives?|works?|keeps?|goes"
    r"|starts?|does)(?: now| kept)?$",
    re.IGNORECASE,
)
_EVERYTHING = re.compile(r"\b(?:everything|all|anything|whatever)\b", re.IGNORECASE)
_IDLE = re.compile(
    r"\b(?:my|our|the|old|previous|former|last|current|please|any|more|ever|thing|things|stuff)\b", re.IGNORECASE
)
_MOST_BY_VOICE = 6  # more than this is not erased on one sentence, unless it says "everything about"
_LONGEST_WISH = 300  # characters
LAST_STATEMENT = ""


class Eraser(Protocol):
    """Erasing for good, with sources and retellings."""

    async def find(self, query: str, user_id: str) -> list[Record]:
        """Raises NothingMatches."""

    async def forget(self, doomed: Sequence[Record]) -> None:
        """On return the disk holds none of it."""


def read_forget(utterance: str) -> str | None:
    """The words that name what is to be forgotten, LAST_STATEMENT for what was just said, None when nothing is."""
    if len(utterance) > _LONGEST_WISH or takes_over(utterance):
        return None
    match = _FORGET.match(clean_up(utterance))
    if not match:
        return None
    what = _AND_WHY.sub("", match["what"].strip())
    if _JUST_SAID.match(what):
        return LAST_STATEMENT
    named = _WHICH.match(what)
    what = named["what"] if named else what
    if _NOTHING_NAMED.match(what) or re.match(r"^(?:to|how|what time|when|where|who|why)\b", what, re.IGNORECASE):
        return None
    shorter = _AROUND.sub("", what)
    while shorter != what:
        what, shorter = shorter, _AROUND.sub("", shorter)
    return " ".join(_IDLE.sub(" ", what).split()) or None


async def find_doomed(eraser: Eraser, utterance: str, named: str, user_id: str) -> list[Record]:
    """The records that the words name; none when they name nothing, or so much that it must be a mistake."""
    if named.isdecimal():
        return []
    try:
        found = await eraser.find(named, user_id)
    except NothingMatches:
        return []
    return found if len(found) <= _MOST_BY_VOICE or _EVERYTHING.search(utterance) else []
