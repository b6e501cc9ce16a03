"""What may be in what: whether a dish or a drink that is asked for can hold what somebody may not have."""

from __future__ import annotations

from collections.abc import Set

from edge_memory import lazy_re as re
from edge_memory.records import words_of
from firmware_bridge.turn.english.foods import EDIBLE, FOOD, KINDRED, PLAIN

# Foods and drinks that hold nothing but themselves, so that whoever asks for one of them asks for nothing hidden.
_SINGLE = PLAIN | frozenset(
    """coffee coffees tea teas cuppa juice lemonade cola coke pepsi milk beer wine whisky gin vodka rum cider egg eggs
    prawn prawns shrimp crab lobster salmon tuna cod fish chicken beef lamb pork bacon ham turkey steak nuts peanuts
    peanut almonds walnuts honey sugar butter cheese orange oranges lemon lemons lime strawberry strawberries berries
    kiwi kiwis grapefruit peach peaches tomato tomatoes mushroom mushrooms plum cherries cherry pineapple raisins dates
    figs beans lentils""".split()
)
_HOT_DRINK = re.compile(
    r"\b(?:(?:cup|mug|pot|drop|spot) of (?:tea|coffee)|cuppa|brew|(?:some|more|a|another|the) (?:tea"
    r"|coffee)(?=\W*$| (?:please|on|would|for (?:me|us))))\b",
    re.IGNORECASE,
)
_DRINKS = frozenset().union(*(KINDRED[name] for name in ("alcohol", "coffee", "caffeine", "beer", "cola", "coke")))
_DRINKING = frozenset(
    "drink drinks drinking thirsty toast celebrate bar pub bottle glass pint cocktail round party trifle"
    " tiramisu".split()
)
_SAVOURY = frozenset().union(*(KINDRED[name] for name in ("meat", "fish", "shellfish", "pork")))
_SWEET = frozenset(
    """cake cakes cobbler crumble dessert desserts pudding brownie brownies biscuit biscuits cookie cookies ice-cream
    doughnut doughnuts donut donuts muffin muffins scone scones sweet sweets chocolate sorbet trifle flapjack""".split()
)
_VAGUE = frozenset("eat eats eating eaten ate food foods have drink drinks supper breakfast brew tea".split())


def is_known_throughout(text: str) -> bool:
    """Whether all that is asked for are foods and drinks that hold nothing but themselves ("a cup of tea")."""
    named = {word for word in words_of(_HOT_DRINK.sub(" coffee ", text)) if word in EDIBLE | PLAIN | FOOD}
    return bool(named - _VAGUE) and named - _VAGUE <= _SINGLE


def may_hold(heard: Set[str], forbidden: Set[str]) -> bool:
    """Whether something of which these words are heard may hold what is forbidden: no cake holds ham, no dish"
    " is beer."""
    if forbidden & _DRINKS and not forbidden & (EDIBLE - _DRINKS) and not heard & (_DRINKING | _DRINKS):
        return False
    savoury_only = forbidden & EDIBLE <= _SAVOURY and forbidden & _SAVOURY
    return not (savoury_only and heard & _SWEET and heard & FOOD <= _SWEET | _VAGUE)
