"""What the companion says by itself, in each language."""

from __future__ import annotations

from collections.abc import Mapping

from edge_memory.records import Language
from firmware_bridge.phrases.english import ENGLISH
from firmware_bridge.phrases.german import GERMAN
from firmware_bridge.phrases.phrases import Phrases

PHRASES: Mapping[Language, Phrases] = {Language.ENGLISH: ENGLISH, Language.GERMAN: GERMAN}

__all__ = ["PHRASES", "Phrases", "counted"]


def counted(number: int, forms: tuple[str, str]) -> str:
    """The form for one, or the form for none and many, with the number in it."""
    return forms[number != 1].format(count=number)
