"""What to eat or to drink, for who asks in English."""

from __future__ import annotations

from collections.abc import Iterable, Set

from edge_memory import lazy_re as re
from edge_memory.records import words_of
from firmware_bridge.turn import ideas
from firmware_bridge.turn.ideas import Occasion

_DRINK = re.compile(r"\b(?:drink|drinks|smoothie|cocktail|thirsty|pour|toast|celebrate)\b", re.IGNORECASE)
_SWEET = re.compile(r"\b(?:dessert|pudding|pud|sweet|cake|treat|bake|biscuits?|cookies)\b", re.IGNORECASE)
_SNACK = re.compile(r"\b(?:snack|nibbles?|lunch ?box|pack|munch|peckish|trip|picnic|party)\b", re.IGNORECASE)
_MEAL = re.compile(
    r"\b(?:cook|dinner|supper|tea|lunch|meal|eat|serve|hungry|starving|recipe|dish|barbie|barbecue|roast|make)\b", re.I
)
_BREAKFAST = re.compile(r"\b(?:breakfast|brekkie|brunch)\b", re.IGNORECASE)
_OCCASIONS = (
    Occasion(_DRINK, ("sparkling water with mint", "apple juice", "plain water")),
    Occasion(_SWEET, ("a baked apple with cinnamon", "pears with mango", "a fruit plate")),
    Occasion(_BREAKFAST, ("banana and pear slices", "rice porridge made with water", "grilled tomatoes on potatoes")),
    Occasion(_SNACK, ("apple slices and carrot sticks", "cucumber and grapes", "plain rice cakes")),
    Occasion(_MEAL, ("roast vegetables with rice", "baked potatoes with beans", "a vegetable soup")),
)


def idea_for(text: str, forbidden: Iterable[Set[str]]) -> str:
    """What would do; empty where nothing is known to. `forbidden` are the words of each constraint."""
    told = list(forbidden)
    return ideas.idea_for(text, _OCCASIONS, lambda idea: any(not words.isdisjoint(words_of(idea)) for words in told))
