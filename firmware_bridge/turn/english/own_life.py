"""Whether a question is about the user's own life: what memory does not know of that, nobody does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import ACTIVITY
from edge_memory.records import Record, words_of
from firmware_bridge.turn.english.kinds import is_named, kind_of
from firmware_bridge.turn.english.questions import Question
from firmware_bridge.turn.english.told import is_kin, subjects, told_by
from firmware_bridge.turn.english.wordforms import GENERIC, holds

_POSSESSIVE = re.compile(
    r"\b(?!what's|who's|where's|when's|it's|that's|there's|how's|let's)([\w-]+)'s\b", re.IGNORECASE
)
_SOMEBODY = re.compile(
    r"\b(?:how old|how tall) (?:is|was) (?!the\b|my\b|our\b|an?\b)([\w-]+)"
    r"|\b(?:where|what|when) (?:does|did) (?!the\b|my\b|our\b|an?\b|it\b)([\w-]+)",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?<!\ba )(?<!\ban )(?<!\bthe )(?<!'s )(?<!s' )(?<![\w-])([a-z]+)(?:'s)?\b"
)  # "daddy's", no "a mother"
_DEFINITE = re.compile(r"\bthe ([\w-]+)(?: ([\w-]+))?", re.IGNORECASE)
# What "the" says of nothing that the user has: it is everybody's.
_EVERYBODYS = frozenset(
    """weather time date day news temperature capital president king queen world sun moon sky year month week country
    city earth sea internet government government prime minister population height distance size length name colour
    color meaning difference word best biggest largest tallest longest oldest first last next most same only other
    rest""".split()
)
# What is a household's own, whether or not anything was told of it.
_OF_THE_HOUSE = re.compile(
    r"\bthe (?:(?!of\b)[\w-]+ ){0,2}(?:wi-?fi|password|passcode|pin|codes?|combination|spare keys?|boiler|stopcock"
    r"|fuse ?box|meter|router|landlord|landlady|cleaner|babysitter|childminder|plumber|electrician|dentist|vet"
    r"|neighbou?rs?|mortgage|rent|bins?|dog|cat|baby|kids|children|twins|grandkids|grandchildren|lads|boys|girls|car|van"
    r"|(?:front|back|garage|shed|side|cellar)"
    r" (?:door|gate)|gate|kitchen|bathroom|living room|bedroom|sofa|couch|curtains|fridge|oven|loft"
    r"|attic|cellar|shed)\b(?! (?:of|in) the world)"
    r"|^who(?:'s| is| was) the (?:[\w-]+ ){0,2}(?:physio\w*|gardener|nurse|carer|mechanic|accountant|lawyer|solicitor"
    r"|builder|roofer"
    r"|tutor|coach|teacher|doctor|gp|foreman|pastor|priest|vicar|imam|window cleaner|gas man|hairdresser|barber"
    r"|driver)\W*$"
    rf"|^(?:when|where|what time|which day|what day)(?:'s| is| does) {ACTIVITY}\b"
    r"|\b(?:surname|maiden name|middle name|birthday|phone number)\b",
    re.IGNORECASE,
)
_NAMED_WITHIN = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][a-z][\w-]+")


def is_of_own_life(question: Question, recalled: Sequence[Record]) -> bool:
    """Whether it is about the user's own life: about themself, or somebody whom memory knows."""
    asked = question.words | question.loose | question.category
    names_kin = any(is_kin(match[1].removesuffix("s")) for match in _BARE.finditer(question.text.lower()))
    return question.personal or names_kin or bool(asked & _people(recalled)) or _is_of_a_thing_told(question, recalled)


def is_of_the_house(text: str) -> bool:
    """Whether it asks for what is a household's own, whether or not anything was told of it."""
    return bool(_OF_THE_HOUSE.search(text))


def _is_of_a_thing_told(question: Question, recalled: Iterable[Record]) -> bool:
    """ "Suresh's number", "the tractor", when what was told names a Suresh or a tractor; "the alarm code" anyway."""
    if is_of_the_house(question.text):
        return True
    things = {match[1].lower() for match in _POSSESSIVE.finditer(question.text)}
    things |= {(match[1] or match[2]).lower() for match in _SOMEBODY.finditer(question.text)}
    things |= {word.lower() for match in _DEFINITE.finditer(question.text) for word in match.groups("")} - _EVERYBODYS
    kinds, named = {kind for word in things if (kind := kind_of(word))}, things - GENERIC - {""}
    told = [words_of(record.text) for record in recalled] if kinds or named else []
    return any(holds(words, word) for words in told for word in named) or any(
        is_named(kind, words) for words in told for kind in kinds
    )


def _people(recalled: Iterable[Record]) -> set[str]:
    found: set[str] = set()
    for record in recalled:
        if record.text[:1].isupper():
            found |= subjects(told_by(record))
        found.update(word.lower() for word in _NAMED_WITHIN.findall(record.text))
    return found
