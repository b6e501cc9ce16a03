"""Allergies, diets, medicines and "nie" in German: what they forbid, and which of them an utterance touches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from edge_memory import lazy_re as re
from edge_memory.observe.german.dates import clock_in
from edge_memory.observe.german.lexicon import KIN_OF
from edge_memory.records import Record, words_of
from edge_memory.store.stemming import german_stem
from firmware_bridge.turn.german.questions import telling_stems

_ROWS = {
    "nuss nüsse erdnuss erdnüsse haselnuss haselnüsse": "nuss erdnuss haselnuss walnuss mandel cashew pistazie nutella nougat marzipan krokant",
    "walnuss walnüsse": "walnuss nuss baklava pesto",
    "mandel mandeln": "mandel nuss marzipan makrone amaretto",
    "cashew cashews": "cashew nuss pesto",
    "pistazie pistazien": "pistazie nuss baklava",
    "milch laktose milchprodukte kuhmilch": "milch käse sahne joghurt quark butter eis latte cappuccino kakao pudding mozzarella parmesan",
    "gluten weizen zöliakie mehl": "brot brötchen nudel pasta pizza kuchen keks mehl bier semmel toast spaghetti lasagne weizen",
    "vegetarier vegetarierin vegetarisch fleisch": "fleisch wurst würstchen schinken steak schnitzel hähnchen huhn speck burger salami rind schwein lamm ente gulasch fisch lachs thunfisch braten hack frikadelle döner",
    "vegan veganer veganerin": "fleisch wurst schinken steak schnitzel hähnchen huhn speck burger salami rind schwein lamm ente gulasch fisch lachs thunfisch milch käse sahne joghurt quark butter eier honig",
    "pescetarier pescetarierin": "fleisch wurst schinken steak schnitzel hähnchen huhn speck salami rind schwein lamm ente gulasch",
    "schweinefleisch schwein": "schwein schinken speck kassler mett bratwurst salami",
    "alkohol": "alkohol bier wein sekt schnaps cocktail rum likör glühwein prosecco whisky wodka gin aperol",
    "fisch": "fisch lachs thunfisch forelle hering scholle kabeljau sardine matjes",
    "meeresfrüchte muscheln schalentiere krebstiere": "meeresfrüchte muschel garnele krabbe hummer calamari scampi shrimp auster tintenfisch",
    "ei eier": "ei eier omelett rührei spiegelei mayonnaise pfannkuchen",
    "zucker diabetes diabetiker diabetikerin": "zucker limonade limo cola saft honig marmelade pudding eis keks kuchen torte schokolade bonbon",
    "penicillin": "penicillin amoxicillin",
    "apfel äpfel": "apfel",
}  # fmt: skip
_FAMILIES: Mapping[str, frozenset[str]] = {
    german_stem(head): frozenset(german_stem(word) for word in row.split())
    for heads, row in _ROWS.items()
    for head in heads.split()
}
_PERMISSION = re.compile(
    r"\b(?:darf|dürfen|kann|können|soll|sollen|sollte|könnte|könnten|dürfte)\s+(?:ich|wir|er|sie|man|[A-ZÄÖÜ]\w+|mein\w*)\b"
    r"|\b(?:ist es|wäre es|ist das) (?:ok|okay|in ordnung|schlimm|gut|erlaubt|gefährlich)\b|\bwie wäre es mit\b|\bwie wär's mit\b"
    r"|\bich (?:möchte|will|würde|hätte|esse|trinke|nehme|bestelle|kaufe|mache|koche)\b.*\b(?:jetzt|gleich|gern\w*|heute|mal|mir)\b"
    r"|^(?:bitte )?(?:gib|mach|koch|back|bestell|bring|hol|kauf|misch|empfiehl|schlag)\w*\b",
    re.IGNORECASE,
)
_SUGGESTION = re.compile(
    r"\bwas (?:soll|kann|könnte|sollte|darf) (?:ich|wir)\b.*\b(?:essen|kochen|trinken|backen|bestellen|machen|mitbringen)\b|\b(?:rezept|vorschlag|idee|snack|hunger|durst)\w*\b"
    r"|\b(?:etwas|was) (?:leckeres|schnelles|gutes|süßes|warmes)\b|\b(?:schlag|empfiehl)\w*\b",
    re.IGNORECASE,
)
_TAKING = re.compile(
    r"\b(?:tabletten?|medikament\w*|schmerzmittel|ibuprofen|aspirin|paracetamol|nehmen|einnehmen|pille|tropfen|\w+(?:prazol|statin|pril|sartan|cillin|mycin|profen|azepam))\b",
    re.IGNORECASE,
)
_EATEN = ("allergy", "cannot_have", "diet", "diet_rule")
_LIMIT = re.compile(r"\b(?P<side>vor|nach)\s+(?P<clock>.+)$", re.IGNORECASE)
_EVENING, _SMALL_HOURS = 18.0, 6.0
_SENTENCE = re.compile(r"[^.!?\n]+")
_REFUSES = re.compile(
    r"\b(?:nicht|kein\w*|nie|niemals|ohne|statt|außer|allergi\w*|verträgt|vermeide\w*|meide\w*)\b", re.IGNORECASE
)
_SHORTEST_PART = 4


def asks_permission(text: str) -> bool:
    """Whether the user is about to do something, or wants it done."""
    return bool(_PERMISSION.search(text))


def asks_suggestion(text: str) -> bool:
    """Whether something to have is to be thought of."""
    return bool(_SUGGESTION.search(text))


def is_order(record: Record) -> bool:
    return (record.key or "").startswith("rule.never")


def is_medicine(record: Record) -> bool:
    return ".medicine" in (record.key or "")


def named_in(text: str, constraints: Iterable[Record]) -> list[Record]:
    """Those whose very thing an utterance names, of whom it speaks."""
    heard = _heard(text)
    return [r for r in constraints if not is_order(r) and not is_medicine(r) and _is_for(r, text) and _names(r, heard)]


def medicines_beside(text: str, constraints: Iterable[Record]) -> list[Record]:
    """The medicines of whom an utterance speaks, when it asks for leave to take something."""
    if not (_TAKING.search(text) and asks_permission(text)):
        return []
    return [record for record in constraints if is_medicine(record) and _is_for(record, text)]


def of_the_table(constraints: Iterable[Record]) -> list[Record]:
    """What must not be eaten or drunk."""
    return [
        record
        for record in constraints
        if _slot(record) in _EATEN or (_slot(record) == "condition" and is_known(record))
    ]


def is_known(record: Record) -> bool:
    """Whether it is known what all belongs to that which it forbids."""
    return any(thing in _FAMILIES for thing in _things(record))


def forbids(record: Record, text: str) -> bool:
    """Whether a text names what it forbids, or what belongs to that."""
    return _names(record, _heard(text))


def goes_against(reply: str, constraints: Iterable[Record], text: str) -> bool:
    """Whether one of its sentences names what a constraint forbids, without a word of refusal."""
    held = list(constraints)
    plain = [sentence for sentence in _SENTENCE.findall(reply) if not _REFUSES.search(sentence)]
    return any(_names(record, _heard(sentence)) for sentence in plain for record in held)


def orders_broken(text: str, constraints: Iterable[Record]) -> list[Record]:
    """The standing orders ("weck mich nie vor sieben") that an utterance goes against."""
    return [
        record for record in constraints if is_order(record) and _breaks(text, record.source_excerpt or record.text)
    ]


def _breaks(text: str, order: str) -> bool:
    limit = _LIMIT.search(order)
    clock = clock_in(limit["clock"] if re.match(r"um\b", limit["clock"]) else f"um {limit['clock']}") if limit else None
    wanted = telling_stems(order[: limit.start()] if limit and clock else order) - {
        german_stem("nie"),
        german_stem("niemals"),
    }
    heard = frozenset(_root(word) for word in words_of(text))
    if not wanted or not {_root(word) for word in wanted} <= heard:
        return False
    if limit is None or clock is None:
        return True
    at = clock_in(text)
    if at is None:
        return False
    bound, hour = clock.hour + clock.minutes / 60, at.hour + at.minutes / 60
    if limit["side"].lower() == "vor":
        return hour < bound
    bound += 12 if not clock.certain and bound < 12 else 0
    return hour >= bound or (bound >= _EVENING and hour < _SMALL_HOURS and at.certain)


def _root(word: str) -> str:
    """ "Weck", "wecke" and "Wecker" alike."""
    return german_stem(word).removesuffix("er")


def _is_for(record: Record, text: str) -> bool:
    subject = (record.key or "").partition(".")[0]
    if subject in ("user", ""):
        return bool(
            re.search(
                r"\b(?:ich|mir|mich|wir|uns|mein\w*)\b|^(?:bitte )?(?:gib|mach|koch|back|bestell|bring)",
                text,
                re.IGNORECASE,
            )
        )
    said = words_of(text)
    return subject in said or subject in {KIN_OF[word] for word in said if word in KIN_OF} or _kin_told(record, said)


def _kin_told(record: Record, said: Sequence[str]) -> bool:
    """ "Meine Tochter" in a record of Mia's."""
    kin = {word for word in words_of(record.source_excerpt) if word in KIN_OF}
    return bool(kin & set(said))


def _heard(text: str) -> list[str]:
    return [german_stem(word) for word in words_of(text)]


def _names(record: Record, heard: Sequence[str]) -> bool:
    things = _things(record)
    things |= {german for thing in things for german in _FAMILIES.get(thing, frozenset())}
    return any(_is_part(thing, word) for thing in things for word in heard)


def _things(record: Record) -> set[str]:
    value = record.value if isinstance(record.value, str) else record.text
    return {german_stem(word) for word in words_of(value)}


def _slot(record: Record) -> str:
    return (record.key or "").partition(".")[2]


def _is_part(thing: str, word: str) -> bool:
    """ "Erdnuss" in "Erdnussbutter"."""
    return thing == word or (len(thing) >= _SHORTEST_PART and (word.startswith(thing) or word.endswith(thing)))
