"""Something to eat or drink that goes against none of a few constraints, from a short list whose contents are known."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from edge_memory import lazy_re as re
from edge_memory.records import words_of

_DRINK = re.compile(r"\b(?:drink|drinks|smoothie|cocktail|thirsty|pour|toast|celebrate)\b", re.IGNORECASE)
_SWEET = re.compile(r"\b(?:dessert|pudding|pud|sweet|cake|treat|bake|biscuits?|cookies)\b", re.IGNORECASE)
_SNACK = re.compile(r"\b(?:snack|nibbles?|lunch ?box|pack|munch|peckish|trip|picnic|party)\b", re.IGNORECASE)
_MEAL = re.compile(
    r"\b(?:cook|dinner|supper|tea|lunch|meal|eat|serve|hungry|starving|recipe|dish|barbie|barbecue|roast|make)\b", re.I
)
_BREAKFAST = re.compile(r"\b(?:breakfast|brekkie|brunch)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Idea:
    text: str
    holds: frozenset[str]


def _ideas(*rows: str) -> tuple[_Idea, ...]:
    return tuple(_Idea(row, frozenset(words_of(row))) for row in rows)


# Of each occasion, the likeliest one first.
_OCCASIONS = (
    (_DRINK, _ideas("sparkling water with mint", "apple juice", "plain water")),
    (_SWEET, _ideas("a baked apple with cinnamon", "pears with mango", "a fruit plate")),
    (_BREAKFAST, _ideas("banana and pear slices", "rice porridge made with water", "grilled tomatoes on potatoes")),
    (_SNACK, _ideas("apple slices and carrot sticks", "cucumber and grapes", "plain rice cakes")),
    (_MEAL, _ideas("roast vegetables with rice", "baked potatoes with beans", "a vegetable soup")),
)


def idea_for(text: str, forbidden: Iterable[Set[str]]) -> str:
    """What would do; empty where nothing is known to. `forbidden` are the words of each constraint."""
    told = list(forbidden)
    for occasion, ideas in _OCCASIONS:
        if occasion.search(text):
            return next((one.text for one in ideas if all(one.holds.isdisjoint(words) for words in told)), "")
    return ""
