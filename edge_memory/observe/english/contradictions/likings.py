"""Likings that turn round: what was hated is liked now, and the other way."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.wording import telling
from edge_memory.observe.statement import Statement
from edge_memory.records import Record

_DISLIKES = re.compile(
    r"\b(?:(?:can't|cannot|can not|couldn't) (?:stand|bear|abide|stick|stomach)|hates?|dislikes?|detests?|loathes?"
    r"|(?:went"
    r"|gone|going|goes|is|put the user) (?:right |completely |totally |well |clean )?off|sick of|fed up (?:with|of)"
    r"|(?:isn't|is not|no longer|not) (?:\w+ )?(?:keen on|into|fond of|a fan of|mad about|crazy about)"
    r"|(?:doesn't|does not|no longer|never|didn't|not) (?:\w+ )?(?:likes?|loves?|enjoys?|fancy|fancies|care for|eats?"
    r"|drinks?|watch|watches|listens? to|bothers? with))\b(?P<object>.*)",
    re.IGNORECASE,
)
_LIKED_AGAIN = re.compile(
    r"^(?P<object>.+?) (?:doesn't|does not|no longer) (?:bothers?|upsets?|puts?) the user\b"
    r"|^(?P<grown>.+?) (?:has )?(?:grew|grown) on the user\b",
    re.IGNORECASE,
)
_LIKES = re.compile(
    r"\b(?:(?:doesn't|does not) (?:really |even |much )?mind|goes (?:to|for)|plays|grown? on|grew on"
    r"|got(?:ten)? used to"
    r"|c[ao]me (?:a)?round (?:to|on)|warmed to|acquired a taste for|taken to|took to"
    r"|has a (?:crush|thing|soft spot)|lik(?:es?|ing)|lov(?:es?|ing)|enjoy(?:s|ing)?|adores?|(?:mad|crazy"
    r"|wild|nuts) (?:about|for|on|into)"
    r"|fond of"
    r"|keen on|fan of|favou?rite|prefers?|eats?|drinks?|watch(?:es)?|listens? to)\b(?P<object>.*)",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"\b(?:now|nowadays|these days|any ?more|no longer|lately|again|gone|went|grown|grew|sick of|fed up|used to|come"
    r"|came|turned|since|doesn't mind|does not mind|after all|started|has taken to)\b",
    re.IGNORECASE,
)
REST = re.compile(
    r"[,;].*$|\b(?:because|since|cos|cause|now|these days|nowadays|any ?more|but|to be honest|so much|at all|again"
    r"|lately)\b.*$",
    re.IGNORECASE,
)


def turns_liking(statement: Statement, record: Record) -> bool:
    """Whether the statement says so of what the record likes or dislikes, whoever does."""
    now, before = _liking(statement.text), _liking(record.text)
    if now is None or before is None or now[0] == before[0] or not now[1] or not _TURNED.search(statement.text):
        return False
    return now[1] <= telling(record.text)


def is_liked_again(text: str) -> bool:
    """Whether it says by its verb alone that a dislike has passed."""
    return bool(_LIKED_AGAIN.search(text))


def _liking(text: str) -> tuple[bool, frozenset[str]] | None:
    """Whether it is liked, and the words of what."""
    again = _LIKED_AGAIN.search(text)
    if again:
        return True, telling(again["object"] or again["grown"])
    for liked, pattern in ((False, _DISLIKES), (True, _LIKES)):
        match = pattern.search(text)
        if match:
            return liked, telling(REST.sub("", match["object"])) - {"not"}
    return None
