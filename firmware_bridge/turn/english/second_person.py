"""Telling users what they said about themselves."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.records import Record

_SWAPS = {
    "i": "you",
    "i'm": "you're",
    "im": "you're",
    "i've": "you've",
    "i'd": "you'd",
    "i'll": "you'll",
    "am": "are",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "we": "you",
    "we're": "you're",
    "we've": "you've",
    "we'd": "you'd",
    "we'll": "you'll",
    "us": "you",
    "our": "your",
    "ours": "yours",
    "ourselves": "yourselves",
}
_WORD = re.compile(r"[\w']+")
_PRONOUN_FIRST = re.compile(r"^(?:he|she|they|it|his|her|their|its)\b", re.IGNORECASE)
_THE_USERS = re.compile(r"\bthe user's\b", re.IGNORECASE)
_THE_USER = re.compile(r"\bthe user\b", re.IGNORECASE)
_THE_USER_LIKES = re.compile(r"\bthe user (?P<verb>like|dislike|prefer)s\b", re.IGNORECASE)
_I_WAS = re.compile(r"\bi was\b", re.IGNORECASE)


def second_person(clause: str) -> str:
    """ "my sister Jana lives with me" becomes "Your sister Jana lives with you". The US stays the US."""

    def swap(match: re.Match[str]) -> str:
        word = match[0]
        return word if word == "US" else _SWAPS.get(word.lower(), word)

    told = _WORD.sub(swap, _I_WAS.sub("you were", clause.replace("\u2019", "'")))
    return told[:1].upper() + told[1:]


def said_back(record: Record) -> str:
    """What a record says, told to the user in their own words, without the full stop."""
    return second_person(own_words(record))


def own_words(record: Record) -> str:
    """What the user said, without the full stop; with the name in it where they said "he" or "it"."""
    said = record.source_excerpt
    if not said or said == record.value or _PRONOUN_FIRST.match(said):  # a proposal is a bare value
        said = _THE_USER.sub("you", _THE_USER_LIKES.sub(r"you \g<verb>", _THE_USERS.sub("your", record.text)))
    return said.rstrip(" .!")
