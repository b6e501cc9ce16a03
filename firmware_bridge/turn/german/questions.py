"""What a German question asks of memory, read by rule, and whether something that was told answers it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from edge_memory import lazy_re as re
from edge_memory.observe.german.clauses import asks, cleaned
from edge_memory.observe.german.dates import clock_in
from edge_memory.observe.german.lexicon import MONTHS, WEEKDAYS
from edge_memory.observe.german.slots_asked import slots_named
from edge_memory.records import words_of
from edge_memory.store.stemming import german_stem
from edge_memory.store.words import GERMAN_STOP_WORDS

_LEAD = re.compile(
    r"^(?:(?:hey|hallo|okay|ok|also|und|sag mal|du|bitte|lo-?bug)[\s,]+|(?:weißt|weisst) du\s+(?:(?:denn|noch|vielleicht|zufällig|eigentlich)\b[\s,]*)*(?=w\w+|ob\b|mein)"
    r"|(?:kannst|könntest) du mir (?:bitte |noch mal |nochmal )*sagen,?\s*|(?:sag|verrat)e? mir (?:bitte |mal |noch mal )*,?\s*|erinnerst du dich,?\s*(?:noch )?,?\s*|ich (?:habe vergessen|weiß nicht(?: mehr)?|möchte wissen|will wissen|frage mich),?\s*)+",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:soll|sollte|kann|könnte|darf|dürfte|muss)\s+(?:ich|wir)\b|\bwie (?:kann|mache|macht|funktioniert|geht)\b|\bwürdest du\b",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\b(?:ich|mir|mich|mein(?:e[mnrs]?)?|wir|uns|unser(?:e[mnrs]?)?)\b", re.IGNORECASE)
_OF_THE_OTHER = re.compile(r"\b(?:du|dir|dich|dein(?:e[mnrs]?)?)\b", re.IGNORECASE)
_SORTS = (
    ("place", re.compile(r"^(?:wo|wohin|woher|in welche[rm])\b", re.IGNORECASE)),
    ("time", re.compile(r"^(?:wann|um wie viel uhr|an welchem tag|seit wann|wie lange|wie spät)\b", re.IGNORECASE)),
    ("number", re.compile(r"^(?:wie (?:alt|viel\w*|hoch|groß|schwer|oft|lang|weit))\b", re.IGNORECASE)),
    ("name", re.compile(r"^(?:wer|wen|wem|wie heiß\w+)\b", re.IGNORECASE)),
)
_IDLE = frozenset(
    """heißt heiße heißen liegt liegen steht stehen hängt hängen findet finde gibt macht mache eigentlich nochmal mal genau gerade
    denn wer wen wem wann wo wie was viel lange name namen uhr tag zeit ort nochmals gleich bitte weißt du mir sagen war
    bin bist ist sind haben habe hat komme kommt gehört lautet""".split()
)
_NUMBER_WORD = re.compile(
    r"\d|\b(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\w+zehn|\w+zig|halb|einmal|zweimal|täglich|jahr\w*)\b",
    re.IGNORECASE,
)
_PLACE_WORD = re.compile(
    r"\b(?:in|im|unter|unterm|auf|am|hinter|hinterm|neben|bei|beim|an|über|vor|zwischen|oben|unten|draußen|nach|aus)\b",
    re.IGNORECASE,
)
_DAYS = "|".join([*(f"{day}s?" for day in WEEKDAYS), *MONTHS])
_TIME_WORD = re.compile(
    rf"\b(?:{_DAYS}|heute|morgen|gestern|abends?|morgens|mittags?|nachts|woche|monat|jahr|tage?n?|früh|\d{{1,2}}\.|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_SHORTEST_PART = 4  # letters of a word that may be a part of a longer one


class Sort(StrEnum):
    PLACE = "place"
    TIME = "time"
    NUMBER = "number"
    NAME = "name"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Question:
    """`slots` are the keys that it asks for, best first; `stems` those of the words that what answers it must tell."""

    text: str
    slots: tuple[str, ...]
    stems: frozenset[str]
    sort: Sort
    personal: bool


def read_question(text: str) -> Question | None:
    """None for what is no question, or asks for advice, or about the companion."""
    plain = cleaned(text).strip()
    lead = _LEAD.match(plain)
    rest = plain[lead.end() :].strip(" ,") if lead else plain
    if not (asks(plain) or (lead and re.match(r"w\w+|ob\b|mein|unser", rest, re.IGNORECASE))):
        return None
    if _ADVICE.search(rest) or (_OF_THE_OTHER.search(rest) and not _PERSONAL.search(rest)):
        return None
    rest = rest.strip(" ?.!")
    asked = next(((order, slots) for order in _orders(rest) if (slots := slots_named(order))), (rest, ()))
    sort = next((Sort(name) for name, pattern in _SORTS if pattern.search(rest)), Sort.ANY)
    return Question(asked[0], asked[1], telling_stems(rest), sort, bool(_PERSONAL.search(rest)))


def telling_stems(text: str) -> frozenset[str]:
    """The stems of the words that carry a German text's meaning."""
    return frozenset(german_stem(word) for word in words_of(text) if word not in GERMAN_STOP_WORDS | _IDLE)


def covers(told: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether each asked word is told, by itself or as a part: "Termin" by "Zahnarzttermin", and the other way round."""
    return bool(asked) and all(any(_same(word, other) for other in told) for word in asked)


def fits(sort: Sort, text: str, key: str) -> bool:
    """Whether a text tells a thing of the kind that is asked for."""
    if sort is Sort.PLACE:
        return key.endswith((".place", ".home", ".employer")) or bool(_PLACE_WORD.search(text))
    if sort is Sort.TIME:
        return key.endswith((".when", ".birthday", ".birth_year")) or bool(_TIME_WORD.search(text) or clock_in(text))
    if sort is Sort.NUMBER:
        return key.endswith((".age", ".salary")) or bool(_NUMBER_WORD.search(text))
    return sort is not Sort.NAME or bool(re.search(r"\w+ .*\b[A-ZÄÖÜ]\w+|heißt|namens", text))


def _same(word: str, other: str) -> bool:
    if word == other:
        return True
    short, long = sorted((word, other), key=len)
    return len(short) >= _SHORTEST_PART and (long.startswith(short) or long.endswith(short))


def _orders(rest: str) -> list[str]:
    """The question as it was asked, and with the verb brought forward: "wo ich wohne" is "wo wohne ich"."""
    words = rest.split()
    moved = [" ".join([*words[:at], words[-1], *words[at:-1]]) for at in range(1, min(4, len(words) - 1))]
    return [rest, *moved]
