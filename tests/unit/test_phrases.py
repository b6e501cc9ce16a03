"""Every language has every phrase, with the same places to fill."""

from __future__ import annotations

import dataclasses
from string import Formatter

import pytest

from edge_memory.records import Language
from firmware_bridge.phrases import PHRASES, Phrases, counted

NAMES = [field.name for field in dataclasses.fields(Phrases)]


def places(phrase: object) -> list[list[str]]:
    """The names in braces of a phrase, or of each of its forms."""
    texts = [phrase] if isinstance(phrase, str) else [text for text in phrase if isinstance(text, str)]
    return [sorted({name for _, name, _, _ in Formatter().parse(text) if name}) for text in texts]


def test_every_language_has_its_phrases() -> None:
    assert set(PHRASES) == set(Language)


@pytest.mark.parametrize("name", NAMES)
def test_every_phrase_is_said_in_every_language(name: str) -> None:
    said = {language: getattr(phrases, name) for language, phrases in PHRASES.items()}
    assert all(said.values())
    assert len({str(places(phrase)) for phrase in said.values()}) == 1, said
    assert len({str(phrase) for phrase in said.values()}) == len(said) or name in ("told_at", "told_in"), said


def test_one_and_many() -> None:
    assert [counted(number, PHRASES[Language.ENGLISH].steps) for number in (0, 1, 2)] == [
        "0 steps",
        "1 step",
        "2 steps",
    ]
