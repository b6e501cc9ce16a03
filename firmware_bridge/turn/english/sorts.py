"""Whether something that was told is of the kind that a question asks for: a name, a place, a time, a number."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache

from edge_memory import lazy_re as re
from edge_memory.records import words_of
from firmware_bridge.turn.english.implied import implied_verbs
from firmware_bridge.turn.english.naming import names_it, thing_named
from firmware_bridge.turn.english.questions import Question, Sort
from firmware_bridge.turn.english.told import DAYS, IS_KIN, NUMBERS, Told, subjects
from firmware_bridge.turn.english.wordforms import GENERIC, family, holds

# What is told is held against these in lower case, in less than half the time that IGNORECASE takes.
_IS_TIME = re.compile(
    rf"\b(?:{DAYS}|today|tonight|tomorrow|yesterday|morning|mornings|evening|evenings|afternoon|afternoons|night|nights"
    r"|noon|midnight|o'clock|week|weeks|weekly|weekend|weekends|weekdays?|month|months|monthly|year|years|ago|hours?|minutes?|daily|every|(?:once|twice|times) an? \w+"
    r"|two thousand|nineteen (?:\w+ty|\w+teen|hundred|oh)|twenty (?:ten|eleven|twelve|\w+teen|twenty)"
    r"|(?:before|after|with) (?:breakfast|lunch|dinner|supper|tea|bed|bedtime|meals|food|school|work|church)"
    r"|since|until|(?:at|past|to|by|around|after|before) (?:half |quarter )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve)\w*|\d{1,2}(?::\d\d| ?[ap]m)|\d+(?:st|nd|rd|th)|(?:19|20)\d\d"
    r"|(?:on|by|until|from) the (?:first|second|third|last|\w+th)"
    r"|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|\w+tieth|\w+ty[- ]first) of)\b"
)
_IS_NUMBER = re.compile(rf"(?:[$£€]\s?\d|\b\d+(?:[.,]\d+)*(?!\d|st\b|nd\b|rd\b|th\b)\b|\b(?:{NUMBERS})\b)")
_IS_PLACE = re.compile(
    r"\b(?:in|at|on|under|underneath|behind|beside|near|next to|inside|above|below|by|between|opposite|against|over|to|from|into|through|off"
    r"|round|around|outside|upstairs|downstairs|abroad|with)\b"
    rf"(?!\s+(?:the\s+)?(?:{DAYS}|\d|(?:{NUMBERS})\b|time\b|night\b|morning|evening|afternoon|first\b|weekend))"
    r"|\bdownstairs\b|\bupstairs\b|\babroad\b|\bhere\b"
)
PLACES = frozenset(
    """hospital school church shop store restaurant pub bar cafe club college university uni bank gym clinic surgery
    nursery library theatre garage hotel station airport company firm office""".split()
)
_AT_A_NAME = re.compile(rf"\b(?:at|in|on|from|go to|goes to) (?:the )?(?!(?i:{DAYS})\b)[A-Z]")
_IS_NAMED = re.compile(r"\b(?:called|named|calls?|name is|name's|nickname)\b", re.IGNORECASE)
_IS_NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][\w'-]+")
_IS_NAME_OF_PLACE = re.compile(
    r"\b(?i:in|at|to|from|near|outside|on|off|by|opposite|behind|over) (?:the )?[A-Z][\w'-]+"
)
_ASKS_AGE = re.compile(r"\bhow old\b|\bwhat age\b", re.IGNORECASE)
_IS_AGE = re.compile(
    rf"\b(?:is|are|am|was|turn(?:s|ed|ing)?|aged|age|of|(?<!user)'s|'m|'re|just|nearly|almost|only|over) (?:about |nearly |almost |only |just |now )?(?:\d+|(?:{NUMBERS})\b)"
    r"|\byears? old\b|\bborn\b.*\b(?:(?:19|20)\d\d|nineteen \w+|two thousand)|\b\w+[- ]year[- ]old\b"
    r"|\b(?:\d+(?:st|nd|rd|th)|\w+ieth|\w+teenth|first|twenty[- ]first|(?:\w+ty[- ])?(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth)) birthday\b"
)
_ASKS_CLOCK = re.compile(r"\b(?:what|which) (?:time|hour)\b|\bhow (?:late|early)\b", re.IGNORECASE)
_IS_CLOCK = re.compile(
    r"\b(?:noon|midday|midnight|o'clock|dawn|(?:half|quarter) (?:past|to|after|[a-z]+)|\d{1,2}[:.]\d\d|\d{1,2} ?[ap]\.?m"
    r"|(?:at|from|till|until|by|before|after|around|about|past|to) (?:about |around )?(?:\d{1,2}(?!\d|st|nd|rd|th)|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve)|morning|afternoon|evening|night"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:fifteen|thirty|forty[- ]five|[ap]\.?m))\b"
)
_ASKS_DIGITS = re.compile(r"\bnumber\b(?! of\b)", re.IGNORECASE)
_IS_DIGITS = re.compile(
    r"\b(?:number|no\.|plate|reg)\b|#|\d{2}|(?:\b(?:oh|zero|one|two|three|four|five|six|seven|eight|nine|double|triple|twenty"
    r"|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b[ ,-]*){3}"
)
_ASKS_YEAR = re.compile(r"\b(?:what|which) year\b", re.IGNORECASE)
_IS_YEAR = re.compile(r"\b(?:(?:1[89]|20)\d\d|years?|nineteen \w+|two thousand|twenty \w+)\b")
_ASKS_STREET = re.compile(r"\b(?:what|which) (?:street|road|avenue|lane)\b|\baddress\b", re.IGNORECASE)
_IS_STREET = re.compile(
    r"\b(?:street|st|road|rd|avenue|ave|lane|drive|close|crescent|court|terrace|square|row|gardens|boulevard|way"
    r"|place|hill|grove|address)\b|\b(?:at|on) (?:number )?\d+\b|@|\b(?:lives?|moved) on\b"
)
_ASKS_CAUSE = re.compile(r"\b(?:die|died) (?:of|from)\b|\bwhat caused\b|\bcause of\b", re.IGNORECASE)
_IS_CAUSE = re.compile(
    r"\b(?:(?:his|her|their) (?:heart|lungs|liver|kidneys)|accident|crash|drown\w*|overdose|of|from|because|due to|after|with|attack|stroke|cancer)\b(?! (?:the )?(?:year|age|\d))"
)
_ASKS_OWNER = re.compile(r"^whose\b", re.IGNORECASE)
_IS_OWNED = re.compile(r"\b(?:belongs? to|owned by|lent|borrowed|gave|(?!the user)[\w-]+'s)\b")
_WORK = frozenset(("work",))
_OF_WORK = frozenset("work job trade profession occupation employed career livelihood".split())
_WORKS = frozenset(("occupation", "employer", "job", "work", "post", "trade"))
_IN_A_PLACE = re.compile(r"\b(?i:in|near|outside|around) (?:the )?[A-Z][\w'-]+")
_OF_THE_USER = re.compile(r"the user\b(?!'s)", re.IGNORECASE)
_IS = re.compile(
    r"(?:\b(?:is|are)|(?<!user)'s)\b(?! (?:an?|the|in|at|on|from|not|no|so|very|too|off|out|over|\w+ing|\w+ed|wife|husband|mother|mum|mom|father|dad|brother"
    r"|sister|son|daughter|girlfriend|boyfriend|friend|partner)\b)",
    re.IGNORECASE,
)
_MOST_ASKED = 64  # questions; one is held against many tellings
_WHO = frozenset("who whos whose whom".split())
NO_NAMES = frozenset("the a an user s my our".split())
_MONTHS_AND_SO = re.compile(rf"^(?:{DAYS}|i|i'm|i've|ok)$", re.IGNORECASE)


def is_of_the_sort(told: Told, question: Question) -> bool:
    """Whether it tells a thing of the kind that was asked for."""
    if question.category & PLACES and not _tells_of_a_place(told, question.category):
        return False
    wanted = _wanted(question.text, question.sort)
    if question.sort is Sort.ANY and _asks_of_work(question.words) and not _tells_of_work(told):
        return False
    if wanted.thing and not names_it(told, wanted.thing):
        return False
    if wanted.names:
        return _names_somebody(told, wanted.asked)
    if wanted.telling is None:
        return True
    told_so = bool(wanted.telling.search(f"{told.text} {told.value}".lower()))
    return told_so or not wanted.slots.isdisjoint(told.about.split())


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The kind of thing that a question asks for: somebody's name, or what `telling` finds in a sentence and `slots`
    among the words of its slot; None where anything will do. `asked` are the words of the question, `thing` is what
    it asks the name of.
    """

    asked: frozenset[str]
    names: bool = False
    thing: str = ""
    telling: re.Pattern[str] | None = None
    slots: frozenset[str] = frozenset()


@lru_cache(_MOST_ASKED)
def _wanted(text: str, sort: Sort) -> _Wanted:
    asked = frozenset(words_of(text))
    if _ASKS_OWNER.match(text):
        return _Wanted(asked, telling=_IS_OWNED, slots=frozenset({"owner"}))
    if sort is Sort.NAME:
        return _Wanted(asked, names=True, thing=thing_named(text))
    if _ASKS_STREET.search(text):
        return _Wanted(asked, telling=_IS_STREET)
    if sort is Sort.PLACE:
        return _Wanted(asked, telling=_IS_PLACE, slots=frozenset({"home", "place", "employer", "school"}))
    for asks, telling in ((_ASKS_CLOCK, _IS_CLOCK), (_ASKS_YEAR, _IS_YEAR), (_ASKS_CAUSE, _IS_CAUSE)):
        if asks.search(text):
            return _Wanted(asked, telling=telling)
    if sort is Sort.TIME:
        return _Wanted(asked, telling=_IS_TIME, slots=frozenset({"when", "birthday"}))
    if _ASKS_DIGITS.search(text):
        return _Wanted(asked, telling=_IS_DIGITS, slots=frozenset({"number", "phone"}))
    if _ASKS_AGE.search(text):
        return _Wanted(asked, telling=_IS_AGE, slots=frozenset({"age"}))
    return _Wanted(asked, telling=_IS_NUMBER if sort is Sort.NUMBER and "born" not in asked else None)


def _names_somebody(told: Told, asked: Set[str]) -> bool:
    if _IS_NAMED.search(told.text) or (told.is_relation and _asks_who_that_is(told, asked)):
        return True
    if told.text[1:].islower():  # as speech recognition writes names
        kin = set(words_of(" ".join(IS_KIN.findall(told.text))))
        is_somebody = _IS.search(told.text) and not _OF_THE_USER.match(told.text)
        return bool(is_somebody or subjects(told) - asked - kin or (asked & _WHO and kin - asked - GENERIC))
    persons = (_IN_A_PLACE if asked & _WHO else _IS_NAME_OF_PLACE).sub("", told.text)
    names = [name for name in _IS_NAME.findall(persons) if not _MONTHS_AND_SO.match(name)]
    new = [name for name in names if not set(words_of(name)) & asked]
    return bool(new) or any(  # "who keeps hens": my aunt; "what are they called" is not answered so
        kin.lower() not in asked and kin.lower() not in GENERIC for kin in IS_KIN.findall(told.text) if asked & _WHO
    )


def _tells_of_a_place(told: Told, category: Set[str]) -> bool:
    """Which school it is is not told by what somebody teaches, unless it says where."""
    words = words_of(f"{told.text} {told.key}")
    tells = _IS_PLACE.search(told.text) if told.text[1:].islower() else _AT_A_NAME.search(told.text)
    return bool(tells) or any(holds(words, word) for word in category)


def _asks_of_work(words: Set[str]) -> bool:
    return not words.isdisjoint(_OF_WORK)


def _tells_of_work(told: Told) -> bool:
    """What somebody does is told by what they are, run or drive, not by when they were born."""
    tells = implied_verbs(told.text, _WORK) or any(family(word) == "work" for word in words_of(told.text))
    return bool(tells) or not _WORKS.isdisjoint(words_of(told.key.partition(".")[2].replace("_", " ")))


def _asks_who_that_is(told: Told, asked: Set[str]) -> bool:
    """ "What are my aunt's llamas called" asks for no name of the aunt."""
    role = words_of(told.key.partition(".")[2].replace("_", " "))
    return bool(asked & _WHO) or any(holds(role, word) for word in asked - NO_NAMES)
