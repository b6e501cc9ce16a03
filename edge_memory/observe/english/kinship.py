"""What somebody's relative is to the user: a husband's mother is a mother-in-law, a sister's son a nephew."""

from __future__ import annotations

_SPOUSE = frozenset("wife husband partner spouse hubby missus fiance fiancé fiancee fiancée".split())
_PARENT = frozenset("mother mum mom mummy mommy mam mammy ma mama father dad daddy da pa papa".split())
_SIBLING = frozenset("brother sister twin bro sis".split())
_CHILD = frozenset("son daughter child kid eldest youngest oldest baby lad lass stepson stepdaughter".split())
_AUNT = frozenset("aunt auntie uncle".split())
# A row: whose relatives, and what each of those is to the user.
_ROWS = (
    (
        _SPOUSE,
        {
            **dict.fromkeys(("mother", "mum", "mom", "mam", "ma", "mama"), "mother-in-law"),
            **dict.fromkeys(("father", "dad", "da", "pa", "papa"), "father-in-law"),
            "brother": "brother-in-law",
            "sister": "sister-in-law",
        },
    ),
    (
        _CHILD,
        {
            "husband": "son-in-law",
            "wife": "daughter-in-law",
            **dict.fromkeys(("son", "lad", "boy", "fella"), "grandson"),
            **dict.fromkeys(("daughter", "lass", "girl"), "granddaughter"),
            **dict.fromkeys(("child", "kid", "baby", "one"), "grandchild"),
        },
    ),
    (
        _SIBLING,
        {
            "husband": "brother-in-law",
            "wife": "sister-in-law",
            **dict.fromkeys(("son", "lad", "boy", "fella"), "nephew"),
            **dict.fromkeys(("daughter", "lass", "girl"), "niece"),
        },
    ),
    (
        _PARENT,
        {
            **dict.fromkeys(("mother", "mum", "mom", "mam", "ma", "mama"), "grandmother"),
            **dict.fromkeys(("father", "dad", "da", "pa", "papa"), "grandfather"),
            "brother": "uncle",
            "sister": "aunt",
        },
    ),
    (_AUNT, dict.fromkeys(_CHILD, "cousin")),
)


def kin_through(first: str, second: str) -> str:
    """What the `second` of the user's `first` is to the user; empty where there is no word for it."""
    return next((row.get(second.lower(), "") for whose, row in _ROWS if first.lower() in whose), "")
