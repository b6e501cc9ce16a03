"""Whether what is said to be over is what a record tells of: the same doing of the same person, or the thing itself."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.frames import CALLED_OFF
from edge_memory.observe.lexicon import KIN_SET, PET_SET
from edge_memory.observe.reading import Statement
from edge_memory.observe.wording import (
    COMMON_VERBS,
    classes_of,
    is_negative,
    is_past,
    same_subject,
    stem,
    subject_stems,
    subjects_of,
    telling,
    told_of,
)
from edge_memory.records import Kind, Record, words_of

OWNERS = ("user", "home")
_VEHICLES = (".car", ".van", ".bike", ".motorbike", ".boat")  # where "the Polo" may be the Polo Vivo
_MOST_BESIDE = 2
_CALLED = re.compile(r"\b(?:called|named)\b", re.IGNORECASE)
_BEGUN = re.compile(
    r"\b(?:started|joined|began|begun|took up|transferred|enrolled at|taken up|signed up|enrolled|got into)\b",
    re.IGNORECASE,
)
_OWNED = frozenset("has owns drives rides bought got keeps called named".split())
_NO_THINGS = frozenset(
    "place when likes dislikes prefers never always decision learning plays speaks school age diet allergy name home"
    " occupation employer condition cannot_have".split()
)
_GENERIC = frozenset(
    map(
        stem,
        """account membership class course lesson club team subscription job group habit practice training trip holiday
        party season game gig plan idea thing school night morning evening every""".split(),
    )
)
_NO_MORE = re.compile(r"(?:, so|,| so| and) no more \w", re.IGNORECASE)
_WORDS = r"(?:[\w'-]+ ){1,3}(?:over |on |back )?"
_OF_THE_USER = re.compile(r"\bthe user\b", re.IGNORECASE)


def is_ended(statement: Statement, record: Record, about: frozenset[str]) -> bool:
    """What "I don't row any more" and "we sold the car" end: the same doing of the same person, or the thing itself."""
    assert statement.slot is not None
    about = about - COMMON_VERBS or _whole_doing(statement, record, about)
    if any(not classes_of(frozenset({word})) for word in about - _GENERIC):
        about -= _GENERIC
    attribute, _, aspect = (record.key or "").partition(".")[2].partition(".")
    named = telling(attribute.replace("_", " "))
    if not about or not about <= telling(told_of(record)) | named or is_negative(record.text):
        return False
    if len(about) == 1 and classes_of(about) and "user" in subjects_of(statement.text):
        return False  # "I can't do Sundays any more": what of Sundays?
    if _is_only_a_part(about, telling(told_of(record))):
        return False
    if not statement.slot.thing:
        own = "user" in subjects_of(statement.text) and (record.key or "").startswith(OWNERS)
        treated = ".medicine_" in statement.slot.key and "user" in subjects_of(record.text)
        return same_subject(statement.text, record.text) or treated or (about == named and own)
    itself = "user" not in subjects_of(statement.text) and same_subject(statement.text, record.text)
    if about <= named or itself:
        return True
    if CALLED_OFF.search(statement.text) and "user" in subjects_of(record.text) and not is_past(record.text):
        return True
    is_thing = attribute not in _NO_THINGS and not aspect
    return (is_thing and about <= telling(str(record.value or ""))) or _is_had(record)


def _whole_doing(statement: Statement, record: Record, about: frozenset[str]) -> frozenset[str]:
    """ "Ann has stopped coming" ends that she comes on Mondays."""
    theirs = "user" not in subjects_of(statement.text) and same_subject(statement.text, record.text)
    return about if theirs and not is_past(record.text) else frozenset()


def is_over(statement: Statement, record: Record, thing: frozenset[str]) -> bool:
    """Whether what is said to be over is what the record tells of: of the same person, and not past already."""
    thing -= COMMON_VERBS
    thing = thing - _GENERIC or thing
    if record.kind is Kind.RELATIONSHIP or is_negative(record.text) or _is_history(record):
        return False
    if not thing or not thing <= telling(told_of(record)) or _is_only_a_part(thing, telling(told_of(record))):
        return False
    if len(thing) == 1 and classes_of(thing):
        return False
    if not (record.key or "").endswith(_VEHICLES) and not _is_named_itself(thing, told_of(record)):
        return False
    about_itself = thing <= subject_stems(statement.text)
    if about_itself and not subjects_of(statement.text).isdisjoint(KIN_SET):
        return False
    named = thing <= telling(str(record.value or "")) and _CALLED.search(record.text)
    if named and "user" in subjects_of(statement.text):
        return True
    said_of_oneself = (
        about_itself
        or bool(_NO_MORE.search(statement.text))
        or bool(_OF_THE_USER.search(statement.text) and not _is_somebody(statement.text))
    )
    return same_subject(statement.text, record.text) or (said_of_oneself and "user" in subjects_of(record.text))


def is_given_away(statement: Statement, record: Record, thing: frozenset[str]) -> bool:
    """Whether it is what the record tells to be the user's: by its name, or as the one that they have."""
    if not {"user"} <= subjects_of(statement.text) & subjects_of(record.text):
        return False
    if thing <= telling(str(record.value or "")) and _CALLED.search(record.text):
        return True
    the_one = bool(thing) and re.search(rf"\b(?:the|the user's) {_WORDS}to\b", statement.text) is not None
    return the_one and _is_had(record) and is_over(statement, record, thing)


def _is_history(record: Record) -> bool:
    """What happened once; not what was begun or bought, and goes on."""
    return is_past(record.text) and not _is_had(record) and not _BEGUN.search(record.text)


def _is_somebody(text: str) -> bool:
    """Whether a sentence is about a person or an animal other than the user, as far as words tell."""
    return not (subjects_of(text) - {"user"}).isdisjoint(KIN_SET | PET_SET)


def _is_named_itself(thing: frozenset[str], text: str) -> bool:
    """Whether the words stand for the thing: a sold "truck" ends no "truck driver", but "piano" the "piano lessons"."""
    words = words_of(text)
    ends = [place for place, word in enumerate(words) if stem(word) in thing]
    after = words[ends[-1] + 1 :][:1] if ends else []
    return (
        not after
        or not telling(after[0]) - COMMON_VERBS
        or stem(after[0]) in _GENERIC
        or bool(classes_of(telling(after[0])))
    )


def _is_only_a_part(about: frozenset[str], held: frozenset[str]) -> bool:
    """Dropping the Monday class does not end the ones of the other days, nor what else is told with the Monday."""
    if len(dated := [word for word in about if classes_of(frozenset({word}))]) == len(about) - 1 and dated:
        return len(held - about) > _MOST_BESIDE
    return any(
        len([word for word in held if classes_of(frozenset({word})) == {kind}]) > 1 for kind in classes_of(about)
    )


def _is_had(record: Record) -> bool:
    return not _OWNED.isdisjoint(words_of(record.text)) and "user" in subjects_of(record.text)
