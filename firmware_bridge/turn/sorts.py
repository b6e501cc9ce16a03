"""Whether something that was told is of the kind that a question asks for: a name, a place, a time, a number."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.records import words_of
from firmware_bridge.turn.questions import Question, Sort
from firmware_bridge.turn.told import DAYS, IS_KIN, NUMBERS, Told, subjects
from firmware_bridge.turn.wordforms import GENERIC, holds

_IS_TIME = re.compile(
    rf"\b(?:{DAYS}|today|tonight|tomorrow|yesterday|morning|mornings|evening|evenings|afternoon|afternoons|night|nights"
    r"|noon|midnight|o'clock|week|weeks|weekly|weekend|weekends|weekdays?|month|months|monthly|year|years|ago|hours?|minutes?|daily|every"
    r"|since|until|(?:at|past|to|by|around|after|before) (?:half |quarter )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve)\w*|\d{1,2}(?::\d\d| ?[ap]m)|\d+(?:st|nd|rd|th)|(?:19|20)\d\d"
    r"|(?:on|by|until|from) the (?:first|second|third|last|\w+th)"
    r"|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|\w+tieth|\w+ty[- ]first) of)\b",
    re.IGNORECASE,
)
_IS_NUMBER = re.compile(
    rf"(?:[$£€]\s?\d|\b\d+(?:[.,]\d+)*(?!\d|st\b|nd\b|rd\b|th\b)\b|\b(?:{NUMBERS})\b)", re.IGNORECASE
)
_IS_PLACE = re.compile(
    r"\b(?:in|at|on|under|underneath|behind|beside|near|next to|inside|above|below|by|between|opposite|against|over|to|from|into|through|off"
    r"|round|around|outside|upstairs|downstairs|abroad|with)\b"
    rf"(?!\s+(?:the\s+)?(?:{DAYS}|\d|(?:{NUMBERS})\b|time\b|night\b|morning|evening|afternoon|first\b|weekend))"
    r"|\bdownstairs\b|\bupstairs\b|\babroad\b|\bhere\b",
    re.IGNORECASE,
)
_IS_NAMED = re.compile(r"\b(?:called|named|calls?|name is|name's|nickname)\b", re.IGNORECASE)
_IS_NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][\w'-]+")
_IS_NAME_OF_PLACE = re.compile(r"\b(?i:in|at|to|from|near|outside) (?:the )?[A-Z][\w'-]+")
_ASKS_AGE = re.compile(r"\bhow old\b|\bwhat age\b", re.IGNORECASE)
_IS_AGE = re.compile(
    rf"\b(?:is|are|am|was|turn(?:s|ed|ing)?|aged|age|of|'s|'m|'re|just|nearly|almost|only|over) (?:about |nearly |almost |only |just |now )?(?:\d+|(?:{NUMBERS})\b)"
    r"|\byears? old\b|\bborn\b|\b\w+[- ]year[- ]old\b|\bbirthday\b",
    re.IGNORECASE,
)
_ASKS_CLOCK = re.compile(r"\b(?:what|which) (?:time|hour)\b|\bhow (?:late|early)\b", re.IGNORECASE)
_IS_CLOCK = re.compile(
    r"\b(?:noon|midday|midnight|o'clock|dawn|(?:half|quarter) (?:past|to|after|[a-z]+)|\d{1,2}[:.]\d\d|\d{1,2} ?[ap]\.?m"
    r"|(?:at|from|till|until|by|before|after|around|about|past|to) (?:about |around )?(?:\d{1,2}(?!\d|st|nd|rd|th)|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve)|morning|afternoon|evening|night"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:fifteen|thirty|forty[- ]five|[ap]\.?m))\b",
    re.IGNORECASE,
)
_ASKS_YEAR = re.compile(r"\b(?:what|which) year\b", re.IGNORECASE)
_IS_YEAR = re.compile(r"\b(?:(?:1[89]|20)\d\d|years?|nineteen \w+|two thousand|twenty \w+)\b", re.IGNORECASE)
_ASKS_CAUSE = re.compile(r"\b(?:die|died) (?:of|from)\b|\bwhat caused\b|\bcause of\b", re.IGNORECASE)
_IS_CAUSE = re.compile(
    r"\b(?:of|from|because|due to|after|with|attack|stroke|cancer)\b(?! (?:the )?(?:year|age|\d))", re.IGNORECASE
)
_IN_A_PLACE = re.compile(r"\b(?i:in|near|outside|around) (?:the )?[A-Z][\w'-]+")
_IS = re.compile(r"\b(?:is|are)\b|(?<!user)'s\b", re.IGNORECASE)
_WHO = frozenset("who whos whose whom".split())
NO_NAMES = frozenset("the a an user s my our".split())
_MONTHS_AND_SO = re.compile(rf"^(?:{DAYS}|i|i'm|i've|ok)$", re.IGNORECASE)


def is_of_the_sort(told: Told, question: Question) -> bool:
    """Whether it tells a thing of the kind that was asked for."""
    asked = set(words_of(question.text))
    if question.sort is Sort.NAME:
        return _names_somebody(told, asked)
    whole = f"{told.text} {told.value}"
    if question.sort is Sort.PLACE:
        return bool(_IS_PLACE.search(whole)) or bool({"home", "place", "employer", "school"} & set(told.about.split()))
    if _ASKS_CLOCK.search(question.text):
        return bool(_IS_CLOCK.search(whole))
    if _ASKS_YEAR.search(question.text):
        return bool(_IS_YEAR.search(whole))
    if _ASKS_CAUSE.search(question.text):
        return bool(_IS_CAUSE.search(whole))
    if question.sort is Sort.TIME:
        return bool(_IS_TIME.search(whole)) or bool({"when", "birthday"} & set(told.about.split()))
    if _ASKS_AGE.search(question.text):
        return bool(_IS_AGE.search(whole)) or "age" in told.about.split()
    if question.sort is Sort.NUMBER:
        return bool(_IS_NUMBER.search(whole)) or "born" in asked
    return True


def _names_somebody(told: Told, asked: set[str]) -> bool:
    if _IS_NAMED.search(told.text) or (told.is_relation and _asks_who_that_is(told, asked)):
        return True
    if told.text[1:].islower():  # as speech recognition writes names
        kin = set(words_of(" ".join(IS_KIN.findall(told.text))))
        return bool(_IS.search(told.text) or subjects(told) - asked - kin or (asked & _WHO and kin - asked - GENERIC))
    persons = (_IN_A_PLACE if asked & _WHO else _IS_NAME_OF_PLACE).sub("", told.text)
    names = [name for name in _IS_NAME.findall(persons) if not _MONTHS_AND_SO.match(name)]
    new = [name for name in names if not set(words_of(name)) & asked]
    return bool(new) or any(  # "who keeps hens": my aunt; "what are they called" is not answered so
        kin.lower() not in asked and kin.lower() not in GENERIC for kin in IS_KIN.findall(told.text) if asked & _WHO
    )


def _asks_who_that_is(told: Told, asked: set[str]) -> bool:
    """ "What are my aunt's llamas called" asks for no name of the aunt."""
    role = words_of(told.key.partition(".")[2].replace("_", " "))
    return bool(asked & _WHO) or any(holds(role, word) for word in asked - NO_NAMES)
