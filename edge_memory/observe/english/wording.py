"""Comparing texts by their words: which tell something, and whom a sentence is about."""

from __future__ import annotations

from itertools import takewhile

from edge_memory import lazy_re as re
from edge_memory.observe.english.inflection import stem_of
from edge_memory.observe.english.lexicon import (
    KIN,
    KIN_OR_PET,
    KIN_SET,
    NOT_A_NAME,
    PET_SET,
    SAME_KIN,
    VERB_WORDS,
    word_class,
)
from edge_memory.records import Record, words_of

_SMALL = frozenset(
    """the a an of in on at to is are was were be been being am my our his her their its i we he she it they you and or
    but so if as than then that this these those there for with from by into about between up out off over user s t
    ve re ll d m
    has have had do does did will would can could should may just really very also still now too quite actually
    currently
    usually already again get got gets who which what when where some any more much many one ones thing
    things""".split()
)
_NEGATIVE = re.compile(
    r"\b(?:not|never|no longer|no more|without|stopped|quit|gave up|cannot|sold|died|used to|ended|lost)\b|n't\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"(?<=\w) (?:when|if|unless|until|because|while|as long as)\b.*$", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:bought|went|saw|sold|got|gave|took|made|met|found|lost|broke|ate|drank|came|left|had|was|were|did|said"
    r"|told|paid"
    r"|wrote|sent|won|fell|flew|drove|caught|built|brought|began|(?!need\b|feed\b|speed\b|used\b|shed\b|seed\b"
    r"|weed\b|hundred\b|breed\b)\w{2,}ed)\b",
    re.IGNORECASE,
)
# "Is collected on Mondays", "is getting married": the second word does not make it past.
_STILL_SO = re.compile(
    r"\b(?:is|are|gets?|getting|be|being)(?: getting)? \w+ed\b|\b(?:an?|the) \w+ed(?= [a-z])", re.IGNORECASE
)
VISIT = "(?:appointment|visit|check-?up|bill|lesson|meeting)s?"  # "my dentist appointment" is not about the dentist
_SUBJECT = re.compile(
    rf"^(?:the )?user's (?:\w+ )?(?P<kin>{KIN_OR_PET})\b(?! {VISIT}\b)"
    r"(?: (?:one|child|boy|girl|lad|lass)\b)?(?: (?:(?:mrs?|ms|miss|dr"
    rf"|doctor)\.? )?(?P<name>[\w-]+))?|^(?P<user>the user)(?!'s)\b"
    rf"|^(?P<theirs>[\w-]+'s (?:{KIN}|boy|girl|lad|lass))\b(?: (?P<named>[\w-]+))?"
    rf"|^(?P<first>[\w-]+)",
    re.IGNORECASE,
)
_OF_KIN = re.compile(rf"^the user's (?:\w+ )?{KIN}\b(?! {VISIT}\b)", re.IGNORECASE)
_SAME = {
    "pin": "cod", "passcod": "cod", "combination": "cod",
    "remarri": "marri", "wed": "marri", "marry": "marri", "test": "exam",
    "operation": "surgery", "op": "surgery", "footy": "football", "studi": "study",
}  # fmt: skip
TITLES = frozenset(
    "mr mister mrs ms miss dr doctor pastor father sister brother reverend rev rabbi imam nurse professor uncle"
    " aunt".split()
)
_THIS_ONE = re.compile(r"^the (?:user's )?([\w-]+) ([\w-]+)\b")
_ANY_OF_THEM = frozenset("new old other same first last next big little whole good best main user user's usual".split())
_OF_TASTE = re.compile(r"^the user's (?=favou?rite\b)", re.IGNORECASE)


def stem(word: str) -> str:
    """As `stem_of`, where words that mean the same in a record are one: "mum" and "mother", "PIN" and "code"."""
    cut = stem_of(SAME_KIN.get(word, word))
    return _SAME.get(cut, cut)


COMMON_VERBS = frozenset(map(stem, "go come get make take want need like work live use have keep own had".split()))
# What two sentences of another matter may have in common.
LITTLE = frozenset(map(stem, "not like love eat drink enjoy watch do does play go only just care mind".split()))


def telling(text: str) -> frozenset[str]:
    """The stems of the words that tell something. A "not" tells."""
    found = {stem(word) for word in words_of(text) if word not in _SMALL}
    return frozenset(found | {"not"}) if re.search(r"n't\b", text) else frozenset(found)


def is_negative(text: str) -> bool:
    """Whether a text denies or ends something."""
    return bool(_NEGATIVE.search(_CONDITION.sub("", text)))


def is_past(text: str) -> bool:
    """Whether a text tells what happened once, not how things are."""
    return not text.lower().startswith(("there's ", "there is ")) and bool(_PAST.search(_STILL_SO.sub("", text)))


def subjects_of(text: str) -> frozenset[str]:
    """The names of whom or what a sentence of the third person is about: "user", a kin word and a name, or a word."""
    match = _SUBJECT.match(_OF_TASTE.sub("the user ", text.strip()))
    if not match:
        return frozenset()
    if match["user"]:
        return frozenset({"user"})
    if match["theirs"]:
        return frozenset((match["theirs"].lower(), _name_in(match["named"]))) - {""}
    first = (match["first"] or "").lower()
    if first in ("the", "a", "an"):
        words = words_of(text)
        if words[1:3] == ["user", "s"]:
            return frozenset(takewhile(lambda word: word not in VERB_WORDS, words[3:6])) - _SMALL
        return frozenset(takewhile(lambda word: word not in VERB_WORDS, words[1:4])) - _SMALL
    if first in TITLES and not frozenset(words_of(text)[1:2]) & (VERB_WORDS | NOT_A_NAME):
        return frozenset(words_of(text)[:2])
    first = first or match["kin"].lower()
    return frozenset((SAME_KIN.get(first, first), _name_in(match["name"]))) - {""}


def is_of_kin(text: str) -> bool:
    """Whether it begins with one of the user's family, who is not only whose appointment it is."""
    return bool(_OF_KIN.match(text))


def subject_stems(text: str) -> frozenset[str]:
    """Whom or what it is about, as the stems that `telling` gives."""
    return telling(" ".join(subjects_of(text)))


def _name_in(word: str | None) -> str:
    """In lower case; empty for what is no name, as in "the user's sister sings"."""
    if not word or (not word[0].isupper() and (word in VERB_WORDS | NOT_A_NAME or word.endswith(("s", "ed")))):
        return ""
    return word.lower()


def same_subject(text: str, other: str) -> bool:
    """Whether two sentences are about one person or thing: "my brother Jan" is not "my brother Ole"."""
    one, two = subjects_of(text), subjects_of(other)
    common = one & two
    if are_namesakes(text, other):
        return False
    if not common - KIN_SET - PET_SET - TITLES and one - common and two - common:
        return False
    return bool(common)


def are_two_things(text: str, other: str) -> bool:
    """ "The upstairs tap" and "the cellar tap" are two of a kind; "the old tap" may be either."""
    one, two = (match.groups() if (match := _THIS_ONE.match(told.lower())) else ("", "") for told in (text, other))
    same = one[1] == two[1] and one[1] not in VERB_WORDS | _SMALL
    return same and one[0] != two[0] and _ANY_OF_THEM.isdisjoint((one[0], two[0]))


def are_namesakes(text: str, other: str) -> bool:
    """ "My cousin Jan" and "my old flatmate Jan" are two, as a mother and a mother-in-law are."""
    one, two = (subjects_of(told) & KIN_SET for told in (text, other))
    return bool(one and two) and one.isdisjoint(two)


def classes_of(stems: frozenset[str]) -> set[str]:
    """The classes of words whose members take each other's place: weekdays, months, numbers, colours, sides."""
    found = (word_class(word) or word_class(f"{word}s") or word_class(f"{word}e") for word in stems)
    return {kind for kind in found if kind}


def told_of(record: Record) -> str:
    """The text of a record with its value."""
    return f"{record.text} {record.value if isinstance(record.value, str) else ''}"
