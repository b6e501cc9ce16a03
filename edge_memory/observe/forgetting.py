""" "Forget the guest password": what a user may have erased by voice."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Sequence
from typing import Protocol

from edge_memory.errors import NothingMatches
from edge_memory.observe.ownership import Wish
from edge_memory.observe.people import Household
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
_THAT = re.compile(r"^(?:about )?(?:that|this)(?: (?:please|again|now|one))?$", re.IGNORECASE)
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
# What one asks for by a noun or a question, told in a sentence that need not hold the word.
_OF_THE_USER = (
    (r"(?:my )?weight|how (?:much|heavy) i (?:weigh|am)", "weight", "weigh", "weighs"),
    (r"(?:my )?height|how tall i am", "height", "tall", "is .* tall"),
    (r"my (?:home|address|home address)|where i live", "home", "live", "lives (?:in|at|on|near|by|with)"),
    (r"my (?:work|job|workplace|employer)|where i work", "employer", "work", "works (?:at|for|in|as)"),
    (r"my (?:job|profession|occupation)|what i do(?: for a living)?", "occupation", "work", "works as"),
    (r"my age|how old i am", "age", "years old", "is .* years old"),
    (r"my (?:birthday|birth date|date of birth)|when (?:i was born|my birthday is)", "birthday", "born", "was born"),
    (r"my name|what i'm called|what i am called|what my name is", "name", "name is", "is called"),
)
_MOST_BY_VOICE = 6  # more than this is not erased on one sentence, unless it says "everything about"
_LONGEST_WISH = 300  # characters
LAST_STATEMENT = ""
_NOBODY = Household()


class Eraser(Protocol):
    """Erasing for good, with sources and retellings."""

    async def find(self, query: str, user_id: str) -> list[Record]:
        """Raises NothingMatches."""

    async def of_key(self, key: str, user_id: str) -> list[Record]:
        """The records of a slot. Raises NothingMatches."""

    async def forget(self, doomed: Sequence[Record]) -> None:
        """On return the disk holds none of it."""


def read_forget(utterance: str) -> str | None:
    """The words that name what is to be forgotten, LAST_STATEMENT for what was just said, None when nothing is."""
    if len(utterance) > _LONGEST_WISH or takes_over(utterance):
        return None
    what = _meant(utterance)
    if what is None:
        return None
    if _JUST_SAID.match(what) or _THAT.match(what):
        return LAST_STATEMENT
    if _slots(what):
        return what
    if _NOTHING_NAMED.match(what) or re.match(r"^(?:to|how|what time|when|where|who|why)\b", what, re.IGNORECASE):
        return None
    return " ".join(_IDLE.sub(" ", what).split()) or None


def says_that(utterance: str) -> bool:
    """Whether it is "forget that", which means the last statement only if there is one."""
    return bool(_THAT.match(_meant(utterance) or ""))


async def find_doomed(
    eraser: Eraser, utterance: str, named: str, user_id: str, household: Household = _NOBODY
) -> list[Record]:
    """The records that are meant; none when the words name nothing, or so much that it must be a mistake."""
    if named.isdecimal():
        return []
    everything = bool(_EVERYTHING.search(utterance))
    meant = _meant(utterance) or named
    wish = Wish(meant, household, everything)
    is_question = bool(_slots(meant)) and not meant.lower().startswith("my ")
    held: dict[int, Record] = {}
    for words in [] if is_question else wish.in_other_words():
        held |= {record.id: record for record in await _holding(eraser.find(_IDLE.sub(" ", words), user_id))}
    named_so = wish.means([held[record_id] for record_id in sorted(held)])
    found = list({record.id: record for record in (*named_so, *await _of_the_user(eraser, meant, user_id))}.values())
    return found if len(found) <= _MOST_BY_VOICE or everything else []


async def _of_the_user(eraser: Eraser, meant: str, user_id: str) -> list[Record]:
    """What tells the weight, the home, the age of the user, asked for by that noun or as a question."""
    found: dict[int, Record] = {}
    for attribute, words, told in _slots(meant):
        held = [*await _holding(eraser.of_key(f"user.{attribute}", user_id))]
        sentence = re.compile(rf"the user {told}\b", re.IGNORECASE)
        held += [one for one in await _holding(eraser.find(words, user_id)) if sentence.match(one.text)]
        found |= {record.id: record for record in held}
    return [found[record_id] for record_id in sorted(found)]


async def _holding(search: Awaitable[list[Record]]) -> list[Record]:
    try:
        return await search
    except NothingMatches:
        return []


def _slots(what: str) -> list[tuple[str, str, str]]:
    """Attribute, words and the sentence's beginning for what is asked for without the words it was told in."""
    return [one[1:] for one in _OF_THE_USER if re.fullmatch(one[0], what, re.IGNORECASE)]


def _meant(utterance: str) -> str | None:
    """What is to be forgotten, in the user's words; None when nothing is."""
    match = _FORGET.match(clean_up(utterance))
    if not match:
        return None
    what = _AND_WHY.sub("", match["what"].strip())
    if _JUST_SAID.match(what) or _THAT.match(what):
        return what
    named = _WHICH.match(what)
    what = named["what"] if named else what
    if _NOTHING_NAMED.match(what):
        return what
    shorter = _AROUND.sub("", what)
    while shorter != what:
        what, shorter = shorter, _AROUND.sub("", shorter)
    return what
