"""Which questions are about the world: what was told does not answer them, however near some of its words are."""

from __future__ import annotations

from collections.abc import Sequence

from edge_memory import lazy_re as re
from firmware_bridge.turn.english.own_life import is_of_the_house
from firmware_bridge.turn.english.questions import Question
from firmware_bridge.turn.english.told import Told, is_kin, words_told
from firmware_bridge.turn.english.wordforms import holds

_NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][\w-]+")
_WHOLE_NAME = re.compile(r"(?<!^)\b[A-Z][\w-]+ [A-Z][\w-]+")
_THE = re.compile(r"\bthe (?!(?:capital|first|last|most|world|largest|biggest|tallest|longest|oldest)\b)[a-z]")
_ANOTHERS = re.compile(r"\b(?!(?:what|who|where|when|how|that|there|it|let)'s)[a-z][\w-]*'s\b")
_PRIVATE = re.compile(
    r"\b(?:surname|(?:last|second|middle|maiden|other) name|phone|mobile|blood (?:group|type)|shoe size|due|salary"
    r"|wages?|earns?|charges?|allergic|teacher|dentist|doctor|landlord|boss)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\b(?:(?:do|does|did|are|were|can) (?!(?:the|my|our|your|you|we|i|it|he|she|they|there|these|those)\b)"
    r"|(?:does|did|is|was|has|can) an? )([a-z][\w-]+)",
    re.IGNORECASE,
)


def is_general(question: Question, tellings: Sequence[Told]) -> bool:
    """Whether it asks of what no telling names, and of nothing that a household calls its own."""
    asked = question.words | question.loose | question.category
    if _PRIVATE.search(question.text) and _NAME.search(question.text) and not _WHOLE_NAME.search(question.text):
        return False
    if any(told.text.lower().startswith(f"{word} ") for told in tellings for word in asked):
        return False  # somebody of whom more was told
    if question.personal or question.who_is or any(is_kin(word) or is_kin(word.removesuffix("s")) for word in asked):
        return False
    words = [words_told(told, question) for told in tellings]
    unknown = {word for word in asked if not any(holds(one, word) for one in words)}
    if named := {name.lower() for name in _NAME.findall(question.text)} & asked:
        return named <= unknown
    if is_of_the_house(question.text) or _THE.search(question.text) or _ANOTHERS.search(question.text):
        return False
    subject = _SUBJECT.search(question.text)
    return bool(subject and subject[1].lower() in unknown) or 2 * len(unknown) > len(asked)
