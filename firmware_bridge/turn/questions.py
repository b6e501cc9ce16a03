"""What a question asks of memory, read by rule."""

from __future__ import annotations

import re
from collections.abc import Iterable

from edge_memory.records import words_of

_ASKS = re.compile(
    r"^(?:(?:hey|so|and|ok|okay|please|tell me|remind me|do you (?:know|remember)|can you (?:tell me|remember)|say)\b[\s,]*)*"
    r"(?:what|what's|whats|who|who's|whose|when|when's|where|where's|which|how (?:old|many|much|tall|often|long)|is|are"
    r"|am|was|were|do|does|did|have|has)\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:should|can|could|may|might|would|shall|must)\s+(?:i|we)\b|\bhow\s+(?:do|to|can|should)\b|\bis it (?:ok|okay|fine|safe)\b"
    r"|\bwhat (?:to|if)\b|\b(?:suggest|recommend)\b|\bfor me\b|\bgive me\b|\btell me (?:a|about)\b",
    re.IGNORECASE,
)
_CATEGORY = re.compile(
    r"\b(?:what|which)\s+(?:kind of\s+|sort of\s+)?(?P<kind>(?!my\b|our\b|your\b|the\b|i\b|we\b|is\b|are\b|was\b|were\b|do\b|does\b|did\b|am\b|have\b|has\b)[\w ]+?)"
    r"\s+(?:is|are|was|were|do|does|did|am|have|has)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?:(?i:the user's|my|our)\s+(?P<mine>[\w-]+(?:\s+(?-i:[A-Z])[\w-]+)?)|(?!I\b|I'|The\b|We\b|My\b|Our\b)(?P<name>[A-Z][\w-]+))"
)
_ABOUT_ME = re.compile(r"\b(?:i|i'm|my|me|mine|we|our|ours|us)\b", re.IGNORECASE)
_PERMISSION = re.compile(
    r"\b(?:can|could|may|might|should|shall)\s+(?:i|we)\b|\bis it (?:ok|okay|fine|safe|alright)\b|\bam i allowed\b"
    r"|\b(?:do you think|would it be) .*\b(?:i|me)\b|\blet's\b|\bshall we\b|\bi(?:'d| would) like (?:a|an|some|to)\b|\bi want\b"
    r"|\b(?:order|buy|get|make|bring|pour|cook|bake|wake|set)\s+(?:me|us)\b|^(?:order|wake|make|cook)\b",
    re.IGNORECASE,
)
# Words of a question that name nothing to look for.
_GENERIC = frozenset(
    """what whats who whose when where which how old many much often long is are am was were be been do does did have
    has had i im my me mine we our ours us you your the a an of to in on at for with and or that this it its s t re ve ll m d
    tell remind know remember say please hey so ok okay again now name called names call there any some about told said ever
    again currently still usually really exactly today tomorrow happen happened keep kept get go going""".split()
)
# Words that ask for the same thing. The first of each row stands for all.
_SAME = (
    "live lives lived living home house moved move reside address city town",
    "work works worked working job employer company employed office occupation profession",
    "birthday birth born",
    "colour color",
    "favourite favorite",
    "mother mum mom mama",
    "father dad papa",
    "wife husband spouse partner married",
    "child children kid kids daughter son",
    "pet pets cat dog rabbit hamster",
    "allergic allergy allergies",
    "like likes liked enjoy love loves prefer prefers preferred preference",
    "hate hates dislike dislikes",
    "age aged years",
    "car drive drives vehicle",
    "learn learning learned study studying studies",
    "phone number mobile",
    "medicine medication pills pill take takes taking",
    "run runs running jog jogging",
    "drink drinks drinking",
    "eat eats eating",
    "fly flight flies flying leave leaves leaving",
)
_CANONICAL = {word: row.split()[0] for row in _SAME for word in row.split()}
_SHORT, _STEM_LETTERS = 3, 7
# Asking for one of these is answered only by itself, though it belongs to a wider family.
_PRECISE = frozenset("wife husband daughter son cat dog rabbit hamster".split())


def asked_words(text: str) -> frozenset[str] | None:
    """The words that a question about the user's own life looks for; None for any other utterance.

    Empty when it names nothing ("what do you know about me"), or only a name ("what's my name": {"name"}).
    """
    if not _ASKS.match(text) or _ADVICE.search(text) or not _ABOUT_ME.search(text):
        return None
    heard = words_of(text)
    category = _CATEGORY.search(text)  # "what instrument does my son play" is answered by a trumpet, not by that word
    category_words = set(words_of(category["kind"])) if category else set()
    telling = [word for word in heard if word not in _GENERIC and word not in category_words]
    if not telling:
        if {"old", "age"} & set(heard):
            return frozenset({"age"})
        return frozenset({"name"} & set(heard))
    return frozenset(telling)


def asks(text: str) -> bool:
    """Whether an utterance is a question of any kind."""
    return text.rstrip().endswith("?") or bool(_ASKS.match(text))


def covers(told: str, asked: Iterable[str]) -> bool:
    """Whether a text tells of everything that was asked for, in these or in kindred words.

    What it tells of somebody or something else ("my brother lives in Lille") counts only if that was asked for.
    """
    asked = list(asked)
    subject = _SUBJECT.match(told)
    if subject and not {_family(word) for word in words_of(subject["mine"] or subject["name"])} & {
        _family(word) for word in asked
    }:
        return False
    plain = {_stem(word) for word in words_of(told)}
    kindred = {_family(word) for word in words_of(told)}
    return all(_stem(word) in plain if word in _PRECISE else _family(word) in kindred for word in asked)


def asks_permission(text: str) -> bool:
    """Whether the user is about to do something, or wants it done ("can I have", "wake me")."""
    return bool(_PERMISSION.search(text))


def telling_words(text: str) -> frozenset[str]:
    """The stems of the words that carry a text's meaning."""
    return frozenset(_stem(word) for word in words_of(text) if word not in _GENERIC)


def _family(word: str) -> str:
    return _CANONICAL.get(word, _stem(word))


def _stem(word: str) -> str:
    if word.isdigit() or len(word) <= _SHORT:
        return word
    return re.sub(r"(?:es|s|ing|ed|e)$", "", word)[:_STEM_LETTERS]
