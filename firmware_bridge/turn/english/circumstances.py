"""What is forbidden only somewhere, on some day or to be driven about: "no boots in my kitchen", a fast, "no"
" passengers"."""

from __future__ import annotations

import time
from collections.abc import Set
from dataclasses import dataclass

from edge_memory import lazy_re as re
from edge_memory.records import words_of
from firmware_bridge.turn.english.foods import EDIBLE, FOOD, KINDRED
from firmware_bridge.turn.english.wordforms import forms

_ROOMS = "kitchen bedroom bathroom lounge room hall hallway toilet upstairs downstairs"
_LITTLE_CHILD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|[1-9])[- ]years?[- ]olds?\b|\btoddlers?\b"
    r"|\bpreschoolers?\b|\binfants?\b"
    r"|\blittle (?:ones?|kids?|boys?|girls?|lads?)\b|\bbab(?:y|ies)\b|\b(?:he|she|who)(?:'s| is) (?:only "
    r"|just )?(?:one|two"
    r"|three|four|five|six|seven|eight|nine|[1-9])\b(?! (?:foot|feet|stone|minutes|hours))",
    re.IGNORECASE,
)
CHILDREN = frozenset("kid kids child children".split())
_OF_LITTLE_ONES = re.compile(r"\b(?:little|small|young|wee|tiny) (?:kids?|child|children|ones?)\b|\btoddlers?\b", re.I)
_PLACES = tuple(
    frozenset(row.split())
    for row in (
        f"house home roof indoors inside here flat apartment carpet carpets {_ROOMS}",
        "car van truck cab ute pickup backseat",
        "table dinner lunch supper breakfast",
        "sofa couch settee armchair furniture",
        "bed beds bedroom",
    )
)
_BAN = re.compile(
    r"\bno (?P<what>[\w-]+(?:,? (?:and|or)(?: no)? [\w-]+)?(?: [\w-]+)??) (?:(?:in|inside|under|on|at|by|near"
    r"|around) (?:the user's"
    r" |my |our |the |this )?(?:[\w-]+ )??(?P<where>house|home|roof|flat|apartment|kitchen|bedroom|room|car|van"
    r"|truck|cab|carpets?"
    r"|sofa|couch|beds?|table|furniture|pool|garden|yard|boat|barn|shed|workshop)|(?P<within>indoors|inside"
    r"|upstairs|downstairs))\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:outside|outdoors|out in|in the (?:garden|yard|park|street|shed)|at (?:the|a|an|his|her"
    r"|their) (?!table\b|house\b|weekend\b"
    r")[\w-]+|restaurant|pub|cafe|eat out|go out for|on the (?:porch|patio|deck|balcony))\b",
    re.IGNORECASE,
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_FASTS = re.compile(
    rf"\b(?:fasts?|fasting|(?:keeps?|observes?) (?:the |a )?fast)\b(?: \w+)*? (?:on|every"
    rf"|each) (?P<days>{_WEEKDAY}s?(?: and {_WEEKDAY}s?)?)\b",
    re.IGNORECASE,
)
_A_WEEKDAY = re.compile(rf"\b{_WEEKDAY}\b", re.IGNORECASE)
_AFTER_DARK = re.compile(r"\b(?:tonight|night|evening|after (?:sunset|dark|sundown|dusk)|iftar|supper|dinner)\b", re.I)
_TOMORROW = re.compile(r"\btomorrow\b", re.IGNORECASE)
_A_DAY = 86_400.0
_NO_PASSENGERS = re.compile(
    r"(?:\b(?:no|not|never|nobody|mustn't|cannot)|n't)\b.*?\b(?:passengers?|(?:mates?|friends?|pals?|kids|others|anyone"
    r"|anybody|people)(?:'s)? (?:with (?:him|her|them) )?(?:in|into|inside|on) (?:[\w']+ ){0,2}?(?:car|van|truck|ute"
    r"|vehicle|motorbike|bike|moped|scooter|quad))\b",
    re.IGNORECASE,
)
_DRIVES_SOMEBODY = re.compile(
    r"\bdriv(?:e|es|ing) (?!(?:to|the|my|our|a|an|that|this|down|up|on|in|it|back|home|over|out|around|his car"
    r"|her car)\b)\w+"
    r"|\bdriv(?:e|es|ing) (?:my|our|the) (?:\w+ )?(?:mates?|friends?|kids|boys|girls|lads|team|sisters?|brothers?"
    r"|cousins?|mum|mom|dad|gran\w*)\b"
    r"|\b(?:a|another) (?:lift|ride)\b|\b(?:take|tak(?:e|ing)|drop|run|pick|collect|fetch|bring"
    r"|carry) (?!(?:the (?:bus|train)|a|an|it|care)\b)[\w' ]+?"
    r" (?:to|home|up|off|from|over|in)\b|\bpassengers?\b|\bsquash in\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ban:
    """`what` nobody is to have or do at the place that `where` names."""

    what: str
    where: str

    def is_broken(self, heard: Set[str], text: str) -> bool:
        """Whether an utterance (`heard` are its words) wants it there; food is had at home where nothing else"
        " is said."""
        named = _with_kinds(words_of(self.what)) & heard
        if self.what.lower() == "food":
            named |= heard & (FOOD | EDIBLE)
        if not named:
            return False
        places = next((row for row in _PLACES if self.where in row), frozenset((self.where,)))
        if places & heard:
            return True
        return bool(named & (EDIBLE | FOOD)) and "house" in places and not _ELSEWHERE.search(text)


def ban_in(text: str) -> Ban | None:
    """What a text forbids somewhere; None where it forbids nothing so."""
    match = _BAN.search(text)
    return Ban(match["what"], (match["where"] or match["within"]).lower()) if match else None


def little_children_in(text: str) -> frozenset[str]:
    """The words that stand for a little child of which a text speaks, by its age or as a toddler; empty for none."""
    return CHILDREN | {"little"} if _LITTLE_CHILD.search(text) else frozenset()


def is_of_little_children(order: str) -> bool:
    """Whether only little children may not."""
    return bool(_OF_LITTLE_ONES.search(order))


def is_circumstantial(text: str) -> bool:
    """Whether a text forbids something in one of the ways of this module."""
    return ban_in(text) is not None or is_fast(text) or bars_passengers(text)


def is_fast(text: str) -> bool:
    return bool(_FASTS.search(text))


def is_fasting_at(told: str, text: str, said_at: float) -> bool:
    """Whether what is wanted is for a day of a fast, and not for after dark. `said_at` is Unix time in seconds; the day
    is this machine's own.
    """
    fast = _FASTS.search(told)
    if fast is None or _AFTER_DARK.search(text):
        return False
    named = {day.lower() for day in _A_WEEKDAY.findall(text)}
    then = said_at + _A_DAY * bool(_TOMORROW.search(text))
    return any(day in fast["days"].lower() for day in named or {time.strftime("%A", time.localtime(then)).lower()})


def bars_passengers(text: str) -> bool:
    return bool(_NO_PASSENGERS.search(text))


def drives_somebody(text: str) -> bool:
    """Whether somebody is to take others along in a car."""
    return bool(_DRIVES_SOMEBODY.search(text))


def _with_kinds(words: list[str]) -> frozenset[str]:
    things = {form for word in words for form in forms(word)}
    return frozenset(things.union(*(KINDRED.get(word, ()) for word in things)))
