""" "Forget the guest password": what a user may have erased by voice."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Protocol

from edge_memory import lazy_re as re
from edge_memory.errors import NothingMatches
from edge_memory.observe.english.disfluency import clean_up
from edge_memory.observe.english.ownership import Wish
from edge_memory.observe.english.people import Household
from edge_memory.observe.english.statements import takes_over
from edge_memory.records import Record, Status

_FORGET = re.compile(
    r"^(?:(?:hey|ok|okay|lobug|lo-bug|please|now|no|actually|sorry|oh|well|um|so|and|you can|you may|you should"
    r"|(?:can|could|would|will) you(?: ever| just| please| now)*|i want you to|i'd like you to|i need you to"
    r"|just)[\s,]+)*"
    r"(?:forget|erase|wipe|don't remember|do not remember|stop remembering|(?:delete|remove|erase"
    r"|clear)(?= .*\b(?:memory|memories|you know|remember\w*|told you|i said)\b))\s+(?P<what>.+?)[.!?]*$",
    re.IGNORECASE,
)
_FORGETTING = re.compile(r"forget|erase|wipe|remember|delete|remove|clear", re.IGNORECASE)  # nothing is without one
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
    r"^(?:(?:that|it|the thing) about|about|all about|everything about|anything about|what i (?:said"
    r"|told you) about|everything i (?:said"
    r"|told you) about|that i (?:said|told you)(?: that)?|what you know about|everything you know about"
    r"|i (?:said|told you|mentioned)(?: that)?|the (?:note|memory|thing|bit|part|fact) (?:about|that)|that"
    r"|whatever i said about|anything i said about)\s+"
    r"|\s+(?:from|in) (?:your |the )?memor(?:y|ies)$|\s+(?:that )?i (?:told you|gave you|mentioned"
    r"|said)(?: about)?$|\s+please$|\s+now$|\s+that you (?:know|remember)$",
    re.IGNORECASE,
)
_OF_A_CODE = re.compile(r"\s+(?:number|code|combination|digits)$", re.IGNORECASE)  # which may be told without that word
_PIN_NUMBER = re.compile(r"\bpin (?:number|code)\b", re.IGNORECASE)
_AND_WHY = re.compile(
    r"\s+i (?:quite|do|don't|really|actually|no longer|like|love)\b.*$|,\s+(?:i|i'm|we|it|it's|that|that's|he"
    r"|she|they|because|cause)\b.*$",
    re.IGNORECASE,
)
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
_SEVERAL = re.compile(r"\b(?:all|both|every)\b|[^s'\u2019]s$", re.IGNORECASE)
_MOST_BY_VOICE = 6  # more than this is not erased on one sentence, unless it says "everything about"
_LONGEST_WISH = 300  # characters
LAST_STATEMENT = ""
_NOBODY = Household()


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What a wish to forget comes to. `doomed` will be erased, which is `certain` before they are digested, too. Where
    it is unclear what is meant, that is one of `choices`. With none of these, nothing is known of it.
    """

    doomed: tuple[Record, ...] = ()
    choices: tuple[Record, ...] = ()
    certain: bool = False


class Eraser(Protocol):
    """Erasing for good, with sources and retellings."""

    async def find(self, query: str, user_id: str) -> list[Record]:
        """What holds every telling word of a query. Raises NothingMatches."""

    async def near(self, query: str, user_id: str) -> list[Record]:
        """What is believed and holds the most of the telling words, at least half of them."""

    async def of_id(self, record_id: int) -> list[Record]:
        """Raises RecordNotFound, and WrongState for what is erased already."""

    async def of_key(self, key: str, user_id: str) -> list[Record]:
        """The records of a slot. Raises NothingMatches."""

    async def forget(self, doomed: Sequence[Record]) -> None:
        """On return the disk holds none of it."""


def read_forget(utterance: str) -> str | None:
    """The words that name what is to be forgotten, LAST_STATEMENT for what was just said, None when nothing is."""
    what = _meant(utterance) if len(utterance) <= _LONGEST_WISH else None
    if what is None or takes_over(utterance):
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


async def what_to_forget(
    eraser: Eraser, utterance: str, named: str, user_id: str, household: Household = _NOBODY
) -> Forgetting:
    """What is meant by the words that name something to forget, and what may be if that is unclear."""
    if named.isdecimal():
        return Forgetting()
    everything = bool(_EVERYTHING.search(utterance))
    meant = _meant(utterance) or named
    wish = Wish(meant, household, everything)
    is_question = bool(_slots(meant)) and not meant.lower().startswith("my ")
    held: dict[int, Record] = {}
    ways = [] if is_question else [_IDLE.sub(" ", words) for words in wish.in_other_words()]
    for words in ways:
        held |= {record.id: record for record in await _holding(eraser.find(words, user_id))}
    for words in () if held else ways:
        held |= {record.id: record for record in await _holding(eraser.find(_OF_A_CODE.sub("", words), user_id))}
    holding = [held[record_id] for record_id in sorted(held)]
    found = {record.id: record for record in (*wish.means(holding), *await _of_the_user(eraser, meant, user_id))}
    if not found:
        standing = [record for record in holding if record.status is Status.ACTIVE]
        near = standing or wish.own([record for words in ways for record in await eraser.near(words, user_id)])
        return Forgetting(choices=tuple({record.id: record for record in near}.values()))
    rivals = [] if everything or _SEVERAL.search(meant) else wish.rivals(list(found.values()))
    if rivals or (len(found) > _MOST_BY_VOICE and not everything):
        return Forgetting(choices=tuple(rivals or found.values()))
    return Forgetting(tuple(found.values()), certain=True)


async def _of_the_user(eraser: Eraser, meant: str, user_id: str) -> list[Record]:
    """What tells the weight, the home, the age of the user, asked for by that noun or as a question."""
    found: dict[int, Record] = {}
    for attribute, words, told in _slots(meant):
        held = [*await _holding(eraser.of_key(f"user.{attribute}", user_id))]
        sentence = rf"the user {told}\b"
        held += [
            one for one in await _holding(eraser.find(words, user_id)) if re.match(sentence, one.text, re.IGNORECASE)
        ]
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
    match = _FORGET.match(clean_up(utterance)) if _FORGETTING.search(utterance) else None
    if not match:
        return None
    what = _AND_WHY.sub("", match["what"].strip())
    if _JUST_SAID.match(what) or _THAT.match(what):
        return what
    named = _WHICH.match(what)
    what = named["what"] if named else what
    if _NOTHING_NAMED.match(what):
        return what
    what = _PIN_NUMBER.sub("pin", what)
    shorter = _AROUND.sub("", what)
    while shorter != what:
        what, shorter = shorter, _AROUND.sub("", shorter)
    return what
