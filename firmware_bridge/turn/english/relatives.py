"""Who somebody is to the user by way of another: a sister's daughter is a niece."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import lru_cache
from types import MappingProxyType

from edge_memory import lazy_re as re
from firmware_bridge.turn.english.wordforms import family

_CHILD = "son|boy|lad|daughter|girl|lass|child|kid|baby|twin"
_KIN = f"{_CHILD}|mother|mum|mom|father|dad|brother|sister|wife|husband|fiancee?|partner"
_THEIRS = re.compile(rf"\b(?P<of>his|her|their|(?!user's)[\w-]+'s) (?:[\w-]+ )?(?P<kin>{_KIN})s?\b", re.IGNORECASE)
_HAVE = re.compile(
    rf"\b(?:has|have|had|got|expecting) (?:an? |one |two |three |four )?(?:[\w-]+ )?(?P<kin>{_CHILD})(?:s|ren)?\b",
    re.IGNORECASE,
)
_MALE = frozenset("son boy lad father dad brother husband fiance".split())
_FEMALE = frozenset("daughter girl lass mother mum mom sister wife fiancee".split())
# Whose relative of which kind is what to the user: as told of a man, of a woman, of anybody.
_BY_WAY_OF: Mapping[tuple[str, str], tuple[str, str, str]] = MappingProxyType(
    {
        ("sibling", "child"): ("nephew", "niece", ""),
        ("child", "child"): ("grandson", "granddaughter", "grandchild"),
        ("wife", "mother"): ("", "motherinlaw", ""),
        ("wife", "father"): ("fatherinlaw", "", ""),
        ("wife", "sibling"): ("brotherinlaw", "sisterinlaw", ""),
        ("sibling", "wife"): ("brotherinlaw", "sisterinlaw", ""),
        ("child", "wife"): ("soninlaw", "daughterinlaw", ""),
        ("mother", "sibling"): ("uncle", "aunt", ""),
        ("father", "sibling"): ("uncle", "aunt", ""),
        ("mother", "mother"): ("", "grandmother", ""),
        ("father", "mother"): ("", "grandmother", ""),
        ("mother", "father"): ("grandfather", "", ""),
        ("father", "father"): ("grandfather", "", ""),
    }
)
_FAMILIES = {"baby": "child", "twin": "child", "fiance": "wife", "fiancee": "wife"}
_MOST_READ = 4_096


@lru_cache(_MOST_READ)
def relatives_in(text: str, known_as: frozenset[str]) -> frozenset[str]:
    """What those are to the user who are named in a sentence as somebody's, who is `known_as` these kin words."""
    own = {_family(word) for word in known_as}
    found = [match["kin"] for match in (*_THEIRS.finditer(text), *_HAVE.finditer(text))] if own else []
    return frozenset(word for kin in found for word in _called(own, kin.lower()))


def _called(own: Set[str], kin: str) -> list[str]:
    found: list[str] = []
    for man, woman, anybody in filter(None, (_BY_WAY_OF.get((one, _family(kin))) for one in own)):
        found += [anybody, *([man] if kin not in _FEMALE else []), *([woman] if kin not in _MALE else [])]
    return [word for word in found if word]


def _family(word: str) -> str:
    return _FAMILIES.get(word) or family(word)
