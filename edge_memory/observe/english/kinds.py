"""What is of what kind, where somebody may not have the kind: a shrimp is shellfish, a beer is alcohol."""

from __future__ import annotations

from edge_memory.observe.english.wording import telling

# Each row's first word names the kind. Dishes that may be made without it are none of it, nor is cod: its stem is that
# of "code".
_ROWS = (
    "shellfish prawn prawns shrimp shrimps crab lobster mussels oysters clams scampi scallops crayfish seafood",
    "fish salmon tuna mackerel haddock trout sardines anchovies herring plaice kippers seafood",
    "nut nuts peanut cashew almond walnut hazelnut pecan pistachio macadamia brazil praline marzipan",
    "dairy milk cheese cream yoghurt yogurt butter milkshake custard lactose cheddar latte",
    "gluten wheat bread pasta flour toast baguette barley rye spaghetti croissant",
    "egg omelette scrambled",
    "meat bacon ham beef pork chicken lamb turkey steak sausage burger mince salami venison",
    "pork bacon ham gammon sausage salami",
    "alcohol wine beer whisky whiskey gin vodka rum cider lager ale sherry brandy champagne prosecco cocktail pint",
    "caffeine coffee espresso latte cappuccino cola coke tea",
    "sugar sweets chocolate cake biscuits pudding",
    "citrus orange lemon lime grapefruit satsuma",
    "penicillin amoxicillin flucloxacillin augmentin ampicillin",
    "nsaid ibuprofen naproxen aspirin diclofenac nurofen advil",
    "cat kitten",
    "dog puppy",
    "horse pony",
    "bee wasp hornet sting stung",
)
_KINDS = {next(iter(telling(row.split()[0]))): telling(row) for row in _ROWS}
# Who holds to a diet, or suffers from this, may not have these.
_OF_DIETS = {
    "coeliac": "gluten",
    "celiac": "gluten",
    "lactose": "dairy",
    "vegetarian": "meat fish",
    "veggie": "meat fish",
    "pescatarian": "meat",
    "vegan": "meat fish dairy egg",
    "halal": "pork alcohol",
    "kosher": "pork shellfish",
    "teetotal": "alcohol",
    "seafood": "fish shellfish",
}
_BARRED = {next(iter(telling(diet))): telling(kinds) for diet, kinds in _OF_DIETS.items()}


def kinds_of(stems: frozenset[str]) -> frozenset[str]:
    """The words, as `telling` gives them, with the kinds that they are of."""
    return stems | {kind for kind, members in _KINDS.items() if stems & members}


def barred_by(stems: frozenset[str]) -> frozenset[str]:
    """What may not be had by whom these words tell of: the words, the kinds that a diet bars, and each single one."""
    barred = stems.union(*(_BARRED.get(word, ()) for word in stems))
    return barred.union(*(_KINDS.get(word, ()) for word in barred))
