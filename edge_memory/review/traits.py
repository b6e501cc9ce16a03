"""What a profile key holds, where no record of it tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from edge_memory.errors import BadQuery
from edge_memory.records import Kind, Priority, Record

_MANY = frozenset(
    """allergy medicine pet child children daughter son sister brother friend aunt uncle cousin likes dislikes prefers
    never always decision learning""".split()
)
_HARD = frozenset("allergy diet medicine".split())
_PREFERRED = frozenset("likes dislikes prefers never always".split())
_VERBS = frozenset("likes dislikes prefers".split())
_NOT_IN_A_KEY = re.compile(r"[^a-z0-9.]+")
_LONGEST_KEY = 80


@dataclass(frozen=True, slots=True)
class Traits:
    many: bool
    kind: Kind
    priority: Priority


def profile_key(text: str) -> str:
    """ "Favourite colour" becomes "user.favourite_colour". Raises BadQuery for one without a word."""
    key = _NOT_IN_A_KEY.sub("_", text.strip().lower()).strip("_.")
    if not key or len(key) > _LONGEST_KEY or ".." in key:
        raise BadQuery(f"{text[:_LONGEST_KEY]!r} is no profile key", 'a key is like "user.diet" or "sarah.birthday"')
    return key if "." in key else f"user.{key}"


def traits_of(key: str, mates: Sequence[Record]) -> Traits:
    """As the newest record of the slot has them, else by what the key names."""
    if mates:
        return Traits(any(mate.many for mate in mates), mates[-1].kind, mates[-1].priority)
    subject, _, attribute = key.partition(".")
    words = set(re.split(r"[._]", attribute))
    if subject == "rule" or words & _HARD:
        return Traits(bool(words & _MANY), Kind.POLICY, Priority.CRITICAL)
    preferred = bool(words & _PREFERRED) or attribute.startswith("favourite_")
    return Traits(bool(words & _MANY), Kind.PREFERENCE if preferred else Kind.FACT, Priority.NORMAL)


def told(key: str, value: str) -> str:
    """ "user.favourite_colour" and "red" become "The user's favourite colour is red"."""
    subject, _, attribute = key.partition(".")
    if subject == "rule":
        return f"Standing order, {attribute.replace('_', ' ')}: {value}"
    who, what = "The user" if subject == "user" else subject.replace("_", " ").title(), attribute.replace(".", " ")
    if attribute in _VERBS:
        return f"{who} {attribute} {value}"
    return f"{who}'s {what.replace('_', ' ')} is {value}"
