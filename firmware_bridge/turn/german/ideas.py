"""What to eat or to drink, for who asks in German."""

from __future__ import annotations

from edge_memory import lazy_re as re
from firmware_bridge.turn.ideas import Occasion

_DRINK = re.compile(r"\b(?:trinken|getränk\w*|durst\w*|cocktail\w*|smoothie\w*|anstoßen)\b", re.IGNORECASE)
_SWEET = re.compile(r"\b(?:nachtisch|dessert|süßes|kuchen|torte|gebäck|plätzchen|backen|naschen)\b", re.IGNORECASE)
_BREAKFAST = re.compile(r"\b(?:frühstück\w*|brunch\w*)\b", re.IGNORECASE)
_SNACK = re.compile(
    r"\b(?:snack\w*|knabber\w*|brotdose|pausenbrot|picknick|ausflug|party|zwischendurch|mitbringen)\b", re.IGNORECASE
)
_MEAL = re.compile(
    r"\b(?:kochen|essen|\w*essen|abendbrot|hunger|hungrig|rezept\w*|gericht\w*|grillen|leckeres|schnelles|warmes)\b",
    re.IGNORECASE,
)
OCCASIONS = (
    Occasion(_DRINK, ("Mineralwasser mit Minze", "Apfelsaft", "Leitungswasser")),
    Occasion(_SWEET, ("ein Bratapfel mit Zimt", "Birnen mit Mango", "ein Obstteller")),
    Occasion(_BREAKFAST, ("Banane und Birne in Scheiben", "Reisbrei mit Wasser", "Tomaten auf Kartoffeln")),
    Occasion(_SNACK, ("Apfelschnitze und Karotten", "Gurke und Trauben", "Reiswaffeln")),
    Occasion(_MEAL, ("Ofengemüse mit Reis", "Kartoffeln mit Bohnen", "eine Gemüsesuppe")),
)
