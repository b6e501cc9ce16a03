"""Hard constraints: allergies, diets, medicines and "never", and what goes against them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from edge_memory.records import Record, words_of
from firmware_bridge.turn.questions import asks_permission, telling_words

_FAMILIES = {
    "nut": "nut nuts peanut peanuts almond almonds cashew cashews walnut walnuts hazelnut hazelnuts pecan pecans pistachio"
    " pistachios satay marzipan praline nutella",
    "peanut": "peanut peanuts satay",
    "hazelnut": "hazelnut hazelnuts praline pralines nutella nougat",
    "almond": "almond almonds marzipan amaretto frangipane",
    "dairy": "dairy milk cheese butter yoghurt yogurt cream latte cappuccino custard ice-cream icecream milkshake",
    "gluten": "gluten bread pasta wheat pizza cake toast noodles beer croissant bagel biscuit biscuits cookie cookies",
    "shellfish": "shellfish prawn prawns shrimp shrimps crab lobster mussel mussels oyster oysters scampi",
    "fish": "fish salmon tuna cod haddock trout sardine sardines anchovy anchovies sushi",
    "egg": "egg eggs omelette omelet meringue mayonnaise",
    "meat": "meat steak beef pork bacon ham chicken turkey lamb veal sausage sausages burger salami ribs mince meatball"
    " meatballs duck venison kebab",
    "coffee": "coffee espresso latte cappuccino mocha americano macchiato",
    "caffeine": "caffeine coffee espresso latte cappuccino mocha americano cola tea",
    "alcohol": "alcohol beer wine whisky whiskey gin vodka rum cocktail champagne prosecco cider",
    "sugar": "sugar cake candy chocolate sweets soda cola donut doughnut ice-cream syrup dessert",
}
_DIETS = {
    "vegetarian": ("meat", "fish", "shellfish"),
    "vegan": ("meat", "fish", "shellfish", "dairy", "egg"),
    "pescatarian": ("meat",),
    "coeliac": ("gluten",),
    "celiac": ("gluten",),
    "lactose": ("dairy",),
    "milk": ("dairy",),
    "nuts": ("nut",),
    "seafood": ("fish", "shellfish"),
    "diabetic": ("sugar",),
    "teetotal": ("alcohol",),
    "halal": ("alcohol",),
}
_FOOD = frozenset(
    """eat eating food cook cooking dinner lunch breakfast brunch supper snack recipe meal dessert hungry menu restaurant
    bake baking dish order takeaway""".split()
)
_EATEN = re.compile(
    r"\b(?:allerg|vegetarian|vegan|pescatarian|intoleran|coeliac|celiac|diabetic|gluten|kosher|halal|eat)"
)
_DRUGS = frozenset("medicine medication pill pills tablet tablets drug drugs painkiller painkillers dose".split())
_NOT_THE_THING = frozenset(
    """user allergic allergy allergies never always intolerant severely badly take takes twice once daily day week morning
    evening night after before without ever drink eat don weekends weekend""".split()
)
_REFUSES = re.compile(
    r"\b(?:no|not|never|avoid|careful|careful|without|instead|rather|shouldn't|can't|cannot|don't|isn't|allergic|unsafe|doctor"
    r"|remember that)\b|n't\b",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"^\W*(?:yes|yeah|sure|of course|certainly|absolutely|go ahead|okay|ok|you (?:can|may|should)\b(?! ?not))",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+")


def touched(constraints: Sequence[Record], text: str) -> tuple[Record, ...]:
    """Those of the constraints that an utterance comes near to, by its words."""
    heard = set(words_of(text))
    return tuple(record for record in constraints if _touches(record, heard))


def goes_against(reply: str, constraints: Iterable[Record], text: str) -> bool:
    """Whether a reply to `text` allows or suggests what one of the touched constraints forbids."""
    return any(_breaks(reply, record, text) for record in constraints)


def _touches(record: Record, heard: set[str]) -> bool:
    said = f"{record.text} {record.source_excerpt}".lower()
    if heard & _forbidden(record):
        return True
    if _is_medicine(record):
        return bool(heard & _DRUGS) or "take" in heard
    return bool(_EATEN.search(said)) and bool(heard & _FOOD)


def _breaks(reply: str, record: Record, text: str) -> bool:
    forbidden = _forbidden(record)
    tried = _is_medicine(record) or bool(set(words_of(text)) & forbidden)
    if tried and asks_permission(text) and (_AGREES.match(reply) or not _REFUSES.search(reply)):
        return True
    return any(
        set(words_of(sentence)) & forbidden and not _REFUSES.search(sentence) for sentence in _SENTENCE.findall(reply)
    )


def _is_medicine(record: Record) -> bool:
    return "medicine" in (record.key or "")


def _forbidden(record: Record) -> frozenset[str]:
    """The words of what is forbidden, with their kindred."""
    said = words_of(f"{record.value if isinstance(record.value, str) else ''} {record.text}")
    things = [word for word in said if word not in _NOT_THE_THING and telling_words(word)]
    families = [family for word in things for family in (*_DIETS.get(word, ()), word, word.removesuffix("s"))]
    kindred = (word for family in families for word in _FAMILIES.get(family, "").split())
    return frozenset([*things, *(word.removesuffix("s") for word in things), *kindred])
